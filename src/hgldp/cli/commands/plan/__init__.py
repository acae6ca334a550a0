"""What can be typed after `hgldp plan`."""

from argparse import ArgumentParser
from typing import get_args

from hgldp.model.budget import Division, Level
from hgldp.model.period import Period
from hgldp.model.rules import Spelling

SUMMARY = "what a task will find with your traffic, before you launch it"
DESCRIPTION = """\
Simulate the launch of a task, and say what it will have found after a day, a week and a month.

Say how much traffic there is, with --people (who have an event in each period, level period) or
--reports (that come each day), and what is counted: --items for a list, --strings for strings that
nobody lists. Say with --zipf or --like how frequent the items are, or nothing if you do not know
it: then a plan shows a usual stream, one with a flat head and a steep one.

With --wanted, it also says how little traffic, and how small an ε, reaches that mean precision.
It is simulated with the real scheme, several times. docs/planning.md says what a plan leaves out."""

EXAMPLES = """\
examples:
  hgldp plan --people 20000 --items 5000 --epsilon 1 --k 10
  hgldp plan --reports 300000 --strings 50000 --epsilon 4 --level event
  hgldp plan --reports 50000 --like orders.csv --column product --level event --plot plan.svg
  hgldp plan --people 20000 --items 5000 --wanted 0.9 --within week"""
WITHIN = ("day", "week", "month")


def add_arguments(parser: ArgumentParser) -> None:
    """The traffic, the task, its stream, and what is wanted."""
    traffic = parser.add_argument_group("traffic")
    traffic.add_argument("--people", type=int, metavar="N", help="people with an event each day (or --period)")
    traffic.add_argument("--reports", type=int, metavar="N", help="or reports that come each day")
    task = parser.add_argument_group("the task")
    task.add_argument("--items", type=int, metavar="D", help="how many items are listed")
    task.add_argument("--strings", type=int, metavar="N", help="or about how many different strings there are")
    task.add_argument(
        "--open", action="store_true", help="with --like: treat the file's items as strings that nobody lists"
    )
    task.add_argument("--epsilon", default="1", metavar="E", help="privacy budget (1)")
    task.add_argument("--k", type=int, default=10, metavar="K", help="how many to find (10)")
    task.add_argument("--level", choices=get_args(Level), help="what ε covers (period; with --reports event)")
    task.add_argument("--period", choices=get_args(Period), help="how long a period is (day)")
    task.add_argument("--events", type=int, metavar="N", help="events per window or user, for those two levels")
    task.add_argument(
        "--division",
        choices=get_args(Division),
        help="windows, users: report one event, or all (population)",
    )
    task.add_argument("--scheme", default="pfr", metavar="NAME", help="pfr, bgr, dsr, bdr or cnr (pfr)")
    task.add_argument("--cells", type=int, metavar="M", help="cells (the scheme's choice)")
    task.add_argument("--warmup", type=int, default=0, metavar="N", help="raw items the task starts from (0)")
    task.add_argument("--spelling", choices=get_args(Spelling), help="what the strings look like (text)")
    task.add_argument("--hints", metavar="FILE", help="with --like: a list of some strings, one a line")
    task.add_argument("--most-bytes", type=int, metavar="N", help="longest string, in UTF-8 bytes (64)")
    stream = parser.add_argument_group("how frequent the items are (three usual streams)")
    stream.add_argument("--zipf", type=float, metavar="S", help="item number r has a share in proportion to r^−S")
    stream.add_argument("--like", metavar="FILE", help="take the frequencies of a file, a data set or a generator")
    stream.add_argument("--column", metavar="C", help="CSV: a name in the first line, or a column number from 1")
    stream.add_argument("--data", metavar="DIR", help="folder with data sets (HGLDP_DATA, or one in your cache)")
    least = parser.add_argument_group("the least that suffices")
    least.add_argument(
        "--wanted",
        type=float,
        metavar="P",
        help="also find the fewest reports and the smallest ε for this mean precision (strings: F1)",
    )
    least.add_argument("--within", choices=WITHIN, help="when --wanted must be reached (month)")
    work = parser.add_argument_group("how long to simulate")
    work.add_argument("--launches", type=int, default=24, metavar="N", help="launches on each stream at most (24)")
    work.add_argument(
        "--seconds",
        type=float,
        default=12.0,
        metavar="S",
        help="simulate for about so long (12); the first launches, half as long again",
    )
    work.add_argument("--seed", type=int, default=1, metavar="S", help="seed of the first launch (1)")
    output = parser.add_argument_group("output")
    output.add_argument("--json", action="store_true", help="one object")
    output.add_argument("--plot", metavar="FILE", help="draw it too, as an SVG or PNG file")
    output.add_argument("--no-progress", action="store_true", help="no progress on standard error")
