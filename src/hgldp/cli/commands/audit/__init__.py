"""What can be typed after `hgldp audit`."""

from argparse import ArgumentParser

from hgldp.cli.commands.collector_options import add_service

SUMMARY = "find out from outside what a client really spends"
DESCRIPTION = """\
Draw from a client many times, as a stranger who only sees what it sends, and say what it spends at
least: a bound on ε that is wrong with a chance of at most --error. Compares pairs of items that the
bulletin treats differently, items outside the domain and items that are too long; also whether the
number, length, time, id or order of what is sent tells anything, and whether anything is sent at
all. Exit code 1 if a client spends more than the task claims, or leaks in another way.

With --steered the audit chooses every random integer that the client draws. Then the chances are
exact: an excess of one part in 2^32 is found, and there is no error rate.

COMMAND starts the client: it reads events from standard input and writes its uploads to standard
output. With --collector the client is one that talks to a collector: COMMAND hands it the events,
and hgldp plays the collector. docs/audit.md has both protocols. Without COMMAND, our own client is
audited in this process."""

EXAMPLES = """\
examples:
  hgldp audit --task task.json
  hgldp audit --task task.json --steered
  hgldp audit --task task.json --draws 4000000 -- node client.js
  hgldp audit --task Searches --url https://example.org --collector -- ./feed"""


def add_arguments(parser: ArgumentParser) -> None:
    """The client, the task, and how hard to look."""
    parser.add_argument("client", nargs="*", metavar="COMMAND", help="the client under audit, after -- (our own)")
    parser.add_argument(
        "--task", required=True, metavar="TASK", help="file with a task's document, or a task of the collector at --url"
    )
    parser.add_argument("--bulletin", metavar="FILE", help="answer this one (the one in force; for a file: made up)")
    parser.add_argument("--collector", action="store_true", help="the client sends its uploads over HTTP")
    parser.add_argument("--steered", action="store_true", help="choose what the client draws, for an exact result")
    parser.add_argument("--draws", type=int, metavar="N", help="draws in all (1000000; with --collector 10000)")
    parser.add_argument("--error", metavar="P", help="most chance of a false alarm (0.001)")
    parser.add_argument("--claim", metavar="E", help="what a report may spend (what the task says)")
    parser.add_argument("--inside-only", action="store_true", help="compare only items of the domain")
    parser.add_argument(
        "--seed", type=int, metavar="N", help="our own client: draw from this seed, not from the system"
    )
    add_service(parser)
    parser.add_argument("--json", action="store_true", help="one object")
    parser.add_argument("--no-progress", action="store_true", help="no progress bar on standard error")
