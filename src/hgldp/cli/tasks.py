"""A task of a collector, as people mean it: by its name, its id, or the first digits of its id."""

import re
from typing import Any

from hgldp.cli.service import TOKEN_VARIABLE, Service, Turned
from hgldp.cli.units import label
from hgldp.errors import HgldpError, InvalidField, did_you_mean
from hgldp.model.hints import MOST_LIST_BYTES, Hints
from hgldp.model.task import Task
from hgldp.wire import api
from hgldp.wire.task import MOST_BYTES, read_task

DIGITS, FEWEST, SHOWN, MOST_SHOWN = 64, 4, 12, 5
NO_ACCESS = (401, 403, 429)
_HEXADECIMAL = re.compile(r"[0-9a-f]+")


class SeveralTasks(HgldpError, LookupError):
    """More than one task fits what was typed; all of them, or the first few, are listed."""

    def __init__(self, text: str, fitting: list[dict[str, Any]]) -> None:
        same_name = all(task["name"] == text for task in fitting)
        some = [task["id"][:SHOWN] + ("" if same_name else f" ({label(task['name'], 40)})") for task in fitting]
        listed = [*some[:MOST_SHOWN], *([f"{len(some) - MOST_SHOWN} more"] if len(some) > MOST_SHOWN else [])]
        what = f"are called {label(text, 80)}" if same_name else f"fit {label(text, 80)}"
        super().__init__(f"{len(fitting)} tasks {what}: {', '.join(listed)}; give the id")


def find_task(service: Service, text: str) -> str:
    """The id of the one task that is meant. A whole id needs no look-up; everything else needs the admin token."""
    digits = text.lower() if _HEXADECIMAL.fullmatch(text.lower()) else ""
    if len(digits) == DIGITS:
        return digits
    if not text:
        raise InvalidField("task", "must be a name, an id, or the first digits of an id", "nothing")
    tasks = _every_task(service, text)
    start = digits if len(digits) >= FEWEST else None
    fitting = [task for task in tasks if task["name"] == text or (start and task["id"].startswith(start))]
    if not fitting:
        names = [task["name"] for task in tasks]
        rule = f"must be the name, the id, or at least {FEWEST} first digits of the id of a task (hgldp task list)"
        raise InvalidField("task", rule, label(f"{text}{did_you_mean(text, names)}", 200))
    if len(fitting) > 1:
        raise SeveralTasks(text, fitting)
    return str(fitting[0]["id"])


def fetch_task(service: Service, task_id: str) -> Task:
    """What the collector says that clients agreed on, if it hashes to the id."""
    document = service.fetch(api.DOCUMENT.format(id=task_id), most_bytes=MOST_BYTES)
    task = read_task(document)
    if task.id.hex() != task_id:
        raise InvalidField("task", "must hash to its id", f"a document that hashes to {task.id.hex()}")
    if task.hints is None:
        return task
    path = api.HINTS.format(sha256=task.hints.digest)
    return task.with_hints(Hints.read(service.fetch(path, most_bytes=MOST_LIST_BYTES)))


def check_open(service: Service, task_id: str) -> None:
    """Refuse a closed task. Only the admin token shows whether it is; without it, the first report has to tell."""
    try:
        closed = service.get(api.TASK.format(id=task_id))["closed"]
    except Turned as turned:
        if turned.status not in NO_ACCESS:
            raise
        return
    if closed is not None:
        raise InvalidField("task", "must be open", f"a task that was closed at {label(closed, 40)}")


def _every_task(service: Service, text: str) -> list[dict[str, Any]]:
    try:
        found: list[dict[str, Any]] = service.get(api.TASKS)["tasks"]
    except Turned as turned:
        if turned.status not in NO_ACCESS:
            raise
        needed = f"because names need the admin token (--token or {TOKEN_VARIABLE})"
        given = "; the token you gave is another one" if service.has_token else ""
        rule = f"must be a whole id of {DIGITS} digits, {needed}{given}"
        raise InvalidField("task", rule, label(text, 80)) from None
    return found
