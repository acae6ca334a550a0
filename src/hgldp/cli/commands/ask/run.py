"""`hgldp ask`: estimates of any items of a task, as a table or for programs."""

from argparse import Namespace
from collections.abc import Iterator, Sequence
from itertools import islice
from math import isclose
from typing import Any

from rich.console import Group
from rich.text import Text

from hgldp.cli.answer_table import answer_table, certainty, terms_of
from hgldp.cli.collector_answer import (
    ONE_ERROR,
    RAW_TERM,
    has_raw,
    interval,
    number,
    shown_headings,
    start_of,
    title_of,
    why_nothing,
)
from hgldp.cli.events import read_events
from hgldp.cli.output import write_data, write_json
from hgldp.cli.service import Service
from hgldp.cli.tasks import find_task
from hgldp.cli.terminal import legend, page, show
from hgldp.cli.units import in_count, label
from hgldp.errors import InvalidField
from hgldp.model.estimate import RAW
from hgldp.wire import api

HEADINGS = ("item", "estimate", RAW, "±", "95 % interval", "since", "95 % since then")
MAY_GO = ("since", "95 % since then", "±")
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
    """Those that were typed, then those of the file; no more are read than can be asked for."""
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
    """Item, estimate and intervals; or why there are none."""
    title, nothing, lines = title_of(answer), why_nothing(answer), answer["items"]
    if nothing:
        return page(title, Text(nothing, style="dim"))
    raw, rows = has_raw(lines), [_row(line) for line in lines]
    headings = shown_headings(HEADINGS, raw=raw, since=any(line["since"] for line in lines))
    terms = [ONE_ERROR, *([RAW_TERM] if raw else []), *_since_terms(lines), *terms_of(rows)]
    table = answer_table(rows, headings, [name for name in MAY_GO if name in headings])
    return page(title, table, legend(terms), *start_of(answer))


def _since_terms(lines: Sequence[dict[str, Any]]) -> Iterator[tuple[str, str]]:
    """What since means, where it is shown."""
    if any(line["since"] and not _shares_a_cell(line) for line in lines):
        yield "since", SINCE
    if any(map(_shares_a_cell, lines)):
        yield "since", SHARED


def _shares_a_cell(line: dict[str, Any]) -> bool:
    """A string that was not found came between no times and all times that its cell counted."""
    low, high = line["since_low"], line["since_high"]
    return bool(high and not line["estimate"] and isclose(low, 0.0, abs_tol=1e-6 * high))


def _row(line: dict[str, Any]) -> dict[str, str | Text]:
    since = line["since"]
    return {
        "item": Text(label(line["item"], 64)),
        "estimate": number(line["estimate"]),
        RAW: number(line["warmup"]),
        "±": number(line["standard_error"]),
        "95 % interval": interval(line["low"], line["high"]),
        "since": in_count(since) if since else "–",
        "95 % since then": interval(line["since_low"], line["since_high"]) if since else "",
        **certainty(None, None, line["may_be_noise"]),
    }
