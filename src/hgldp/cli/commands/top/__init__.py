"""What can be typed after `hgldp top`."""

from argparse import ArgumentParser

from hgldp.cli.commands.collector_options import WINDOW, add_service, add_task

SUMMARY = "what a task found, once or live"
DESCRIPTION = """\
What a task found, with error bars. Give the token with --token or in the variable HGLDP_TOKEN;
public results need none. To find a task by its name, the token must be the admin token.

The collector computes the answer anew every half second, or less often if that takes long, so the
last reports may be missing; the headline says how many are counted. With --k it computes it now."""

EXAMPLES = """\
examples:
  hgldp top Searches
  hgldp top Searches --watch
  hgldp top 4f1c --k 5 --window 100000 --json
  hgldp top Pages --distribution"""


def add_arguments(parser: ArgumentParser) -> None:
    """What to ask, and how often."""
    add_task(parser)
    add_service(parser)
    parser.add_argument("--k", type=int, metavar="K", help="how many items (the task's k)")
    parser.add_argument("--window", type=int, metavar="N", help=WINDOW)
    parser.add_argument("--watch", action="store_true", help="keep running, and show changes")
    parser.add_argument(
        "--every", type=float, default=2.0, metavar="S", help="with --watch: seconds between updates (2)"
    )
    parser.add_argument(
        "--distribution", action="store_true", help="how many items have a share in each decade (pfr over a list)"
    )
    machine = parser.add_mutually_exclusive_group()
    machine.add_argument("--json", action="store_true", help="one object")
    machine.add_argument("--csv", action="store_true", help="one row per item; with --distribution per decade")
