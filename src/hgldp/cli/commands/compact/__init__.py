"""What can be typed after `hgldp compact`."""

from argparse import ArgumentParser

SUMMARY = "delete reports and results that need not be kept, and free the space"
DESCRIPTION = """\
Delete the reports and results that are older than their task wants them kept, and give the space
back. A running collector does the same by itself, a little at a time; this command is for a
stopped one. The results that stay still follow from what is kept: see hgldp replay."""

EXAMPLES = """\
examples:
  hgldp compact --data hgldp-data
  hgldp compact --data hgldp-data --all-reports"""


def add_arguments(parser: ArgumentParser) -> None:
    """The folder."""
    parser.add_argument("--data", metavar="DIR", help="data folder of a collector")
    parser.add_argument(
        "--all-reports", action="store_true", help="delete every report, also those that could still be kept"
    )
    parser.add_argument("--json", action="store_true", help="one object")
