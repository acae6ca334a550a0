"""`hgldp task`: create, list, show, close, or end the epoch of a task on a running collector."""

from argparse import Namespace
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from hgldp.cli.service import Service, Turned
from hgldp.cli.settings import parse_number
from hgldp.cli.strict_json import write_json
from hgldp.cli.task_pages import closed, created, listed, sealed, shown
from hgldp.errors import InvalidField

FOR_CREATE = (
    "name", "scheme", "epsilon", "level", "events", "range", "words", "strings", "k", "cells", "light_cells", "epoch",
    "memory", "half_life", "epoch_seconds", "daily_reports", "results", "origins", "reports_per_second",
    "reports_per_day",
)  # fmt: skip
CONFLICT = 409
DOMAINS = ("range", "words", "strings")


def execute(chosen: Namespace) -> int:
    """Do one thing to one task, or list all."""
    given = [name for name in FOR_CREATE if getattr(chosen, name) is not None]
    if chosen.action != "create" and given:
        raise InvalidField(f"--{given[0].replace('_', '-')}", "must be left to hgldp task create", chosen.action)
    if (chosen.action in ("create", "list")) != (chosen.id is None):
        rule = "must be given to show, close and seal, and to them alone"
        raise InvalidField("ID", rule, "none" if chosen.id is None else "one")
    service = Service(chosen.url, chosen.token)
    if chosen.action == "create":
        made = service.post("/v1/tasks", request_of(chosen))
        made["dashboard"] = f"{chosen.url.rstrip('/')}/tasks/{made['id']}?token={made['read_token']}"
        _print(chosen, made, created)
    elif chosen.action == "list":
        found = service.get("/v1/tasks")["tasks"]
        _print(chosen, found, listed)
    else:
        path = f"/v1/tasks/{checked_id(chosen.id)}"
        before = service.get(path)
        if chosen.action == "show":
            _print(chosen, before, shown)
        else:
            after = _change(service, f"{path}/{chosen.action}")
            _print(chosen, after, closed if chosen.action == "close" else partial(sealed, before))
    return 0


def _change(service: Service, path: str) -> Any:
    try:
        return service.post(path)
    except Turned as turned:
        raise Turned(turned.status, "The task is closed already") if turned.status == CONFLICT else turned from None


def checked_id(text: str) -> str:
    """A task's id, if it is one."""
    if len(text) != 64 or not set(text) <= set("0123456789abcdef"):
        raise InvalidField("task", "must be named by its id: 64 lower-case hexadecimal digits", "another text")
    return text


def request_of(chosen: Namespace) -> dict[str, Any]:
    """The body that creates a task. What is illegal the collector refuses, by the same rules as the library."""
    found = {name: getattr(chosen, name) for name in FOR_CREATE if getattr(chosen, name) is not None}
    kinds = [kind for kind in DOMAINS if kind in found]
    for name in ("name", "epsilon", "k"):
        if name not in found:
            raise InvalidField(f"--{name}", "must be given to hgldp task create", "none")
    if len(kinds) != 1:
        raise InvalidField("--range, --words and --strings", "must be given once, for the domain", len(kinds))
    value = found.pop(kinds[0])
    found["domain"] = {kinds[0]: _words(value) if kinds[0] == "words" else value}
    return found | {"epsilon": parse_number("epsilon", found["epsilon"])}


def _words(path: str) -> list[str]:
    try:
        lines = Path(path).read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as failure:
        reason = getattr(failure, "strerror", None) or "no UTF-8 text"
        raise InvalidField("words", "must be a readable file with one word a line", f"{path} ({reason})") from None
    return [line for line in lines if line]


def _print(chosen: Namespace, document: Any, tell: Callable[[Any], None]) -> None:
    if chosen.json:
        write_json(document)
    else:
        tell(document)
