"""What can be typed after `hgldp replay`."""

from argparse import ArgumentParser

from hgldp.cli.commands.collector_options import add_store

SUMMARY = "check that what a collector published follows from its log"
DESCRIPTION = """\
Recompute every published bulletin and result from the log in a data folder, and compare them bit
for bit. If they differ, show the first difference and end with exit code 1. The comparison begins
where this version took over, if an earlier one derived other numbers from the same reports. The
command only reads the folder, so a collector may keep running on it. With --store it reads the
database that several collectors share."""

EXAMPLES = """\
examples:
  hgldp replay hgldp-data
  hgldp replay --store postgresql://hgldp@db.example/hgldp"""


def add_arguments(parser: ArgumentParser) -> None:
    """The folder."""
    parser.add_argument("data", nargs="?", metavar="DIR", help="data folder of a collector")
    add_store(parser)
    parser.add_argument("--json", action="store_true", help="one object")
