"""What can be typed after `hgldp simulate`."""

from argparse import ArgumentParser, BooleanOptionalAction
from typing import get_args

from hgldp.cli.commands.data import FOLDER
from hgldp.model.rules import Spelling, Structure

SUMMARY = "run schemes on a stream, compare the answers with the truth"
DESCRIPTION = """\
Simulate clients and server on a stream, and compare the answer with the exact top-k.

STREAM is one of
  a file        FIMI text (whole numbers separated by spaces) or CSV with --column; plain or
                gzipped; with --open: one string per line, or a CSV column, and no list is needed
  -             the same on standard input
  a data set    retail, kosarak and others by name, if you have a copy: hgldp data list
  a generator   normal:n=100000,d=1000,sigma=5        a bell around d/2
                exponential:n=100000,d=1000,scale=10  a few items have most of the stream
                zipf:n=8000000,d=41270,s=1.1          a long tail
                uniform:n=100000,d=1000               no heavy hitters at all
                fading:n=100000,d=1000,sigma=5        a bell that disappears halfway
  one that      turnover:n=500000,d=20000,s=1.1       each item moves to another rank
  drifts        seasons:n=500000,d=20000,s=1.1        each item comes and goes three times
                bursts:n=500000,d=20000,s=1.05        sixty times an item has 3 % for a while
                sudden:n=500000,d=20000,s=1.1         all ranks are replaced halfway
                births:n=500000,d=20000,life=0.25     items are born and fade
                (the last five have these defaults; the others need every number)

The schemes are
  bgr dsr bdr cnr                          private; the server keeps a few cells
  grr olh hr oue sue rappor subset cyclic  private; the server keeps a counter per possible item
  heavyguardian                            not private; a few cells; for comparison
  pfr                                      private; needs no warm-up; 16 kB (strings: 24 to 46)

Every scheme starts cold, as most tasks do. With --warmup, people donate the first items of the
stream raw: bgr, dsr, bdr, cnr and pfr start from them, and the table marks their rows."""

EXAMPLES = """\
examples:
  hgldp simulate normal:n=100000,d=1000,sigma=5 --scheme all --epsilon 2 --k 10
  hgldp simulate retail.dat.gz --scheme pfr --epsilon 0.5,1,2,4 --k 20 --repeats 10
  hgldp simulate orders.csv --column product --scheme pfr --epsilon 2 --k 5 --json
  zcat clicks.dat.gz | hgldp simulate - --scheme dsr,pfr --epsilon 2 --warmup 5000
  hgldp simulate words.txt --open --epsilon 4 --k 20"""

COLUMN = "CSV: a name in the first line, or a column number from 1 (then the first line is an item too)"


def add_arguments(parser: ArgumentParser) -> None:
    """The stream, the plans, and how to print."""
    parser.add_argument("stream", metavar="STREAM", help="a file, -, a data set or a generator")
    parser.add_argument("--column", metavar="C", help=COLUMN)
    parser.add_argument("--data", metavar="DIR", help=FOLDER)
    parser.add_argument("--open", action="store_true", help="find any strings, without a list (pfr only)")
    parser.add_argument("--most-bytes", type=int, metavar="N", help="with --open: longest string, in UTF-8 bytes (64)")
    parser.add_argument("--spelling", choices=get_args(Spelling), help="with --open: what the strings look like (text)")
    parser.add_argument("--hints", metavar="FILE", help="with --open: a public list of some strings, one per line")
    what = parser.add_argument_group("what to run")
    what.add_argument("--scheme", default="all", metavar="NAME", help="all, a name, or names with commas (all)")
    what.add_argument("--epsilon", default="1", metavar="E", help="privacy budget, or several with commas (1)")
    what.add_argument("--k", type=int, default=20, metavar="K", help="how many items to find (20)")
    what.add_argument(
        "--cells",
        type=int,
        metavar="M",
        help="cells: at least k, pfr 3k, --open 8k, --hints 12k (2k; pfr 1024, --hints 3072)",
    )
    what.add_argument("--light-cells", type=int, metavar="L", help="cells of the light part (the scheme's choice)")
    what.add_argument(
        "--warmup", default="0", metavar="W", help="donate the start raw: a share below 1, or a number of items (0)"
    )
    what.add_argument("--variant", default="default", metavar="V", help="default, paper or as-published")
    what.add_argument(
        "--tight", action=BooleanOptionalAction, help="bdr, cnr: spend exactly ε, or use the printed split"
    )
    what.add_argument("--hot-share", metavar="H", help="bdr, cnr: online, warm-up, or a number in 0 … 1")
    what.add_argument("--buckets", type=int, default=1, metavar="B", help="variant paper: buckets of the list (1)")
    what.add_argument("--level", default="event", choices=["event", "window", "user"], help="what ε covers (event)")
    what.add_argument("--events", type=int, metavar="N", help="events per window or user, for those two levels")
    what.add_argument("--epoch", type=int, metavar="N", help="reports between two bulletins (the scheme's choice)")
    what.add_argument("--memory", type=int, metavar="BYTES", help="pfr: bytes it keeps (16 per cell, at least 16 kB)")
    what.add_argument("--half-life", type=int, metavar="N", help="pfr: reports after which the past counts half")
    what.add_argument(
        "--structure",
        choices=get_args(Structure),
        help="hot lists: how a newcomer gets a place",
    )
    what.add_argument("--seed", type=int, default=1, metavar="S", help="seed of the first run (1)")
    what.add_argument("--repeats", type=int, default=1, metavar="R", help="runs, with seeds S, S+1, … (1)")
    output = parser.add_argument_group("output")
    machine = output.add_mutually_exclusive_group()
    machine.add_argument("--json", action="store_true", help="one object, or a list for several schemes or budgets")
    machine.add_argument("--csv", action="store_true", help="one row per run")
    output.add_argument("--no-progress", action="store_true", help="no progress bar on standard error")
