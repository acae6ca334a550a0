"""What can be typed after `hgldp ask`."""

from argparse import ArgumentParser

from hgldp.cli.commands.collector_options import WINDOW, add_service, add_task

SUMMARY = "how often any items came, whether on top or not"
DESCRIPTION = """\
How often any items came, with error bars, in the order asked: items of the task's list, numbers of
its range, or any strings if nobody listed them. The answer is computed now, from the same state as
the top. Give the token with --token or in the variable HGLDP_TOKEN; public results need none.

At most 1,000 items at once. Put -- before an item that begins with a dash. After --task every word
is an item."""

EXAMPLES = """\
examples:
  hgldp ask Drinks tea "green tea" mate
  hgldp ask Pages --window 100000 17 42 --json
  hgldp ask Searches --file strings.txt --csv"""


def add_arguments(parser: ArgumentParser) -> None:
    """Which items of which task."""
    add_task(parser)
    parser.add_argument("items", nargs="*", metavar="ITEM", help="an item of the task's domain")
    add_service(parser)
    parser.add_argument("--file", metavar="FILE", help="items from a file too, one per line; - is standard input")
    parser.add_argument("--window", type=int, metavar="N", help=WINDOW)
    machine = parser.add_mutually_exclusive_group()
    machine.add_argument("--json", action="store_true", help="one object")
    machine.add_argument("--csv", action="store_true", help="one row per item")
