"""What can be typed after `hgldp demo`."""

from argparse import ArgumentParser

SUMMARY = "watch it work: a collector, simulated clients, and the truth"
DESCRIPTION = """\
Start a collector with its dashboard on this machine, and let simulated clients report over HTTP
what they look at in a made-up shop. Each client randomises its own reports. The demo prints the
private top 10 beside the truth, which only the demo knows, and stays up for you to watch. Ctrl-C
ends it and deletes everything. With --check it ends by itself, with exit code 1 if it found fewer
than 8 of the 10."""

EXAMPLES = """\
examples:
  hgldp demo
  hgldp demo --check
  hgldp demo --clients 50000 --port 8080"""


def add_arguments(parser: ArgumentParser) -> None:
    """The crowd, and where to watch it."""
    parser.add_argument("--clients", type=int, default=10_000, metavar="N", help="how many clients report (10000)")
    parser.add_argument("--port", type=int, default=0, metavar="P", help="port of the collector (0: any free one)")
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="decides which products are popular (1)")
    parser.add_argument("--check", action="store_true", help="compare, then end; fail if it found too little")
