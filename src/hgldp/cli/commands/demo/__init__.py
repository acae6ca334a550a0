"""What can be typed after `hgldp demo`."""

from argparse import ArgumentParser

SUMMARY = "watch it work: a collector, simulated clients, and the truth"
DESCRIPTION = """\
Start a collector with its dashboard on this machine, and let simulated clients report over HTTP
what they look at in a made-up shop. Each client randomises its own reports. The demo prints the
private top 10 beside the truth, which only the demo knows, and stays up for you to watch. Ctrl-C
ends it and deletes everything. With --check it ends by itself, with exit code 1 if it found fewer
than 8 of the 10.

hgldp demo longitudinal shows what reports tell about one person instead: an observer reads a year
of reports about the same item, once a day, and guesses which item it is, at every level of privacy
with ε = 2. It takes about a minute."""

EXAMPLES = """\
examples:
  hgldp demo
  hgldp demo --check
  hgldp demo --clients 50000 --port 8080
  hgldp demo longitudinal --out longitudinal.svg"""
COLLECTOR, LONGITUDINAL = "collector", "longitudinal"


def add_arguments(parser: ArgumentParser) -> None:
    """The crowd, and where to watch it; or the people who are watched."""
    parser.add_argument(
        "what", nargs="?", metavar="WHAT", help=f"{COLLECTOR}, or {LONGITUDINAL}: a year of one person ({COLLECTOR})"
    )
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="decides what is popular or reported (1)")
    collector = parser.add_argument_group(COLLECTOR)
    collector.add_argument("--clients", type=int, metavar="N", help="how many clients report (10000)")
    collector.add_argument("--port", type=int, metavar="P", help="port of the collector (0: any free one)")
    collector.add_argument("--check", action="store_true", help="compare, then end; fail if it found too little")
    longitudinal = parser.add_argument_group(LONGITUDINAL)
    longitudinal.add_argument("--people", type=int, metavar="N", help="how many people are observed (1000)")
    longitudinal.add_argument("--json", action="store_true", help="every number as JSON")
    longitudinal.add_argument("--out", metavar="FILE", help="draw it too, as an SVG file")
