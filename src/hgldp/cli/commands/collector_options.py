"""Options that several commands share: where a collector or its folder is, which token to show, which task is meant."""

import os
from argparse import ArgumentParser, Namespace

from hgldp.errors import InvalidField

URL, URL_VARIABLE = "http://127.0.0.1:8080", "HGLDP_URL"
TASK = "name, id, or the first four or more digits of the id"
WINDOW = "pfr with a listed domain: only the last N reports, in whole epochs (those whose middle is among them)"


def add_service(parser: ArgumentParser) -> None:
    """The address and the token, each with its variable in the environment."""
    default = os.environ.get(URL_VARIABLE) or URL
    parser.add_argument(
        "--url", default=default, metavar="URL", help=f"address of the collector ({URL_VARIABLE}, or {URL})"
    )
    parser.add_argument("--token", metavar="T", help="admin or read token (HGLDP_TOKEN in the environment)")


def add_store(parser: ArgumentParser) -> None:
    """The database that several collectors share."""
    parser.add_argument(
        "--store",
        metavar="URL",
        help="PostgreSQL database that collectors share (or HGLDP_STORE_FILE names a file with its address)",
    )


def add_task(parser: ArgumentParser) -> None:
    """The task, alone or after --task, as scripts for 0.1.0 have it; `task_given` says which was typed."""
    parser.add_argument("task_alone", nargs="?", metavar="TASK", help=TASK)
    parser.add_argument("--task", metavar="TASK", help="another way to give TASK")


def task_given(chosen: Namespace) -> str:
    """The task that `add_task` read, which must be given once."""
    alone, option = chosen.task_alone, chosen.task
    if alone is not None and option is not None:
        raise InvalidField("TASK", "must be given only once", f"{alone} and --task {option}")
    if alone is None and option is None:
        raise InvalidField("TASK", f"must be given to hgldp {chosen.command}", "none (hgldp task list)")
    return str(option if alone is None else alone)
