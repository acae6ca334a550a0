"""What an open frontier knows about any string: by its own cell, or by the narrowest cell that holds it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from math import log

from hgldp.model.bulletins import Cell
from hgldp.model.estimate import Z95, Estimate
from hgldp.stores.strings.search import Measured
from hgldp.stores.strings.store import OpenFrontier

REACH = 4.0


def ask(store: OpenFrontier, codes: Sequence[bytes]) -> tuple[Estimate, ...]:
    """A line for each code, in this order; `item` is its place. A string that was found has the line of the top."""
    found, cells = dict(store.estimates(store.most_hot)), store.hot | store.tips
    by_prefix: dict[bytes, list[Cell]] = {}
    for cell in sorted(cells, key=lambda each: each.high - each.low):
        by_prefix.setdefault(cell.prefix, []).append(cell)
    lines = []
    for place, code in enumerate(codes):
        line = found.get(store.domain.string(code[:-1])) or _unfound(store, cells, _holding(by_prefix, code))
        lines.append(replace(line, item=place))
    return tuple(lines)


def _holding(by_prefix: Mapping[bytes, list[Cell]], code: bytes) -> Iterator[Cell]:
    """The cells that hold a code, the narrowest first, as a client finds its own."""
    for length in range(len(code) - 1, -1, -1):
        yield from (cell for cell in by_prefix.get(code[:length], ()) if cell.holds(code))


def _unfound(store: OpenFrontier, cells: Mapping[Cell, Measured], holding: Iterator[Cell]) -> Estimate:
    """By the narrowest cell that any report has measured; one that was cut just now has none yet."""
    cell = next((cell for cell in holding if cells[cell].since), None)
    known = Measured() if cell is None else cells[cell]
    if cell is not None and cell.is_leaf:
        count, error = store.reports * known.share, store.reports * known.deviation
        tracked = known.since * known.share, known.since * known.deviation, known.since
        return Estimate(0, count, error, *tracked, may_be_noise=count <= REACH * error)
    return _at_most(store, known)


def _at_most(store: OpenFrontier, known: Measured) -> Estimate:
    """One of very many strings in a cell: 0 on average, and at most all that the cell holds.

    That is measured for the last `since` reports only. In those before, the string may have been anything: clients
    named other cells then, and those are gone.
    """
    share = min(1.0, max(0.0, known.share + Z95 * known.deviation))
    measured = min(1.0, known.weight / _weight_of_all(store)) if known.since else 0.0
    most, lately = store.reports * (measured * share + 1 - measured), known.since * share
    half, half_lately = most / (2 * Z95), lately / (2 * Z95)
    return Estimate(0, 0.0, half, lately / 2, half_lately, known.since, bounds=(0.0, most), may_be_noise=True)


def _weight_of_all(store: OpenFrontier) -> float:
    """What the reports so far would weigh in a cell that was always there."""
    if not store.half_life:
        return float(store.reports)
    return float(store.half_life / log(2) * (1 - 2.0 ** (-store.reports / store.half_life)))
