"""`hgldp ask`: estimates of any items of a task, as a table or for programs."""

from argparse import Namespace
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import islice
from math import inf, isclose
from typing import Any

from rich.console import Group
from rich.table import Table
from rich.text import Text

from hgldp.cli.events import read_events
from hgldp.cli.output import write_data, write_json
from hgldp.cli.service import Service
from hgldp.cli.tasks import find_task
from hgldp.cli.terminal import Fitted, legend, open_table, page, show
from hgldp.cli.units import in_count, label
from hgldp.cli.what_is_counted import RAW_MEANING, start_of, title_of, why_nothing
from hgldp.errors import InvalidField
from hgldp.model.estimate import MAY_BE_NOISE, RAW, WHY_NOISE
from hgldp.wire import api

HEADINGS = ("item", "estimate", RAW, "±", "95 % interval", "since", "95 % since then", "")
MAY_GO = ("since", "95 % since then", "±")
IF_TOLD = (RAW, "since", "95 % since then")
SINCE = "how many of the last reports counted it by itself"
SHARED = "for a string that was not found: how many counted it together with others that begin like it"


def run(chosen: Namespace) -> int:
    """One question, one answer."""
    items = _items(chosen)
    if chosen.window is not None and chosen.window < 1:
        raise InvalidField("window", "must be at least 1", chosen.window)
    service = Service(chosen.url, chosen.token)
    path = api.ASK.format(id=find_task(service, chosen.task))
    question = {"items": items, "window": chosen.window}
    if chosen.csv:
        parts = service.download(path, question, format="csv")
        write_data(b"".join(parts).decode(errors="replace"))
        return 0
    answer = service.post(path, question)
    if chosen.json:
        write_json(answer)
    else:
        show(table_of(answer))
    return 0


def _items(chosen: Namespace) -> list[Any]:
    """Those that were typed, then those of the file: no more of it is read than can be asked."""
    found: list[Any] = [*chosen.items, *(() if chosen.file is None else _in_file(chosen.file))]
    if not 1 <= len(found) <= api.MOST_ASKED:
        rule = f"must be given 1 to {in_count(api.MOST_ASKED)} times, or in a --file"
        raise InvalidField("ITEM", rule, "more" if found else "none")
    return found


def _in_file(path: str) -> list[Any]:
    try:
        return list(islice(read_events(path, None, numbers=False), api.MOST_ASKED + 1))
    except InvalidField as wrong:
        rule = wrong.rule if wrong.field == "events" else "must have one item per line, and not be CSV"
        raise InvalidField("file", rule, wrong.value if wrong.field == "events" else path) from None


def table_of(answer: dict[str, Any]) -> Group:
    """Item, estimate and interval; or why there are none."""
    title, nothing, lines = title_of(answer), why_nothing(answer), answer["items"]
    if nothing:
        return page(title, Text(nothing, style="dim"))
    rows = [dict(zip(HEADINGS, _cells(line), strict=True)) for line in lines]
    told = [name for name in HEADINGS if name not in IF_TOLD or any(row[name] for row in rows)]
    table = Fitted(told, [name for name in MAY_GO if name in told], partial(_table, rows))
    return page(title, table, legend(_terms(lines, told)), *start_of(answer))


def _terms(lines: Sequence[dict[str, Any]], told: Sequence[str]) -> Iterator[tuple[str, str]]:
    """What the headings mean, where they are shown."""
    yield "±", "one standard error"
    if RAW in told:
        yield RAW, RAW_MEANING
    if any(line["since"] and not _shares_a_cell(line) for line in lines):
        yield "since", SINCE
    if any(map(_shares_a_cell, lines)):
        yield "since", SHARED
    if any(line["may_be_noise"] for line in lines):
        yield MAY_BE_NOISE, WHY_NOISE


def _shares_a_cell(line: dict[str, Any]) -> bool:
    """A string that was not found came between no times and all times that its cell counted."""
    low, high = line["since_low"], line["since_high"]
    return bool(high and not line["estimate"] and isclose(low, 0.0, abs_tol=1e-6 * high))


def _table(rows: Sequence[dict[str, str | Text]], headings: Sequence[str]) -> Table:
    table = open_table()
    for heading in headings:
        if heading == "item":
            table.add_column(heading, overflow="fold")
        else:
            table.add_column(heading, justify="right" if heading else "left", no_wrap=True)
    for row in rows:
        table.add_row(*(row[heading] for heading in headings), style="dim" if row[""] else None)
    return table


def _cells(line: dict[str, Any]) -> tuple[str | Text, ...]:
    since, raw = line["since"], line["warmup"]
    return (
        Text(label(line["item"], 64)),
        _number(line["estimate"]),
        in_count(raw) if raw else "",
        _number(line["standard_error"]),
        _between(line["low"], line["high"]),
        in_count(since) if since else "",
        _between(line["since_low"], line["since_high"]) if since else "",
        MAY_BE_NOISE if line["may_be_noise"] else "",
    )


def _between(low: float | None, high: float | None) -> str:
    return f"{_number(low)} … {_number(high)}"


def _number(value: float | None) -> str:
    return in_count(inf if value is None else value)
