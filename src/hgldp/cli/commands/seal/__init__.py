"""What can be typed after `hgldp seal`."""

from argparse import ArgumentParser

from hgldp.cli.commands.collector_options import TASK, add_store

SUMMARY = "end an epoch from a state and tallies, without a collector"
DESCRIPTION = """\
End an epoch offline: from a state and tallies follow the next state, the next bulletin and the
result, bit for bit as a collector would publish them. Whoever runs this decides when an epoch ends:
when at least as many reports answer the bulletin in force as the state says. One that is not full
is sealed with a warning, and one that is less than half full only if you say --anyway.

Begin with a task document (--new) or with a task of a collector (--data or --store, --task); that
writes the first state and its bulletin. With --state alone, the command says what it waits for;
with --bulletin, it writes the bulletin of the state again.

A tally holds new reports only: what a state has counted must not come again. With --total, it holds
all reports that ever answered the bulletins, and what was counted is taken off. The same tally
twice is refused. Only pfr works this way: hot lists decide in order of arrival. Keep the
state to yourself: it predicts later hash keys."""

EXAMPLES = """\
examples:
  hgldp seal --new task.json --output-state state-0.json --bulletin bulletin-0.bin
  hgldp seal --data hgldp-data --task Searches --output-state state.json
  hgldp seal --state state-0.json
  hgldp seal --state state-0.json --bulletin bulletin-0.bin
  hgldp seal --state state-0.json --tally monday.csv tuesday.csv --output-state state-1.json
  hgldp seal --state state-0.json --tally all.csv --total --output-state state-1.json"""


def add_arguments(parser: ArgumentParser) -> None:
    """From where, with what, and where it goes."""
    parser.add_argument("--state", metavar="FILE", help="the state after the last seal")
    parser.add_argument("--tally", metavar="FILE", nargs="+", help="tallies, as .csv or .parquet; they add up")
    parser.add_argument(
        "--total", action="store_true", help="the tallies hold everything, also what was counted before"
    )
    parser.add_argument("--anyway", action="store_true", help="seal an epoch that is less than half full")
    parser.add_argument("--new", metavar="FILE", help="begin: a task document, as a collector serves it")
    parser.add_argument("--seed", type=int, metavar="N", help="with --new: for experiments that repeat (random)")
    parser.add_argument("--data", metavar="DIR", help="begin: data folder of a collector")
    add_store(parser)
    parser.add_argument("--task", metavar="TASK", help=f"with --data or --store: {TASK}")
    parser.add_argument("--output-state", metavar="FILE", help="the next state; the file must not be there yet")
    parser.add_argument("--bulletin", metavar="FILE", help="the next bulletin, in the bytes that clients read")
    parser.add_argument("--result", metavar="FILE", help="what was found, as JSON")
    parser.add_argument("--json", action="store_true", help="print one object")
