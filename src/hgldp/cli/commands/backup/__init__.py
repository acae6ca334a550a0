"""What can be typed after `hgldp backup`."""

from argparse import ArgumentParser

SUMMARY = "copy a collector's folder into one file while it runs"
DESCRIPTION = """\
Write a consistent copy of a data folder into one file. The collector goes on meanwhile. The file
appears when it is whole and on the disk; a file of that name is replaced. Keep it secret: it holds
the results and the randomised reports. It holds no tokens and no keys, only their hashes."""

EXAMPLES = """\
examples:
  hgldp backup --data hgldp-data --output hgldp-backup.tar
  hgldp backup --data hgldp-data --output backups/$(date +%FT%H%M%S).tar --keep 14"""


def add_arguments(parser: ArgumentParser) -> None:
    """From where, to where."""
    parser.add_argument("--data", metavar="DIR", help="data folder of a collector")
    parser.add_argument("--output", metavar="FILE", required=True, help="where to write the copy")
    parser.add_argument(
        "--keep", metavar="N", type=int, help="then delete all but this collector's newest N backups (*.tar) beside it"
    )
    parser.add_argument("--json", action="store_true", help="one object")
