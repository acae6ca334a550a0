"""What can be typed after `hgldp reproduce`. Standard library only."""

from argparse import ArgumentParser
from pathlib import Path

from hgldp.cli.arguments_data import FOLDER

REPRODUCE = """\
Measure again what the paper shows, on all cores, and write a report: every figure and table, every
claim of the text with its verdict and the number behind it, and what the paper did not show.

Results are kept in the folder as they come. Interrupted and started again, nothing is repeated;
results of other code, settings or seeds are never mixed in.

The real streams are retail, kosarak and webdocs, as far as the folder with data sets has them (see
hgldp data). Without kosarak, kosarak-first100k will do; without webdocs, a Zipf stream of its size."""

REPRODUCE_EXAMPLES = """\
examples:
  hgldp reproduce --quick
  hgldp reproduce --data ~/streams --out reproduction
  hgldp reproduce --only ndcg warm-up --repeats 5
  hgldp reproduce --list"""


def add_reproduce(parser: ArgumentParser) -> None:
    """The options."""
    parser.add_argument("--quick", action="store_true", help="fewer repeats and budgets, smaller streams: minutes")
    parser.add_argument("--only", nargs="+", default=[], metavar="FIGURE", help="these figures alone (all)")
    parser.add_argument("--repeats", type=int, metavar="R", help="runs of each measurement (20; 3 with --quick)")
    parser.add_argument("--data", metavar="DIR", help=FOLDER)
    parser.add_argument("--out", type=Path, default=Path("reproduction"), metavar="DIR", help="folder (reproduction)")
    parser.add_argument("--list", action="store_true", help="name the figures, and do nothing")
    parser.add_argument("--no-progress", action="store_true", help="no progress bar on standard error")
