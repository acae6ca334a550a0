"""What can be typed after `hgldp`. Standard library only, so that help and version always work."""

from argparse import ArgumentParser, BooleanOptionalAction, RawDescriptionHelpFormatter
from typing import Any, NoReturn

from hgldp import __version__
from hgldp.cli.arguments_collector import COLLECTOR_COMMANDS
from hgldp.cli.arguments_data import DATA, DATA_EXAMPLES, FOLDER, add_data
from hgldp.cli.arguments_demo import DEMO, DEMO_EXAMPLES, add_demo
from hgldp.cli.arguments_reproduce import REPRODUCE, REPRODUCE_EXAMPLES, add_reproduce
from hgldp.cli.output import write_error, write_output

_OVERVIEW = """\
Find the most frequent items of a stream while every report is randomised on the client,
with a server that keeps a few kilobytes.

commands:
  hgldp simulate   run schemes on a stream and compare their answers with the truth
  hgldp schemes    what every scheme and mechanism promises, and its numbers
  hgldp check      prove the promises: the exact ε of every channel
  hgldp data       public data sets by name: list them, fetch one, find a copy
  hgldp reproduce  every figure, table and claim of the paper, measured again

  hgldp demo       a collector, ten thousand simulated clients, and the truth to compare with
  hgldp serve      run a collector with a dashboard
  hgldp task       create, list, show or close tasks on a collector
  hgldp top        what a task found, once or live
  hgldp export     all that a task published, as CSV, JSON or Parquet
  hgldp report     send events of a file as a client would
  hgldp replay     derive everything published again from a collector's log

examples:
  hgldp simulate normal:n=100000,d=1000,sigma=5
  hgldp simulate retail.dat.gz --scheme dsr --epsilon 2 --k 20
  hgldp check --epsilon 1
  hgldp serve --data hgldp-data

exit codes:
  0 done · 1 a check failed · 2 refused · 130 interrupted · 141 nobody reads the output any more"""

_SIMULATE = """\
Simulate clients and server on a stream, and compare the answer with the exact top-k.

STREAM is one of
  a file        FIMI text (whole numbers, spaces between) or CSV with --column; plain or gzipped;
                with --open one string a line, or a CSV column, of which nobody made a list
  -             the same on standard input
  a data set    retail, kosarak and others by name, if there is a copy: hgldp data list
  a generator   normal:n=100000,d=1000,sigma=5        bell around d/2
                exponential:n=100000,d=1000,scale=10  a few items have most
                zipf:n=8000000,d=41270,s=1.1          a long tail
                uniform:n=100000,d=1000               no heavy hitters at all
                fading:n=100000,d=1000,sigma=5        a bell, and in the second half nothing heavy

The schemes are
  bgr dsr bdr cnr                          private, a few cells on the server
  grr olh hr oue sue rappor subset cyclic  private, a counter on the server for each possible item
  heavyguardian                            not private, a few cells: for comparison
  pfr                                      private, needs no warm-up, some kB on the server"""

_SIMULATE_EXAMPLES = """\
examples:
  hgldp simulate normal:n=100000,d=1000,sigma=5 --scheme all --epsilon 2 --k 10
  hgldp simulate retail.dat.gz --scheme dsr,bdr --epsilon 0.5,1,2,4 --k 20 --cells 40 --repeats 10
  hgldp simulate orders.csv --column product --scheme dsr --epsilon 2 --k 5 --json
  zcat clicks.dat.gz | hgldp simulate - --scheme dsr --epsilon 2 --warmup 5000
  hgldp simulate words.txt --open --epsilon 4 --k 20"""

_SCHEMES = """\
Every scheme and mechanism: what it guarantees, and its numbers for given ε, k, cells and domain.

variance   what one report of somebody else adds to the variance of an item's count
leverage   what one forged report is worth, in honest reports
report     bytes of the symbol; an upload of one report is 64 bytes
state      bytes that the server keeps between two reports"""

_SCHEMES_EXAMPLES = """\
examples:
  hgldp schemes
  hgldp schemes --epsilon 2 --k 20 --cells 40 --domain 41270 --json"""

_CHECK = """\
Run the contract checks: the rows of each channel sum to 1, the exact worst ratio of two rows is
at most e^ε, the debiased count is exactly unbiased, and the sampler draws what the channel says.
Exit code 1 if one fails."""

_CHECK_EXAMPLES = """\
examples:
  hgldp check
  hgldp check --scheme dsr,bdr --epsilon 0.5,1 --json"""

_COLUMN = "CSV: a name in the first line, or a number from 1 (the first line is then an item)"


class _Parser(ArgumentParser):
    def error(self, message: str) -> NoReturn:
        write_error(f"hgldp: error: {' '.join(message.split())} ({self.prog} --help)")
        self.exit(2)

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> tuple[Any, list[str]]:
        """Refuse here what nobody knows, so that the refusal names the command; an id may stand after the options."""
        found, unknown = super().parse_known_args(args, namespace)
        if len(unknown) == 1 and not unknown[0].startswith("-") and getattr(found, "id", "") is None:
            found.id, unknown = unknown[0], []
        if unknown:
            self.error(f"unrecognized arguments: {' '.join(unknown)}")
        return found, unknown

    def _print_message(self, message: str, _: object = None) -> None:
        """Help and version; the standard library would keep a failure to itself."""
        write_output(message)


def make_parser() -> ArgumentParser:
    """The parser of the whole command line."""
    shape: dict[str, Any] = {"formatter_class": RawDescriptionHelpFormatter, "allow_abbrev": False}
    parser = _Parser(prog="hgldp", usage="hgldp COMMAND [options]", description=_OVERVIEW, **shape)
    parser.add_argument("--version", action="version", version=f"hgldp {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True, help="one of the above")
    texts = {
        "simulate": (_SIMULATE, _SIMULATE_EXAMPLES),
        "schemes": (_SCHEMES, _SCHEMES_EXAMPLES),
        "check": (_CHECK, _CHECK_EXAMPLES),
        "data": (DATA, DATA_EXAMPLES),
        "reproduce": (REPRODUCE, REPRODUCE_EXAMPLES),
    }
    fills = {
        "simulate": _add_simulate,
        "schemes": _add_schemes,
        "check": _add_check,
        "data": add_data,
        "reproduce": add_reproduce,
    }
    texts["demo"], fills["demo"] = (DEMO, DEMO_EXAMPLES), add_demo
    for name, (description, epilog, fill) in COLLECTOR_COMMANDS.items():
        texts[name], fills[name] = (description, epilog), fill
    for name, fill in fills.items():
        description, epilog = texts[name]
        fill(commands.add_parser(name, prog=f"hgldp {name}", description=description, epilog=epilog, **shape))
    return parser


def _add_simulate(parser: ArgumentParser) -> None:
    parser.add_argument("stream", metavar="STREAM", help="a file, -, a data set or a generator")
    parser.add_argument("--column", metavar="C", help=_COLUMN)
    parser.add_argument("--data", metavar="DIR", help=FOLDER)
    parser.add_argument("--open", action="store_true", help="any strings, verbatim; nobody lists them (pfr alone)")
    parser.add_argument("--most-bytes", type=int, metavar="N", help="with --open: of a string, in UTF-8 (64)")
    what = parser.add_argument_group("what to run")
    what.add_argument("--scheme", default="all", metavar="NAME", help="all, a name, or names with commas (all)")
    what.add_argument("--epsilon", default="1", metavar="E", help="privacy budget, or several with commas (1)")
    what.add_argument("--k", type=int, default=20, metavar="K", help="how many items to find (20)")
    what.add_argument(
        "--cells", type=int, metavar="M", help="cells, at least k, of pfr 3k and of --open 8k (2k; pfr 256, --open 512)"
    )
    what.add_argument("--light-cells", type=int, metavar="L", help="cells of the light part (the scheme's choice)")
    what.add_argument("--warmup", metavar="W", help="raw start: a share below 1, or a count (0.01)")
    what.add_argument("--variant", default="default", metavar="V", help="default, paper or as-published")
    what.add_argument("--tight", action=BooleanOptionalAction, help="BDR, CNR: spend exactly ε, or the printed split")
    what.add_argument("--hot-share", metavar="H", help="BDR, CNR: online, warm-up, or a number in 0 … 1")
    what.add_argument("--buckets", type=int, default=1, metavar="B", help="variant paper: buckets of the list (1)")
    what.add_argument("--level", default="event", choices=["event", "window", "user"], help="what ε covers (event)")
    what.add_argument("--events", type=int, metavar="N", help="events in a window or of a user; needed there")
    what.add_argument("--epoch", type=int, metavar="N", help="reports between two bulletins (the scheme's choice)")
    what.add_argument("--memory", type=int, metavar="BYTES", help="PFR: bytes it keeps (64 a cell, at least 16 kB)")
    what.add_argument("--half-life", type=int, metavar="N", help="PFR: reports after which the past counts half")
    what.add_argument("--seed", type=int, default=1, metavar="S", help="seed of the first run (1)")
    what.add_argument("--repeats", type=int, default=1, metavar="R", help="runs, with seeds S, S+1, … (1)")
    output = parser.add_argument_group("output")
    machine = output.add_mutually_exclusive_group()
    machine.add_argument("--json", action="store_true", help="one object; a list for several schemes or budgets")
    machine.add_argument("--csv", action="store_true", help="one row a run")
    output.add_argument("--no-progress", action="store_true", help="no progress bar on standard error")


def _add_schemes(parser: ArgumentParser) -> None:
    parser.add_argument("--epsilon", default="1", metavar="E", help="privacy budget (1)")
    parser.add_argument("--k", type=int, default=20, metavar="K", help="how many items to find (20)")
    parser.add_argument("--cells", type=int, metavar="M", help="items the server tracks, at least k (2k)")
    parser.add_argument("--domain", type=int, default=1000, metavar="D", help="how many items are possible (1000)")
    parser.add_argument("--json", action="store_true", help="a list of objects")


def _add_check(parser: ArgumentParser) -> None:
    parser.add_argument("--scheme", default="all", metavar="NAME", help="all, a name, or names with commas (all)")
    parser.add_argument("--epsilon", default="0.1,0.5,1,3", metavar="E", help="one or more, with commas (0.1,0.5,1,3)")
    parser.add_argument("--json", action="store_true", help="a list of objects")
    parser.add_argument("--no-progress", action="store_true", help="no progress bar on standard error")
