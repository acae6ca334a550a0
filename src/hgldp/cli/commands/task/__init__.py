"""What can be typed after `hgldp task`."""

from argparse import ArgumentParser
from typing import Any

from hgldp.cli.commands.collector_options import TASK, add_service
from hgldp.collector.http.documents.task_options import task_options

SUMMARY = "create, list, show, change or delete tasks on a collector"
DESCRIPTION = """\
Create a task on a running collector, list all tasks, show one, close one, or end its epoch now
(seal). Give one another name, a new write key or a new read token, or delete it with all its data.
You can give a task by its name, its id, or the first four or more digits of its id.

Give the admin token with --token or, so that other users of the machine do not see it, in the
variable HGLDP_TOKEN. (HGLDP_ADMIN_TOKEN is only for hgldp serve.)"""

EXAMPLES = """\
examples:
  hgldp task create Searches --epsilon 4 --strings 64 --k 5 --level event
  hgldp task create Pages --epsilon 1 --range 0 5000 --k 10 --period month
  hgldp task create Drinks --scheme dsr --epsilon 2 --words drinks.txt --k 5 --warmup public.txt
  hgldp task list
  hgldp task show Searches
  hgldp task close 4f1c
  hgldp task rename 4f1c "Searches of the week"
  hgldp task rotate-key Searches --keep-old 48
  hgldp task delete Searches"""

SHAPES: dict[str, dict[str, Any]] = {
    "integer": {"type": int},
    "range": {"type": int, "nargs": 2},
    "texts": {"nargs": "+"},
    "flag": {"action": "store_true", "default": None},
}
ACTIONS = ["create", "list", "show", "close", "seal", "rename", "rotate-key", "rotate-token", "delete"]


def add_arguments(parser: ArgumentParser) -> None:
    """The action, the task that most of them need, and everything about a new one."""
    parser.add_argument("action", choices=ACTIONS, metavar="ACTION", help=", ".join(ACTIONS))
    named = f"for create: its name; for all others but list: {TASK}"
    parser.add_argument("id", nargs="?", metavar="TASK", help=named)
    parser.add_argument("new_name", nargs="?", metavar="NAME", help="for rename: the new name")
    add_service(parser)
    parser.add_argument("--json", action="store_true", help="one object, or a list")
    parser.add_argument(
        "--keep-old", type=int, metavar="HOURS", help="rotate-key: accept the old key for so many hours (0)"
    )
    parser.add_argument(
        "--yes", action="store_true", help="ask nothing: delete asks for the task's name, create asks if it cannot work"
    )
    add_create_options(parser)


def add_create_options(parser: ArgumentParser) -> None:
    """The fields of a new task, as the collector describes them."""
    agreed = parser.add_argument_group("create: what clients and collector agree on, for ever")
    kept = parser.add_argument_group("create: what only the collector keeps")
    for option in task_options():
        group, name = agreed if option.agreed else kept, f"--{option.name.replace('_', '-')}"
        if option.kind == "choice" and not option.metavar:
            group.add_argument(name, choices=option.choices, help=option.meaning)
        elif option.kind == "flag":
            group.add_argument(name, help=option.meaning, **SHAPES[option.kind])
        else:
            metavar = tuple(option.metavar.split()) if option.kind == "range" else option.metavar
            group.add_argument(name, metavar=metavar, help=option.meaning, **SHAPES.get(option.kind, {}))
    kept.add_argument("--column", metavar="NAME", help="of a CSV file after --warmup: a name or a number from 1")
