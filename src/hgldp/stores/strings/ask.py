"""What an open frontier knows about any string: by its own cell, or by the narrowest cell that holds it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from hgldp.model.bulletins import Cell
from hgldp.model.estimate import Z95, Estimate
from hgldp.stores.strings.luck import as_measured
from hgldp.stores.strings.measured import Measured
from hgldp.stores.strings.search import STAYS_ABOVE
from hgldp.stores.strings.store import OpenFrontier


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
    """By the narrowest cell. One that was cut just now has no reports yet, and wider ones never had this string."""
    cell = next(holding, None)
    known = Measured() if cell is None else cells[cell]
    if cell is not None and cell.is_leaf:
        return store.whole.line(known, as_measured(known))
    return _at_most(store, known)


def _at_most(store: OpenFrontier, known: Measured) -> Estimate:
    """One of very many strings in a cell: 0 on average, and at most all that the cell holds.

    That is measured for the last `since` reports only. In those before, the string may have been anything: clients
    named other cells then, and those are gone. Even since then a narrower cell may have held it, and been dropped.
    """
    share, measured = min(1.0, max(_most_dropped(store), as_measured(known).high)), store.whole.part(known)
    most, lately = store.reports * (measured * share + 1 - measured), known.since * share
    return Estimate(
        item=0,
        count=0.0,
        standard_error=most / (2 * Z95),
        tracked_count=0.0,
        tracked_error=lately / Z95,  # it has no bounds of its own: its interval is 0 and above, up to Z95 errors
        since=known.since,
        bounds=(0.0, most),
        may_be_noise=True,
    )


def _most_dropped(store: OpenFrontier) -> float:
    """About the largest share of a dropped cell, by the list as it is: a hopeless one, or one that gave way."""
    best = sorted((found.share for found in store.hot.values()), reverse=True)
    hopeless = STAYS_ABOVE * best[store.k - 1] if len(best) >= store.k else 0.0
    return max(hopeless, best[-1] if len(best) >= store.most_hot else 0.0)
