"""Tasks on the terminal. What people have to copy is never cut off."""

from typing import Any

from rich.text import Text

from hgldp.cli.output import visible, write_output
from hgldp.cli.terminal import facts, page, show
from hgldp.cli.units import counted, in_bytes, in_count, label
from hgldp.collector.http.documents.task import FIELDS
from hgldp.model.estimate import raw_items

ONCE_A_PERIOD = """\
Each device sends one report a {period}, the first when its first {period} is over.
To try things out, create a task with --level event: then every event is reported at once."""


def created(made: dict[str, Any], *, public: bool, period: str, expected: str = "") -> None:
    """Id, key and token; then what is copied, on separate lines: the dashboard's address, and what a web page needs."""
    rows = (("task", made["id"]), ("write key", made["write_key"]), ("read token", made["read_token"]))
    note = Text("Keep both, they are shown only now: clients send with the key, people read with the token.")
    raw = made.get("warmup_raw_items", 0)
    start = [Text(f"It starts from {raw_items(raw)}, which nobody randomised.")] if raw else []
    slow = [Text(ONCE_A_PERIOD.format(period=period))] if period else []
    told = [Text(expected)] if expected else []
    show(page("Created", facts(rows), note, *start, *told, *slow))
    reader = "anyone may read" if public else "asks for the read token"
    write_output(f"Dashboard, which {reader}:\n{visible(made['dashboard'])}\n")
    if "snippet" in made:
        write_output(f"\nFor a web page:\n{visible(made['snippet'])}\n")
        write_output(f"\nWhere visitors see what was sent, and can stop it:\n{visible(made['panel'])}\n")
        write_output(f"\nA page to try it on:\n{visible(made['example'])}\n")


def listed(found: list[dict[str, Any]]) -> None:
    """Each id on a separate line, with a description below it."""
    if not found:
        show(page("No task yet: hgldp task create --help"))
        return
    show(page(counted(len(found), "task")))
    for each in found:
        told = (
            f"{label(each['scheme'])}, ε = {each['epsilon']:g}, epoch {in_count(each['epoch'])}",
            f"{counted(each['reports'], 'report')}, {in_bytes(each['state_bytes'])} of state",
            *(["closed"] if each["closed"] else []),
        )
        write_output(f"{label(each['id'], 80)}\n  {label(each['name'], 80)}: {', '.join(told)}\n")


def closed(one: dict[str, Any]) -> None:
    """Say that the task is closed, and how many reports it has."""
    write_output(f"Closed {label(one['name'], 80)} after {counted(one['reports'], 'report')}; its results stay.\n")


def sealed(before: dict[str, Any], one: dict[str, Any]) -> None:
    """Which epoch ended; an empty one stays open."""
    if one["epoch"] == before["epoch"]:
        write_output(f"Epoch {in_count(one['epoch'])} has no report yet, and stays open.\n")
    else:
        write_output(f"Epoch {in_count(one['epoch'] - 1)} ended after {counted(one['reports'], 'report')} in all.\n")


def shown(one: dict[str, Any]) -> None:
    """Everything about a task."""
    rest = {name: in_words(name, value) for name, value in one.items() if name not in ("id", "name")}
    if one.get("keys", "epoch") != "epoch":
        rest["epoch_length"] = f"at least a {one['keys']} since it was published"
    rows = [(FIELDS[name].label, value) for name, value in rest.items()]
    show(page(label(one["name"], 80), Text(label(one["id"], 80)), facts(rows)))


def in_words(name: str, value: Any) -> str:
    """A field of a task for people.

    >>> in_words("domain", {"words": 30}), in_words("domain", {"range": [5, 10]}), in_words("half_life", 0)
    ('30 words', 'the numbers 5 … 14', 'none')
    >>> in_words("closed", None), in_words("reports_per_day", 0), in_words("origins", [])
    ('no', 'no limit', 'none')
    >>> in_words("other", True), in_words("nothing", False)
    ('yes', 'no')
    >>> in_words("uploads", {"accepted": 1440, "duplicate": 0, "refused": 2})
    '1,440 accepted, 0 twice, 2 refused since the server started'
    """
    if name == "domain":
        return _domain(value)
    if name == "uploads":
        accepted, duplicate, refused = (in_count(value[each]) for each in ("accepted", "duplicate", "refused"))
        return f"{accepted} accepted, {duplicate} twice, {refused} refused since the server started"
    field = FIELDS[name]
    if not value and field.if_none:
        return field.if_none
    if field.unit:
        shown = in_bytes(value) if field.unit == "bytes" else in_count(value)
        return shown if field.unit in ("bytes", "count") else f"{shown} {field.unit}"
    if value is True:
        return "yes"
    if isinstance(value, list):
        return label(", ".join(value), 4000)
    return f"{value:g}" if isinstance(value, float) else label(value, 200)


def _domain(value: dict[str, Any]) -> str:
    if "range" in value:
        start, size = value["range"]
        return f"the numbers {start} … {start + size - 1}"
    if "strings" in value:
        known = value.get("hints")
        on_list = f", {in_count(known['strings'])} of them on a list" if known else ""
        return f"strings of at most {in_count(value['strings'])} bytes{on_list}"
    return f"{in_count(value['words'])} words"
