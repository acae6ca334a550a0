"""`hgldp task`: create, list, show, close, or end the epoch of a task on a running collector."""

from argparse import Namespace
from pathlib import Path
from typing import Any

from rich.console import Group
from rich.text import Text

from hgldp.cli.service import Service
from hgldp.cli.settings import parse_number
from hgldp.cli.strict_json import write_json
from hgldp.cli.terminal import legend, open_table, page, show
from hgldp.cli.units import in_bytes, in_count, label
from hgldp.errors import InvalidField

FOR_CREATE = (
    "name", "scheme", "epsilon", "level", "events", "range", "words", "strings", "k", "cells", "light_cells", "epoch",
    "memory", "half_life", "epoch_seconds", "daily_reports", "results", "origins", "reports_per_second",
    "reports_per_day",
)  # fmt: skip
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
        _print(chosen, made, lambda: _created(chosen.url, made))
    elif chosen.action == "list":
        found = service.get("/v1/tasks")["tasks"]
        _print(chosen, found, lambda: _listed(found))
    else:
        path = f"/v1/tasks/{checked_id(chosen.id)}"
        one = service.get(path) if chosen.action == "show" else service.post(f"{path}/{chosen.action}")
        _print(chosen, one, lambda: _shown(one))
    return 0


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


def _print(chosen: Namespace, document: object, table: Any) -> None:
    if chosen.json:
        write_json(document)
    else:
        show(table())


def _created(url: str, made: dict[str, Any]) -> Group:
    rows = (
        ("task", made["id"]),
        ("write key", made["write_key"]),
        ("read token", made["read_token"]),
        ("dashboard", f"{url.rstrip('/')}/tasks/{made['id']}?token={made['read_token']}"),
    )
    note = Text(
        "Key and token are shown this once: clients send with the key, people read with the token.", style="dim"
    )
    return page("Created", legend(rows), note)


def _listed(found: list[dict[str, Any]]) -> Group:
    table = open_table()
    for heading, side in (("task", "left"), ("name", "left"), ("scheme", "left"), ("ε", "right"), ("epoch", "right")):
        table.add_column(heading, justify=side, no_wrap=True)  # type: ignore[arg-type]
    for heading in ("reports", "state", ""):
        table.add_column(heading, justify="right" if heading else "left", no_wrap=True)
    for each in found:
        numbers = (in_count(each["epoch"]), in_count(each["reports"]), in_bytes(each["state_bytes"]))
        name = Text(label(each["name"], 24))
        closed = "closed" if each["closed"] else ""
        table.add_row(f"{each['id'][:12]}…", name, each["scheme"], f"{each['epsilon']:g}", *numbers, closed)
    count = f"{len(found)} task{'' if len(found) == 1 else 's'}"
    return page(count, table) if found else page("No task yet: hgldp task create --help")


def _shown(one: dict[str, Any]) -> Group:
    rows = [(name.replace("_", " "), label(value, 200)) for name, value in one.items() if name != "name"]
    return page(label(one["name"], 80), legend(rows))
