"""`hgldp top`: what a task found, as a table; with --watch it stays and follows."""

import sys
import time
from argparse import Namespace
from collections.abc import Iterator
from math import inf
from typing import Any

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.text import Text

from hgldp.cli.answer_table import (
    NOTHING_YET,
    answer_table,
    certainty,
    how_long_strings_take,
    no_clear_top,
    terms_of,
)
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
from hgldp.cli.commands.top.distribution import show_distribution
from hgldp.cli.output import write_data, write_json
from hgldp.cli.service import Service, Turned, Unreachable
from hgldp.cli.tasks import fetch_task, find_task
from hgldp.cli.terminal import Legend, page, show
from hgldp.cli.units import label
from hgldp.errors import InvalidField
from hgldp.model.domain import StringDomain
from hgldp.model.estimate import LIKELY, RAW
from hgldp.model.rules import FrontierRules
from hgldp.schemes.open_pfr import EPOCHS_TO_SPELL, OpenPFR, first_epoch
from hgldp.wire import api

TEMPORARY = (429, 503)
CHANGES = ("▲▼", "change of rank since the last full epoch began; new: was not in the list then")
FIRST_COMPARED = 2
HEADINGS = ("rank", LIKELY, "", "item", "estimate", RAW, "±", "95 % interval")


def run(chosen: Namespace) -> int:
    """Ask once, or again and again until Ctrl-C."""
    task = task_given(chosen)
    if chosen.watch and (chosen.json or chosen.csv):
        raise InvalidField("--watch", f"must be left out with --{'json' if chosen.json else 'csv'}", "both")
    if not 0 < chosen.every < inf:
        raise InvalidField("--every", "must be a number of seconds above 0", chosen.every)
    service = Service(chosen.url, chosen.token)
    task_id = find_task(service, task)
    if chosen.distribution:
        show_distribution(service, task_id, chosen)
        return 0
    path = api.TOP.format(id=task_id)
    if chosen.csv:
        lines = service.fetch(path, k=chosen.k, window=chosen.window, format="csv")
        write_data(lines.decode(errors="replace"))
        return 0
    answer = service.get(path, k=chosen.k, window=chosen.window)
    if chosen.json:
        write_json(answer)
    elif chosen.watch:
        _watch(service, task_id, chosen, answer)
    else:
        show(table_of(answer, how_long(service, task_id, answer)))
    return 0


def _watch(service: Service, task_id: str, chosen: Namespace, answer: dict[str, Any]) -> None:
    """A terminal shows one table that changes; a pipe or a file gets one after the other, each as it comes."""
    looks = _looks(service, task_id, chosen, answer)
    if not sys.stdout.isatty():
        for shown in looks:
            show(shown)
    with Live(next(looks), console=Console(), auto_refresh=False, screen=False) as live:
        for shown in looks:
            live.update(shown, refresh=True)


def _looks(service: Service, task_id: str, chosen: Namespace, answer: dict[str, Any]) -> Iterator[RenderableType]:
    """What there is to see, again and again."""
    shown: RenderableType = table_of(answer, how_long(service, task_id, answer))
    while True:
        yield shown
        time.sleep(chosen.every)
        try:
            answer = service.get(api.TOP.format(id=task_id), k=chosen.k, window=chosen.window)
            shown = table_of(answer, how_long(service, task_id, answer))
        except Unreachable as trouble:
            shown = _with_trouble(answer, str(trouble))
        except Turned as trouble:
            if trouble.status not in TEMPORARY:
                raise
            shown = _with_trouble(answer, str(trouble))


def _with_trouble(answer: dict[str, Any], trouble: str) -> Group:
    return Group(table_of(answer), Text(f"{trouble}; trying again", style="bold red"))


def how_long(service: Service, task_id: str, answer: dict[str, Any]) -> str:
    """About how many reports it takes, if nothing was found yet among strings that nobody listed; else empty."""
    if answer["top"] or why_nothing(answer):
        return ""
    try:
        task = fetch_task(service, task_id)
    except (Turned, Unreachable):
        return ""  # the answer itself is there, and this is only a remark
    if not isinstance(task.domain, StringDomain) or task.hints is not None:
        return ""
    rules, mechanism = task.rules_as(FrontierRules), OpenPFR.of(task).mechanism
    return how_long_strings_take(
        answer["reports"], first_epoch(mechanism, rules.epoch), EPOCHS_TO_SPELL[rules.spelling]
    )


def table_of(answer: dict[str, Any], how_long: str = "", new: int | None = None) -> Group:
    """Rank, change, item, estimate and interval; or why there are none, and how long it takes.

    `new` is how many of the reports its epoch brought, if that is known.
    """
    title, nothing = title_of(answer, new), why_nothing(answer)
    if nothing:
        return page(title, Text(nothing, style="dim"))
    if not answer["top"]:
        return page(title, Text(f"{NOTHING_YET} {how_long}".rstrip(), style="dim"))
    warning, raw = [no_clear_top()] if answer.get("clear_top") is False else [], has_raw(answer["top"])
    compared = answer["epoch"] >= FIRST_COMPARED and answer["window"] is None
    rows = [_row(line, compared=compared) for line in answer["top"]]
    moved = any(row[""] for row in rows)
    terms = [*weight_of(answer), ONE_ERROR, *([CHANGES] if moved else []), *([RAW_TERM] if raw else [])]
    headings = [name for name in shown_headings(HEADINGS, raw=raw) if name or moved]
    table = answer_table(rows, headings, ("±",))
    return page(title, *warning, table, Legend(table, [*terms, *terms_of(rows)]), *basis_of(answer))


def _row(line: dict[str, Any], *, compared: bool) -> dict[str, str | Text]:
    """Ranks are compared with those of the epoch before the last one: until it ended, nothing is new."""
    return {
        "rank": label(line["rank"]),
        "": _change(line["rank_change"]) if compared and not line.get("may_be_noise") else Text(""),
        "item": Text(label(line["item"], 64)),
        **number_cells(line),
        **certainty(_rank(line, "rank_low"), _rank(line, "rank_high"), line.get("may_be_noise")),
    }


def _rank(line: dict[str, Any], name: str) -> int | None:
    """As a collector says it; an older one does not."""
    found = line.get(name)
    return found if isinstance(found, int) else None


def _change(places: int | None) -> Text:
    if places is None:
        return Text("new", style="cyan")
    if places == 0:
        return Text("")
    return Text(f"▲{places}", style="green") if places > 0 else Text(f"▼{-places}", style="red")
