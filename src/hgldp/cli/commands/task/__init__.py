"""What can be typed after `hgldp task`."""

from argparse import ArgumentParser

from hgldp.cli.commands.collector_options import TASK, add_service

SUMMARY = "create, list, show or close tasks on a collector"
DESCRIPTION = """\
Create a task on a running collector, list all tasks, show one, close one, or end its epoch now
(seal). A task is meant by its name, its id, or the first four or more digits of its id.

Give the admin token with --token or, so that other users of the machine do not see it, in the
variable HGLDP_TOKEN. (HGLDP_ADMIN_TOKEN is for hgldp serve alone.)"""

EXAMPLES = """\
examples:
  hgldp task create --name Searches --epsilon 4 --strings 64 --k 5
  hgldp task create --name Pages --epsilon 1 --range 0 5000 --k 10 --daily-reports 5
  hgldp task list
  hgldp task show Searches
  hgldp task close 4f1c"""

ACTIONS = ["create", "list", "show", "close", "seal"]


def add_arguments(parser: ArgumentParser) -> None:
    """The action, the task that three of them need, and everything about a new one."""
    parser.add_argument("action", choices=ACTIONS, metavar="ACTION", help=", ".join(ACTIONS))
    parser.add_argument("id", nargs="?", metavar="TASK", help=f"for show, close and seal: {TASK}")
    add_service(parser)
    parser.add_argument("--json", action="store_true", help="one object, or a list")
    add_create_options(parser)


def add_create_options(parser: ArgumentParser) -> None:
    """The fields of a new task, as the collector takes them."""
    made = parser.add_argument_group("create: what clients and collector agree on, for ever")
    made.add_argument("--scheme", metavar="NAME", help="pfr, dsr, bdr, cnr or bgr (pfr)")
    made.add_argument("--epsilon", metavar="E", help="privacy budget")
    made.add_argument("--level", choices=["event", "window", "user"], help="what ε covers (event)")
    made.add_argument("--events", type=int, metavar="N", help="events per window or user, for those two levels")
    made.add_argument("--range", type=int, nargs=2, metavar=("START", "SIZE"), help="domain: whole numbers")
    made.add_argument("--words", metavar="FILE", help="domain: the words in a file, one per line")
    made.add_argument("--strings", type=int, metavar="BYTES", help="domain: any string up to this length (pfr)")
    made.add_argument("--k", type=int, metavar="K", help="how many items to find")
    made.add_argument("--cells", type=int, metavar="M", help="cells of the hot list or the frontier")
    made.add_argument("--light-cells", type=int, metavar="L", help="hot lists: how many nominees wait")
    made.add_argument("--memory", type=int, metavar="BYTES", help="pfr: bytes that the server keeps")
    made.add_argument("--half-life", type=int, metavar="N", help="pfr: reports after which the past counts half")
    made.add_argument("--epoch", type=int, metavar="N", help="reports in the first epoch")
    made.add_argument("--epoch-seconds", type=int, metavar="S", help="an epoch also ends after this time")
    made.add_argument("--daily-reports", type=int, metavar="N", help="most reports of one client per day")
    terms = parser.add_argument_group("create: what only the collector keeps")
    terms.add_argument("--name", metavar="TEXT", help="what people call it")
    terms.add_argument("--results", choices=["public", "token"], help="who may read them (token)")
    terms.add_argument(
        "--origins", nargs="+", metavar="ORIGIN", help="web pages that may send, like https://example.org"
    )
    terms.add_argument("--reports-per-second", type=int, metavar="N", help="most reports per second with its key")
    terms.add_argument("--reports-per-day", type=int, metavar="N", help="most reports per day for the whole task")
