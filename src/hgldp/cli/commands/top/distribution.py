"""`hgldp top --distribution`: how many items have a share in each decade, as a table with bars."""

from argparse import Namespace
from math import log10
from typing import Any

from rich.console import Group
from rich.text import Text

from hgldp.cli.collector_answer import basis_of, title_of, why_nothing
from hgldp.cli.output import write_data, write_json
from hgldp.cli.service import Service
from hgldp.cli.terminal import legend, open_table, page, show
from hgldp.errors import InvalidField
from hgldp.model.distribution import Decade, Distribution
from hgldp.wire import api

LONGEST_BAR = 24


def show_distribution(service: Service, task_id: str, chosen: Namespace) -> None:
    """Once: it changes slowly."""
    for option in ("k", "watch"):
        if getattr(chosen, option):
            raise InvalidField(f"--{option}", "must be left out with --distribution", getattr(chosen, option))
    path = api.DISTRIBUTION.format(id=task_id)
    if chosen.csv:
        write_data(service.fetch(path, window=chosen.window, format="csv").decode(errors="replace"))
        return
    answer = service.get(path, window=chosen.window)
    if chosen.json:
        write_json(answer)
    else:
        show(table_of(answer))


def table_of(answer: dict[str, Any]) -> Group:
    """The decades from the top; or why there are none."""
    title, nothing = title_of(answer), why_nothing(answer)
    if nothing:
        return page(title, Text(nothing, style="dim"))
    return page(title, *parts_of(read(answer)), *basis_of(answer))


def read(answer: dict[str, Any]) -> Distribution:
    """The answer of a collector."""
    told = tuple(
        Decade(
            each["low"],
            each["items"],
            (each["items_low"], each["items_high"]),
            each["share"],
            (each["share_low"], each["share_high"]),
        )
        for each in answer["decades"]
    )
    rest = answer["below"]
    size = round(rest["items"] + sum(each["items"] for each in answer["decades"]))
    return Distribution(told, answer["covered"], size, rest["share"], (rest["share_low"], rest["share_high"]))


def parts_of(found: Distribution) -> list[Any]:
    """A table with a bar for each decade on a scale of logarithms, and what it means."""
    if not found.decades:
        return [Text(found.limit, style="dim")]
    table = open_table()
    for heading in (*found.HEADINGS, ""):
        table.add_column(heading, justify="left" if heading in {found.HEADINGS[0], ""} else "right", no_wrap=True)
    numbers = [*(each.items for each in found.decades), found.rest_items[0]]
    longest = log10(1 + max(numbers)) or 1.0
    for row, number in zip(found.rows, numbers, strict=True):
        bar = "█" * round(LONGEST_BAR * log10(1 + number) / longest)
        table.add_row(*row, Text(bar, style="cyan"))
    terms = [
        ("items", "how many have such a share of all that is counted; noise is taken out"),
        ("hold together", "their part of all that is counted, with its 95 % interval"),
    ]
    return [table, Text(found.limit), legend(terms)]
