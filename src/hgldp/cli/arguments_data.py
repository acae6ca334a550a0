"""What can be typed after `hgldp data`."""

from argparse import ArgumentParser

DATA = """\
Public data sets by name. None of them is part of this package: fetch gets one from its publisher,
verifies it and puts it in the folder; a copy that is there already is only verified.

  hgldp data list         what is known, who publishes it, and what is in the folder
  hgldp data fetch NAME   get a copy; one that was cut off is gone on with
  hgldp data path NAME    where the copy is

The folder is that of --data, else that of the variable HGLDP_DATA, else one in the user's cache.
A data set that nobody has pinned yet cannot be verified: fetch says so, and prints its SHA-256."""

DATA_EXAMPLES = """\
examples:
  hgldp data list
  hgldp data fetch retail && hgldp simulate retail --scheme dsr --epsilon 2
  hgldp data path kosarak --data ~/streams"""

FOLDER = "folder with data sets (HGLDP_DATA, or one in the user's cache)"


def add_data(parser: ArgumentParser) -> None:
    """Its options."""
    parser.add_argument("action", metavar="ACTION", choices=["list", "fetch", "path"], help="list, fetch or path")
    parser.add_argument("name", metavar="NAME", nargs="?", help="of a data set; fetch and path need one")
    parser.add_argument("--data", metavar="DIR", help=FOLDER)
    parser.add_argument("--json", action="store_true", help="everything that is known, for machines")
    parser.add_argument("--no-progress", action="store_true", help="no progress bar on standard error")
