"""What can be typed after `hgldp report`."""

from argparse import ArgumentParser

from hgldp.cli.commands.collector_options import TASK, add_service

SUMMARY = "send the events of a file, as one client would"
DESCRIPTION = """\
Send the events of a file or of standard input, as one client would. They are randomised here, and
only the result leaves this machine. A ledger on disk counts the ε that was spent. If the task asks
once a period, that is one report about one event: for a file with the events of many people,
create the task with --level event and without --one-answer.

Give the write key with --key or in the variable HGLDP_WRITE_KEY. The first event is sent alone, so
a wrong key costs one or two reports, not all of them. What the collector does not take now stays
queued, already randomised, and the next run sends it."""

EXAMPLES = """\
examples:
  hgldp report searches.txt --task Searches --max-epsilon 4
  hgldp report orders.csv --column product --task 4f1c --max-epsilon 1
  tail -f queries.log | hgldp report - --task Searches --max-epsilon 4"""

RATE = "most events per second (4000); 0: no limit, but then most events answer one bulletin and little is found"


def add_arguments(parser: ArgumentParser) -> None:
    """The events, the task, and what this client is willing to spend."""
    parser.add_argument("events", metavar="FILE", help="one event per line, plain or gzipped; - is standard input")
    parser.add_argument("--task", required=True, metavar="TASK", help=TASK)
    parser.add_argument("--max-epsilon", required=True, metavar="E", help="refuse a task that costs more")
    add_service(parser)
    parser.add_argument("--key", dest="write_key", metavar="K", help="write key (HGLDP_WRITE_KEY in the environment)")
    parser.add_argument("--column", metavar="C", help="CSV: a name in the first line, or a column number from 1")
    parser.add_argument("--folder", metavar="DIR", help="ledger and queue (~/.local/state/hgldp/…)")
    parser.add_argument(
        "--reports-per-day", type=int, default=1_000_000, metavar="N", help="most reports in 24 hours (1000000)"
    )
    parser.add_argument("--rate", type=float, default=4_000.0, metavar="N", help=RATE)
    parser.add_argument(
        "--wait", type=float, default=30.0, metavar="S", help="give up after S seconds without progress (30)"
    )
    parser.add_argument("--allow-plain-http", action="store_true", help="allow http:// to another machine, unprotected")
    parser.add_argument("--json", action="store_true", help="one object")
    parser.add_argument("--no-progress", action="store_true", help="no progress bar on standard error")
