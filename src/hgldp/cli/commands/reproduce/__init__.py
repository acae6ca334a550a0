"""What can be typed after `hgldp reproduce`."""

from argparse import ArgumentParser
from pathlib import Path

from hgldp.cli.commands.data import FOLDER

SUMMARY = "measure every figure, table and claim of the paper again"
DESCRIPTION = """\
Measure again what the paper shows, on all cores, and write a report: every figure and table, every
claim of the text with a verdict and the number behind it, and what the paper does not show.

It saves results in the folder as they come. If you interrupt it and start it again, it measures
nothing twice; it never mixes in results of other code, settings or seeds.

The real streams are retail, kosarak and webdocs, if the folder with data sets has them (see
hgldp data). Without kosarak it takes kosarak-first100k, without webdocs a Zipf stream of its size."""

EXAMPLES = """\
examples:
  hgldp reproduce --quick
  hgldp reproduce --data ~/streams --out reproduction
  hgldp reproduce --only ndcg warm-up --repeats 5
  hgldp reproduce --list"""


def add_arguments(parser: ArgumentParser) -> None:
    """How much to measure, from what, and into which folder."""
    parser.add_argument(
        "--quick", action="store_true", help="fewer repeats and budgets, smaller streams; takes minutes"
    )
    parser.add_argument("--only", nargs="+", default=[], metavar="FIGURE", help="only these figures (all)")
    parser.add_argument("--repeats", type=int, metavar="R", help="runs of each measurement (20; 3 with --quick)")
    parser.add_argument("--data", metavar="DIR", help=FOLDER)
    parser.add_argument(
        "--out", type=Path, default=Path("reproduction"), metavar="DIR", help="folder of the report (reproduction)"
    )
    parser.add_argument("--list", action="store_true", help="only list the figures")
    parser.add_argument("--no-progress", action="store_true", help="no progress bar on standard error")
