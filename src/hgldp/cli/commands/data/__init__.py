"""What can be typed after `hgldp data`."""

from argparse import ArgumentParser

SUMMARY = "public data sets by name: list them, fetch one, find a copy"
DESCRIPTION = """\
Public data sets by name. None of them is part of this package: fetch downloads one from its
publisher, verifies it and puts it into the folder. A copy that is there already is only verified.

  hgldp data list         what is known, who publishes it, and what is in the folder
  hgldp data fetch NAME   download a copy, or finish a download that was interrupted
  hgldp data path NAME    where the copy is

The folder is the one given with --data, or in the variable HGLDP_DATA, or else one in your cache.
If a data set has no pinned checksum yet, fetch says that it is unverified and prints its SHA-256."""

EXAMPLES = """\
examples:
  hgldp data list
  hgldp data fetch retail && hgldp simulate retail --scheme pfr --epsilon 2
  hgldp data path kosarak --data ~/streams"""

FOLDER = "folder with data sets (HGLDP_DATA, or one in your cache)"


def add_arguments(parser: ArgumentParser) -> None:
    """The action, and the name that two of them need."""
    parser.add_argument("action", metavar="ACTION", choices=["list", "fetch", "path"], help="list, fetch or path")
    parser.add_argument("name", metavar="NAME", nargs="?", help="data set, for fetch and path")
    parser.add_argument("--data", metavar="DIR", help=FOLDER)
    parser.add_argument("--json", action="store_true", help="everything that is known, for programs")
    parser.add_argument("--no-progress", action="store_true", help="no progress bar on standard error")
