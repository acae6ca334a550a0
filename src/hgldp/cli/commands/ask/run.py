"""`hgldp ask`: estimates of any items of a task, as a table or for programs."""

from argparse import Namespace
from collections.abc import Sequence
from itertools import islice
from math import inf
from typing import Any

from rich.console import Group
from rich.table import Table
from rich.text import Text

from hgldp.cli.events import read_events
from hgldp.cli.output import write_data, write_json
from hgldp.cli.service import Service
from hgldp.cli.tasks import find_task
from hgldp.cli.terminal import Fitted, legend, open_table, page, show
from hgldp.cli.units import counted, in_count, label
from hgldp.collector.cold_start import starts_cold
from hgldp.errors import InvalidField
from hgldp.model.estimate import STARTED_COLD, WHY_NOISE, Z95
from hgldp.wire import api

HEADINGS = ("item", "estimate", "±", "95 % interval", "since", "95 % since then", "")
MAY_GO = ("since", "95 % since then", "±")
FAINT = "may be noise"
SINCE = "in so many of the last reports it had a cell of its own; a string that was not found, a narrow one"


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
    window = answer["window"]
    last = "" if window is None else f"; this counts only the last {in_count(answer['covered'])}, in whole epochs"
    title = f"Epoch {in_count(answer['epoch'])}, {counted(answer['reports'], 'report')}{last}"
    if not answer["reports"]:
        return page(title, Text("No reports yet.", style="dim"))
    if not answer["covered"]:
        larger = f"ask for a larger one, of at most {counted(answer['reports'], 'report')}"
        return page(title, Text(f"No whole epoch fits into this window: {larger}.", style="dim"))
    lines = answer["items"]
    terms = [("±", "one standard error"), ("since", SINCE)]
    if any(line["may_be_noise"] for line in lines):
        terms.append((FAINT, f"it is {WHY_NOISE}"))
    cold = [Text(f"{STARTED_COLD}.")] if starts_cold(answer["scheme"], answer.get("warmup_raw_items", 0)) else []
    return page(title, Fitted(HEADINGS, MAY_GO, lambda headings: _table(lines, headings)), legend(terms), *cold)


def _table(lines: Sequence[dict[str, Any]], headings: Sequence[str]) -> Table:
    table = open_table()
    for heading in headings:
        if heading == "item":
            table.add_column(heading, overflow="fold")
        else:
            table.add_column(heading, justify="right" if heading else "left", no_wrap=True)
    for line in lines:
        cells = dict(zip(HEADINGS, _cells(line), strict=True))
        table.add_row(*(cells[heading] for heading in headings), style="dim" if line["may_be_noise"] else None)
    return table


def _cells(line: dict[str, Any]) -> tuple[str | Text, ...]:
    lately, since = "", line["since"]
    if since:
        middle, reach = line["tracked_count"], Z95 * (line["tracked_error"] or 0.0)
        lately = _between(middle - reach, middle + reach)
    return (
        Text(label(line["item"], 64)),
        _number(line["estimate"]),
        _number(line["standard_error"]),
        _between(line["low"], line["high"]),
        in_count(since) if since else "–",
        lately,
        FAINT if line["may_be_noise"] else "",
    )


def _between(low: float | None, high: float | None) -> str:
    return f"{_number(low)} … {_number(high)}"


def _number(value: float | None) -> str:
    return in_count(inf if value is None else value)
