"""What can be typed after `hgldp restore`."""

from argparse import ArgumentParser

SUMMARY = "make a collector's folder from a backup"
DESCRIPTION = """\
Make a data folder from a file that hgldp backup wrote, on this or another machine. The folder must
be new or empty; it may be a mounted volume. Every byte is checked against the backup's own hashes,
the pages of the database and the chain of its log are checked, and all is on the disk before the
command says so. Ctrl-C or SIGTERM leaves nothing behind. If it is cut off otherwise, run it again:
until then no collector starts in the folder. Reports that were counted after the backup are not in
it.

Run it as the collector's user, who must own the folder."""

EXAMPLES = """\
examples:
  hgldp restore hgldp-backup.tar --data hgldp-data"""


def add_arguments(parser: ArgumentParser) -> None:
    """From where, to where."""
    parser.add_argument("backup", metavar="FILE", help="what hgldp backup wrote")
    parser.add_argument("--data", metavar="DIR", help="a new or empty folder")
    parser.add_argument("--json", action="store_true", help="one object")
