"""What can be typed after `hgldp check`."""

from argparse import ArgumentParser

from hgldp.cli.commands.collector_options import TASK, add_service

SUMMARY = "prove the promises: the exact ε of every channel"
DESCRIPTION = """\
Prove the promises of every scheme and mechanism on this machine: the rows of each channel sum to
1, the exact worst ratio of two rows is at most e^ε, the debiased count is exactly unbiased, and
clients draw what the channel says. Exit code 1 if a check fails.

With --certificate: check the certificate of a task, from a collector (--task) or from files; or
without either, make and check one for every scheme."""

EXAMPLES = """\
examples:
  hgldp check
  hgldp check --scheme dsr,bdr --epsilon 0.5,1 --json
  hgldp check --certificate --task "Drinks"
  hgldp check --certificate certificate.json --document document.json"""


def add_arguments(parser: ArgumentParser) -> None:
    """What to check, and at which budgets."""
    parser.add_argument("--scheme", default="all", metavar="NAME", help="all, a name, or names with commas (all)")
    parser.add_argument("--epsilon", default="0.1,0.5,1,3", metavar="E", help="one or more, with commas (0.1,0.5,1,3)")
    told = "check a certificate (docs/certificate.md), or one of every scheme"
    parser.add_argument("--certificate", nargs="?", const="", metavar="FILE", help=told)
    parser.add_argument("--document", metavar="FILE", help="the task's document, for a certificate in a file")
    parser.add_argument("--task", metavar="TASK", help=f"the task whose certificate to fetch: {TASK}")
    add_service(parser)
    parser.add_argument("--json", action="store_true", help="a list of objects")
    parser.add_argument("--no-progress", action="store_true", help="no progress bar on standard error")
