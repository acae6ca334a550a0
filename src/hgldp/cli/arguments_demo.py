"""What can be typed after `hgldp demo`."""

from argparse import ArgumentParser

DEMO = """\
Start a collector with its dashboard on this machine, let simulated clients report over HTTP what
they look at in a made-up shop, each report randomised by its client, and print the private top 10
beside the truth, which only the demo knows. Then it stays up for you to watch; Ctrl-C ends it and
deletes everything. With --check it ends by itself, with exit code 1 if fewer than 8 were found."""

DEMO_EXAMPLES = """\
examples:
  hgldp demo
  hgldp demo --check
  hgldp demo --clients 50000 --port 8080"""


def add_demo(parser: ArgumentParser) -> None:
    """A crowd, and where to watch it."""
    parser.add_argument("--clients", type=int, default=10_000, metavar="N", help="how many report (10000)")
    parser.add_argument("--port", type=int, default=0, metavar="P", help="of the collector (0: any that is free)")
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="which products are loved (1)")
    parser.add_argument("--check", action="store_true", help="compare, then end; fail if too little was found")
