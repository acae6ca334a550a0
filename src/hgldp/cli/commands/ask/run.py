"""`hgldp ask`: estimates of any items of a task, as a table or for programs."""

from argparse import Namespace
from itertools import islice
from typing import Any

from rich.console import Group
from rich.text import Text

from hgldp.cli.answer_table import answer_table, certainty, terms_of
from hgldp.cli.collector_answer import (
    ONE_ERROR,
    RAW,
    RAW_TERM,
    has_raw,
    interval,
    nothing_counted,
    number,
    shown_headings,
    start_in_words,
    title_of,
)
from hgldp.cli.events import read_events
from hgldp.cli.output import write_data, write_json
from hgldp.cli.service import Service
from hgldp.cli.tasks import find_task
from hgldp.cli.terminal import legend, page, show
from hgldp.cli.units import in_count, label
from hgldp.errors import InvalidField
from hgldp.model.estimate import Z95
from hgldp.wire import api

HEADINGS = ("item", "estimate", RAW, "±", "95 % interval", "since", "95 % since then")
MAY_GO = ("since", "95 % since then", "±")
SINCE = "in how many of the last reports it was counted by itself, or, if a string was not found, in a narrow cell"


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
    if (empty := nothing_counted(answer)) is not None:
        return empty
    raw, rows = has_raw(answer["items"]), [_row(line) for line in answer["items"]]
    terms = [ONE_ERROR, ("since", SINCE), *([RAW_TERM] if raw else []), *terms_of(rows)]
    table = answer_table(rows, shown_headings(HEADINGS, raw=raw), MAY_GO)
    return page(title_of(answer), table, legend(terms), *start_in_words(answer))


def _row(line: dict[str, Any]) -> dict[str, str | Text]:
    since, middle, reach = line["since"], line["tracked_count"] or 0.0, Z95 * (line["tracked_error"] or 0.0)
    return {
        "item": Text(label(line["item"], 64)),
        "estimate": number(line["estimate"]),
        RAW: number(line["warmup"]),
        "±": number(line["standard_error"]),
        "95 % interval": interval(line["low"], line["high"]),
        "since": in_count(since) if since else "–",
        "95 % since then": interval(middle - reach, middle + reach) if since else "",
        **certainty(None, None, line["may_be_noise"]),
    }
