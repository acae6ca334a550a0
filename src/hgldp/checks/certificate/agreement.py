"""Whether a law says what a scheme's channel says, item by item and symbol by symbol, over a small domain.

`hgldp check` proves that clients draw from the channel. So a law that agrees with it is the law of what clients send.
"""

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction

from hgldp.checks.certificate.certificate import laws_of
from hgldp.checks.certificate.frontiers import CELL, RESIDUE, CyclicLaw, laws_of_pfr, laws_of_strings
from hgldp.checks.certificate.hot_lists import ANY_ITEM, COLD, COLD_ITEM, HOT_ITEM, NAME, NOMINATING, QUIET, SLOT
from hgldp.checks.certificate.law import Law, Weights, weights
from hgldp.model.bulletins import Bulletin, FrontierBulletin
from hgldp.schemes.base import Scheme
from hgldp.schemes.bgr import BGR
from hgldp.schemes.hinted_pfr import HintedPFR
from hgldp.schemes.hot_list import HotListScheme
from hgldp.schemes.open_pfr import OpenPFR
from hgldp.schemes.pfr import LEAST_CELLS, PFR

Row = Mapping[int, Fraction]


def disagreements(scheme: Scheme) -> list[str]:
    """A sentence for each law of a scheme that is not the channel's under some bulletin; the domain must be small.

    >>> disagreements(BGR(domain_size=5, cells=2, epsilon=1.0))
    []
    """
    if isinstance(scheme, HotListScheme):
        return list(_of_hot_lists(scheme))
    if isinstance(scheme, PFR):
        return list(_of_frontiers(scheme))
    if isinstance(scheme, OpenPFR | HintedPFR):
        (law,) = laws_of_strings(scheme)
        return list(_of_cells(law, scheme.mechanism.channel(), scheme.symbols))
    return []


def _of_hot_lists(scheme: HotListScheme) -> Iterator[str]:
    hot = tuple(range(scheme.domain_size - 1, scheme.domain_size - 1 - scheme.cells, -1))
    for law, nominating in ((law, nominating) for law in laws_of(scheme) for nominating in (False, True)):
        if law.bulletin == (QUIET if nominating else NOMINATING):
            continue
        bulletin = Bulletin(bytes(32), 0, scheme.domain_size, hot, nominating)
        rows = dict(enumerate(scheme.channel(bulletin)))
        at = {symbol: _kind_of_symbol(scheme, symbol) for row in rows.values() for symbol in row}
        kinds = (ANY_ITEM, ANY_ITEM) if isinstance(scheme, BGR) else (HOT_ITEM, COLD_ITEM)
        who = {item: kinds[item not in hot] for item in rows}
        yield from _compared(law, rows, at, who, f"{scheme!r}, {law.bulletin}, nominating: {nominating}")


def _kind_of_symbol(scheme: HotListScheme, symbol: int) -> str:
    if symbol >= scheme.first_name:
        return NAME
    return COLD if symbol == scheme.cold else SLOT


def _compared(
    law: Law, rows: Mapping[int, Row], at: Mapping[int, str], who: Mapping[int, str], where: str
) -> Iterator[str]:
    """Every row is that of its kind of item, and every symbol spends what its kind spends."""
    if set(at.values()) != set(law.symbols) or set(who.values()) != set(law.items):
        yield f"{where}: the kinds are not those of the law"
        return
    for item, row in rows.items():
        found = {name: _weights(law.total, _chances(row, at, name)) for name in law.symbols}
        if found != law.items[who[item]]:
            yield f"{where}: item {item} has another row than a {who[item]} one"
    for symbol, name in at.items():
        column = [row.get(symbol, Fraction(0)) for row in rows.values()]
        if max(column) != min(column) * law.ratio(name):
            yield f"{where}: symbol {symbol} does not spend what a {name} spends"


def _of_frontiers(scheme: PFR) -> Iterator[str]:
    """Each number of cells, without a leaf and with some, under the law that covers it."""
    for cells in range(LEAST_CELLS, scheme.cells + 1):
        covering = [law for law in laws_of_pfr(scheme) if law.covers(cells)]
        if len(covering) != 1:
            yield f"{scheme!r}: {len(covering)} laws cover {cells} cells"
            continue
        for leaves in ((), (3, 0)):
            bulletin = FrontierBulletin(bytes(32), 0, scheme.domain_size, cells, 99, leaves)
            yield from _of_cells(covering[0], scheme.channel(bulletin), cells)


def _of_cells(law: CyclicLaw, rows: Iterable[Row], cells: int) -> Iterator[str]:
    """Each row is that of the law; with the set {0}, each cell fewer takes a residue and a weight S with it."""
    (own, *others), total, fewer = law.items[CELL][RESIDUE], law.total, 0
    if own[1] == 1:
        fewer = law.cells[1] - cells
        total -= fewer * others[0][0]
    right = weights(own, *((weight, times - fewer) for weight, times in others))
    if any(_weights(total, row.values()) != right for row in rows):
        yield f"{law.bulletin} with {cells} cells: a row is not that of a {CELL}"


def _chances(row: Row, at: Mapping[int, str], name: str) -> Iterable[Fraction]:
    return (chance for symbol, chance in row.items() if at[symbol] == name)


def _weights(total: int, chances: Iterable[Fraction]) -> Weights | None:
    """Chances as weights of this total; None if they are no whole numbers."""
    found = [chance * total for chance in chances]
    return weights(*((int(each), 1) for each in found)) if all(each.denominator == 1 for each in found) else None
