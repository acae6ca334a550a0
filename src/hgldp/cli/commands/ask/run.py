"""`hgldp ask`: estimates of any items of a task, as a table or for programs."""

from argparse import Namespace
from collections.abc import Iterator, Sequence
from itertools import islice
from math import isclose
from typing import Any

from rich.console import Group
from rich.text import Text

from hgldp.cli.answer_table import MAYBE, NOISE, answer_table, certainty
from hgldp.cli.collector_answer import (
    ONE_ERROR,
    RAW_TERM,
    basis_of,
    has_raw,
    number_cells,
    shown_headings,
    title_of,
    weight_of,
    why_nothing,
)
from hgldp.cli.commands.collector_options import task_given
from hgldp.cli.events import read_events
from hgldp.cli.output import write_data, write_json
from hgldp.cli.service import Service
from hgldp.cli.tasks import find_task
from hgldp.cli.terminal import legend, page, show
from hgldp.cli.units import in_count, label
from hgldp.errors import InvalidField
from hgldp.model.estimate import ORDINARY, RAW, UNKNOWN
from hgldp.wire import api

HEADINGS = ("item", "estimate", RAW, "±", "95 % interval", "since", "95 % since then")
NOTHING = "unknown"
MAY_GO = ("since", "95 % since then", "±")
SINCE = "how many of the last reports counted it by itself"
SHARED = "for a string that was not found: how many counted it together with others that begin like it"


def run(chosen: Namespace) -> int:
    """One question, one answer."""
    if chosen.task is not None and chosen.task_alone is not None:  # after --task every word is an item
        chosen.items, chosen.task_alone = [chosen.task_alone, *chosen.items], None
    task, items = task_given(chosen), _items(chosen)
    if chosen.window is not None and chosen.window < 1:
        raise InvalidField("window", "must be at least 1", chosen.window)
    service = Service(chosen.url, chosen.token)
    path = api.ASK.format(id=find_task(service, task))
    question = {"items": items, "window": chosen.window}
    if chosen.csv:
        write_data(service.fetch(path, question, format="csv").decode(errors="replace"))
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
    whole = answer["covered"] + (answer.get("warmup_raw_items", 0) if has_raw(lines) else 0)
    raw, rows = has_raw(lines), [_row(line, whole) for line in lines]
    headings = shown_headings(HEADINGS, raw=raw, since=any(line["since"] for line in lines))
    terms = [*weight_of(answer), ONE_ERROR, *([RAW_TERM] if raw else []), *_since_terms(lines), *_doubts(rows)]
    table = answer_table(rows, headings, [name for name in MAY_GO if name in headings])
    return page(title, table, legend(terms), *basis_of(answer))


def _since_terms(lines: Sequence[dict[str, Any]]) -> Iterator[tuple[str, str]]:
    """What since means, where it is shown."""
    told = [SINCE] if any(line["since"] and not _shares_a_cell(line) for line in lines) else []
    told += [SHARED] if any(map(_shares_a_cell, lines)) else []
    if told:
        yield "since", "; ".join(told)


def _shares_a_cell(line: dict[str, Any]) -> bool:
    """A string that was not found came between no times and all times that its cell counted."""
    low, high = line["since_low"], line["since_high"]
    return bool(high and not line["estimate"] and isclose(low, 0.0, abs_tol=1e-6 * high))


def _doubts(rows: Sequence[dict[str, str | Text]]) -> Iterator[tuple[str, str]]:
    """What the last column means, where it says anything. Nobody brought these items here, not even chance."""
    for said, meaning in ((MAYBE, ORDINARY), (NOTHING, UNKNOWN)):
        if any(row[NOISE] == said for row in rows):
            yield NOISE, f"{said}: {meaning}"


def _row(line: dict[str, Any], whole: int) -> dict[str, str | Text]:
    since, cells = line["since"], number_cells(line)
    then = {"estimate": line["tracked_count"], "standard_error": line["tracked_error"]}
    ends = {"low": line["since_low"], "high": line["since_high"]}
    found: dict[str, str | Text] = {
        "item": Text(label(line["item"], 64)),
        **cells,
        "since": in_count(since) if since else "–",
        "95 % since then": number_cells(then | ends)["95 % interval"] if since else "",
        **certainty(None, None, line["may_be_noise"]),
    }
    if line["may_be_noise"] and (line["low"] or 0) <= 0 and line["high"] is not None and line["high"] >= whole:
        found[NOISE] = NOTHING
    return found
