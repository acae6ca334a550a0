"""A new name, key or token for a task, and its deletion: what is asked of the collector, and what people are told."""

import sys
from argparse import Namespace
from collections.abc import Callable
from typing import Any

from rich.text import Text

from hgldp.cli.output import write_output
from hgldp.cli.service import Service
from hgldp.cli.terminal import facts, page, show
from hgldp.cli.units import counted, label
from hgldp.errors import InvalidField
from hgldp.model.validate import check_whole

Told = tuple[dict[str, Any], Callable[[dict[str, Any]], None]]


def check_words(chosen: Namespace) -> None:
    """Refuse what belongs to another action, before anything is asked."""
    if (chosen.action == "rename") != (chosen.new_name is not None):
        said = "given to" if chosen.action == "rename" else "left out of"
        raise InvalidField("NAME", f"must be {said} hgldp task {chosen.action}", label(chosen.new_name or "none", 80))
    if chosen.keep_old is not None and chosen.action != "rotate-key":
        raise InvalidField("--keep-old", "works with hgldp task rotate-key only", chosen.action)
    if chosen.yes and chosen.action not in ("create", "delete"):
        raise InvalidField("--yes", "works with hgldp task create and delete only", chosen.action)
    if chosen.keep_old is not None:
        check_whole("--keep-old", chosen.keep_old, 0)


def _rename(service: Service, path: str, before: dict[str, Any], chosen: Namespace) -> Told:
    def tell(after: dict[str, Any]) -> None:
        write_output(f"Renamed {label(before['name'], 80)} to {label(after['name'], 80)}.\n")

    return service.post(f"{path}/rename", {"name": chosen.new_name}), tell


def _rotate_key(service: Service, path: str, before: dict[str, Any], chosen: Namespace) -> Told:
    def tell(made: dict[str, Any]) -> None:
        rest = f"until {label(made['old_until'])}" if chosen.keep_old else "no longer"
        _show_new(f"New key of {before['name']}", "write key", made, f"The old key is accepted {rest}.")

    return service.post(f"{path}/rotate-key", {"keep_old_hours": chosen.keep_old or 0}), tell


def _rotate_token(service: Service, path: str, before: dict[str, Any], _: Namespace) -> Told:
    def tell(made: dict[str, Any]) -> None:
        _show_new(f"New token of {before['name']}", "read token", made, "The old token opens nothing any more.")

    return service.post(f"{path}/rotate-token"), tell


def _show_new(title: str, what: str, made: dict[str, Any], note: str) -> None:
    secret = label(made[what.replace(" ", "_")], 80)
    show(page(label(title, 100), facts([(what, secret)]), Text(f"Keep it, it is shown only now. {note}")))


def _delete(service: Service, path: str, before: dict[str, Any], chosen: Namespace) -> Told:
    if not chosen.yes:
        _confirm(before)

    def tell(gone: dict[str, Any]) -> None:
        write_output(f"Deleted {label(before['name'], 80)} with its {counted(gone['reports'], 'report')}.\n")

    return service.post(f"{path}/delete", {"name": before["name"]}), tell


def _confirm(task: dict[str, Any]) -> None:
    """Only who types the name means it."""
    if not sys.stdin or not sys.stdin.isatty():
        raise InvalidField("--yes", "must be given where nobody can be asked", "no terminal")
    reports = counted(task["reports"], "report")
    write_output(f"This deletes {label(task['name'], 80)}, its {reports} and all its results, for good.\n")
    write_output("Type its name to go on: ")
    if sys.stdin.readline().rstrip("\n") != task["name"]:
        raise InvalidField("the name", "must be typed as it is; nothing was deleted", "another one")


CHANGES: dict[str, Callable[[Service, str, dict[str, Any], Namespace], Told]] = {
    "rename": _rename,
    "rotate-key": _rotate_key,
    "rotate-token": _rotate_token,
    "delete": _delete,
}
