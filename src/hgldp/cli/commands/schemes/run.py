"""`hgldp schemes`: what every scheme and mechanism promises, and its numbers."""

from argparse import Namespace
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from typing import Any

from rich.console import Group
from rich.table import Table
from rich.text import Text

from hgldp.cli.commands.schemes.guarantee import Guarantee, read_guarantee
from hgldp.cli.output import write_json
from hgldp.cli.terminal import legend, open_table, page, show
from hgldp.cli.units import in_bytes, in_count, in_figures
from hgldp.cli.values import parse_number
from hgldp.errors import InvalidField
from hgldp.mechanisms.base import Mechanism
from hgldp.mechanisms.registry import MECHANISMS
from hgldp.model.budget import Budget
from hgldp.model.bulletins import FrontierBulletin
from hgldp.model.domain import RangeDomain, check_size
from hgldp.model.forgery import rounded_up
from hgldp.model.frontier_size import MOST_FRONTIER_CELLS, default_memory
from hgldp.model.reports import symbol_bytes
from hgldp.model.rules import default_cells
from hgldp.model.task import Task
from hgldp.model.validate import check_whole
from hgldp.schemes.pfr import PFR
from hgldp.schemes.registry import hot_lists
from hgldp.simulation.run import Plan
from hgldp.stores.histogram import HEADER, NARROW
from hgldp.tracker.hot_list import HotListFamily

LEGEND = (
    ("variance", "how much a report about another item adds to the variance of an item's count"),
    ("leverage", "how many honest reports one forged report counts for"),
    (
        "worth",
        "how many it adds at most to a published count, which may be scaled up; apart from chance",
    ),
    ("report", "bytes of the symbol; an upload of one report is 64 bytes"),
    ("state", "bytes that the server keeps; a mechanism has one counter for each possible item"),
    ("W/S", "how much more likely the true symbol is than any other: two whole numbers, so that it is exact"),
    ("d, M, ⊥", "possible items, cells of the hot list, and the symbol of all items that have no cell"),
)


@dataclass(frozen=True)
class Entry:
    """One scheme or mechanism under given settings; a scheme has other numbers while it looks for newcomers.

    A mechanism that cannot be built for the domain has no numbers.
    """

    name: str
    kind: str
    regime: str
    variance: float | None
    leverage: float | None
    worth_of_forgery: float | None
    report_bytes: int | None
    state_bytes: int | None
    guarantee: Guarantee


def run(chosen: Namespace) -> int:
    """Print the numbers of all, then the promise of each."""
    budget, domain = Budget(parse_number("epsilon", chosen.epsilon)), RangeDomain(check_size(chosen.domain, "domain"))
    if check_whole("k", chosen.k, 1) >= domain.size:
        raise InvalidField("k", f"must be below the {domain.size} items of the domain", chosen.k)
    cells = default_cells(chosen.k, domain.size) if chosen.cells is None else check_whole("cells", chosen.cells, 1)
    tasks = [Task(name, budget, domain, chosen.k, cells=cells) for name in hot_lists()]
    entries = [entry for task in tasks for entry in _of_scheme(task)]
    asked = Plan(PFR.name, float(budget.epsilon), chosen.k, cells)
    fitting = asked if asked.fits(domain.size) else replace(asked, cells=None)
    frontier = min(fitting.cells_for(domain.size), MOST_FRONTIER_CELLS)
    entries.append(_of_frontier(domain.size, frontier, budget))
    entries += [_of_mechanism(mechanism, domain.size, budget) for mechanism in MECHANISMS.values()]
    epsilon = float(budget.epsilon)
    if chosen.json:
        setting = {"epsilon": epsilon, "k": chosen.k, "cells": cells, "domain_size": domain.size}
        own = {PFR.name: {"cells": frontier}}
        write_json([setting | own.get(entry.name, {}) | asdict(entry) for entry in entries])
    else:
        told = f"{cells} cells" if frontier == cells else f"{cells} cells (pfr: {frontier})"
        title = f"ε = {epsilon:g} · {in_count(domain.size)} possible items · {told} to find the top {chosen.k}"
        show(_page(title, entries))
    return 0


def _of_scheme(task: Task) -> Iterator[Entry]:
    """The quiet regime, and the nominating one if it differs."""
    with _must_fit(task.scheme, task.domain_size):
        family = HotListFamily.start(task, seed=0, warmup=())
    scheme, state_bytes = family.scheme, len(family.serialize())
    promise, seen = read_guarantee(type(scheme)), None
    for nominating, regime in ((False, "always"), (True, "nominating")):
        bulletin = replace(family.published(), nominating=nominating)
        reading = scheme.reading(bulletin)
        worth, width = scheme.worth_of_forgery(bulletin), symbol_bytes(scheme.symbol_limit(bulletin))
        numbers = (reading.variance, reading.leverage, worth, width)
        if numbers != seen:
            yield Entry(scheme.name, "scheme", regime, *numbers, state_bytes, promise)
        seen = numbers


def _of_frontier(size: int, cells: int, budget: Budget) -> Entry:
    """PFR has its own memory setting, and its own number of cells unless enough were asked for."""
    scheme = PFR(size, cells, budget.per_report)
    mechanism, memory = scheme.mechanism, default_memory(cells)
    worth = scheme.worth_of_forgery(FrontierBulletin(bytes(32), 0, size, cells, 0, ()))
    numbers = (mechanism.variance, mechanism.leverage, worth, scheme.report_bytes, memory)
    return Entry(scheme.name, "scheme", "always", *numbers, read_guarantee(PFR))


def _build(mechanism: type[Mechanism[Any]], size: int, budget: Budget) -> Mechanism[Any] | None:
    try:
        with _must_fit(mechanism.name, size):
            return mechanism(size, budget.per_report)
    except InvalidField as refusal:
        if refusal.field == "size":
            return None
        raise


@contextmanager
def _must_fit(name: str, size: int) -> Iterator[None]:
    """Name the domain, which was typed, and not the sum of weights that became too large."""
    try:
        yield
    except InvalidField as refusal:
        if refusal.field != "size and epsilon":
            raise
        rule = f"must be smaller for {name}, whose weights must add up to at most 2^63"
        raise InvalidField("domain", rule, size) from None


def _of_mechanism(kind: type[Mechanism[Any]], size: int, budget: Budget) -> Entry:
    """The size of its histogram is computed, not measured: it may be too large for this machine."""
    mechanism, promise = _build(kind, size, budget), read_guarantee(kind)
    if mechanism is None:
        return Entry(kind.name, "mechanism", "always", None, None, None, None, None, promise)
    state_bytes = HEADER.size + NARROW * mechanism.counters
    counted = mechanism.leverage
    numbers = (mechanism.variance, counted, counted, mechanism.report_bytes, state_bytes)
    return Entry(mechanism.name, "mechanism", "always", *numbers, promise)


def _page(title: str, entries: Sequence[Entry]) -> Group:
    table = open_table()
    table.add_column("name", no_wrap=True)
    for heading in ("variance", "leverage", "worth", "report", "state"):
        table.add_column(heading, justify="right", no_wrap=True)
    kind = entries[0].kind
    promises: list[Table] = []
    for entry in entries:
        if entry.kind != kind:
            table.add_section()
            kind = entry.kind
        name = entry.name if entry.regime == "always" else "  while nominating"
        most = [None if each is None else rounded_up(each) for each in (entry.leverage, entry.worth_of_forgery)]
        figures = ["–" if number is None else in_figures(number) for number in (entry.variance, *most)]
        sizes = ["–" if size is None else in_bytes(size) for size in (entry.report_bytes, entry.state_bytes)]
        table.add_row(name, *figures, *sizes)
        if entry.regime == "always":
            promises.append(_promise(entry))
    return page(title, table, legend(LEGEND), *promises)


def _promise(entry: Entry) -> Table:
    promise, grid = entry.guarantee, Table.grid(padding=(0, 2))
    grid.add_row(Text(entry.name, style="bold"), Text(promise.summary))
    for term in ("privacy", "report_bytes", "memory", "error"):
        grid.add_row(Text(f"  {term.replace('_', ' ')}", style="dim"), Text(getattr(promise, term)))
    return grid
