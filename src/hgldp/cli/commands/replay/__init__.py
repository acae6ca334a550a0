"""What can be typed after `hgldp replay`."""

from argparse import ArgumentParser

SUMMARY = "check that what a collector published follows from its log"
DESCRIPTION = """\
Derive every published bulletin and result again from the log in a data folder, and compare bit for
bit. Exit code 1 and the first difference if there is one. The folder is only read; a collector may
keep running on it."""

EXAMPLES = """\
examples:
  hgldp replay hgldp-data"""


def add_arguments(parser: ArgumentParser) -> None:
    """The folder."""
    parser.add_argument("data", metavar="DIR", help="data folder of a collector")
    parser.add_argument("--json", action="store_true", help="one object")
