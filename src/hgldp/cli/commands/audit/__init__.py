"""What can be typed after `hgldp audit`."""

from argparse import ArgumentParser

from hgldp.cli.commands.collector_options import add_data

SUMMARY = "which admin did what on a collector"
DESCRIPTION = """\
Show who changed what: tasks that were created, renamed, closed or deleted, keys and tokens that
were rotated, admins that came and went. The trail is in the data folder, in audit.jsonl and a few
older files. It holds no tokens."""

EXAMPLES = """\
examples:
  hgldp audit --data /var/lib/hgldp
  hgldp audit --last 100 --json"""


def add_arguments(parser: ArgumentParser) -> None:
    """Where, and how much."""
    add_data(parser)
    parser.add_argument("--last", type=int, metavar="N", help="only the last N entries")
    parser.add_argument("--json", action="store_true", help="one list")
