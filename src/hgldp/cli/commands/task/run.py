"""`hgldp task`: create, list, show, close or change tasks on a running collector."""

import re
from argparse import Namespace
from collections.abc import Callable
from functools import partial
from typing import Any

from hgldp.cli.commands.task.changes import CHANGES, check_words
from hgldp.cli.commands.task.forewarn import forewarn
from hgldp.cli.commands.task.pages import closed, created, listed, sealed, shown
from hgldp.cli.commands.task.snippet import with_snippet
from hgldp.cli.commands.task.warmup import read_warmup
from hgldp.cli.events import read_lines
from hgldp.cli.output import write_error, write_json
from hgldp.cli.service import Service, Turned
from hgldp.cli.tasks import SHOWN, find_task
from hgldp.cli.units import label
from hgldp.cli.values import parse_name, parse_number
from hgldp.collector.http.documents.task import DOMAINS
from hgldp.collector.http.documents.task_options import task_options
from hgldp.errors import InvalidField
from hgldp.mechanisms.registry import MECHANISMS
from hgldp.schemes.registry import names
from hgldp.wire import api

FOR_CREATE = (*(option.name for option in task_options()), "column")
CONFLICT, A_SETTING = 409, re.compile(r"such as (\w+) from")
DOMAIN_KINDS = tuple(each.name for each in DOMAINS)


def run(chosen: Namespace) -> int:
    """Do one thing to one task, or list all."""
    if chosen.action == "create":
        take_name(chosen)
    given = [name for name in FOR_CREATE if getattr(chosen, name) is not None]
    if chosen.action != "create" and given:
        raise InvalidField(f"--{given[0].replace('_', '-')}", "works with hgldp task create only", chosen.action)
    if (chosen.action in ("create", "list")) != (chosen.id is None):
        if chosen.id is None:
            raise InvalidField("TASK", f"must be given to hgldp task {chosen.action}", "none (hgldp task list)")
        raise InvalidField("TASK", f"must be left out of hgldp task {chosen.action}", chosen.id)
    check_words(chosen)
    service = Service(chosen.url, chosen.token)
    if chosen.action == "create":
        wanted = request_of(chosen)
        known = service.get(api.TASKS)["tasks"]
        expected = forewarn(chosen, wanted)
        made = _create(service, wanted)
        made["dashboard"] = f"{chosen.url.rstrip('/')}/tasks/{made['id']}"
        if "warmup" in wanted:
            made["warmup_raw_items"] = sum(count for _, count in wanted["warmup"])
        made = with_snippet(made, service, chosen.url, wanted)
        period = wanted.get("period", "day") if wanted.get("level", "period") == "period" else ""
        public = wanted.get("results") == "public"
        _print(chosen, made, partial(created, public=public, period=period, expected=expected))
        if any(task["name"] == wanted["name"] for task in known):
            name = label(wanted["name"], 80)
            write_error(f"hgldp: warning: there was a task called {name} already: call this one {made['id'][:SHOWN]}")
    elif chosen.action == "list":
        found = service.get(api.TASKS)["tasks"]
        _print(chosen, found, listed)
    else:
        path = api.TASK.format(id=find_task(service, chosen.id))
        before = service.get(path)
        if chosen.action == "show":
            _print(chosen, before, shown)
        elif chosen.action in CHANGES:
            _print(chosen, *CHANGES[chosen.action](service, path, before, chosen))
        else:
            after = _change(service, f"{path}/{chosen.action}", is_closed=before["closed"] is not None)
            _print(chosen, after, closed if chosen.action == "close" else partial(sealed, before))
    return 0


def _create(service: Service, wanted: dict[str, Any]) -> Any:
    """A refusal that names a setting names it as it is typed here."""
    try:
        return service.post(api.TASKS, wanted)
    except Turned as turned:
        raise Turned(turned.status, A_SETTING.sub(r"such as --\1 from", turned.reason)) from None


def take_name(chosen: Namespace) -> None:
    """The name of a new task may be its first word or follow --name, but not both."""
    if chosen.id is not None and chosen.name is not None:
        raise InvalidField("--name", "must be given only once", f"{chosen.id} and --name {chosen.name}")
    chosen.name, chosen.id = chosen.id if chosen.name is None else chosen.name, None


def _change(service: Service, path: str, *, is_closed: bool) -> Any:
    try:
        return service.post(path)
    except Turned as turned:
        again = is_closed and turned.status == CONFLICT
        raise Turned(turned.status, "The task is closed already") if again else turned from None


def request_of(chosen: Namespace) -> dict[str, Any]:
    """The body that creates a task. The collector refuses what is illegal, by the same rules as the library."""
    found = {name: getattr(chosen, name) for name in FOR_CREATE if getattr(chosen, name) is not None}
    kinds = [kind for kind in DOMAIN_KINDS if kind in found]
    for name in ("name", "epsilon", "k"):
        if name not in found:
            raise InvalidField(f"--{name}", "must be given to hgldp task create", "none")
    if "scheme" in found:
        found["scheme"] = _scheme(found["scheme"])
    if found.get("level") in ("window", "user") and "events" not in found:
        raise InvalidField("--events", f"must be given with --level {found['level']}", "none")
    if "hints" in found and not kinds:
        raise InvalidField("--hints", "works with --strings only", "neither")
    if len(kinds) != 1:
        raise InvalidField("the domain", "must be given by one of --range, --words and --strings", len(kinds) or "none")
    value = found.pop(kinds[0])
    found["domain"] = {kinds[0]: read_lines(value, "--words", "word") if kinds[0] == "words" else value}
    if "hints" in found:
        if kinds[0] != "strings":
            raise InvalidField("--hints", "works with --strings only", f"--{kinds[0]}")
        found["hints"] = read_lines(found["hints"], "--hints", "string")
    column = found.pop("column", None)
    if "warmup" in found:
        found["warmup"] = read_warmup(found["warmup"], column, found["domain"])
    elif column is not None:
        raise InvalidField("--column", "works with --warmup only", column)
    return found | {"epsilon": parse_number("epsilon", found["epsilon"])}


def _scheme(typed: str) -> str:
    if typed.lower() in MECHANISMS:
        hint = "; hgldp simulate runs it, a collector does not"
        raise InvalidField("scheme", f"must be one of {', '.join(names())}", typed, hint)
    return parse_name(typed, names())


def _print(chosen: Namespace, document: Any, tell: Callable[[Any], None]) -> None:
    if chosen.json:
        write_json(document)
    else:
        tell(document)
