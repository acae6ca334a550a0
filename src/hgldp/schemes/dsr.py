"""DSR: randomise over the hot list and ⊥ only, and look at the whole domain when a newcomer is wanted.

Departs from the paper's algorithms 2 to 4, 12 and 13 where they are wrong (docs/paper-notes.md): a cold item becomes ⊥
*before* it is randomised, and a switch of regime rescales nothing.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import ClassVar

from hgldp.mechanisms.grr import GRR
from hgldp.model.bulletins import AnyBulletin, Bulletin
from hgldp.model.randomness import Words
from hgldp.schemes.base import Row
from hgldp.schemes.hot_list import HotListScheme
from hgldp.schemes.reading import Reading

LOOKOUT = Fraction(1, 10)


@dataclass(frozen=True)
class DSR(HotListScheme):
    """GRR over the cells and ⊥; while nominating, a public coin sends one report in ten to GRR over the domain.

    Privacy: exactly W/S ≤ e^ε per report in both regimes; the coin does not depend on the item.
    Report bytes: 1 up to 255 cells; while nominating, the bytes of a cell or an item.
    Memory: cells and light cells, whatever the domain and the stream.
    Error: variance (M − 1 + e^ε)/(e^ε − 1)² per report for M cells; does not grow with the domain.

    >>> scheme = DSR(domain_size=1000, cells=20, epsilon=1.0)
    >>> quiet = Bulletin(bytes(32), 0, 1000, tuple(range(20)))
    >>> round(scheme.reading(quiet).variance, 2), round(scheme.reading(quiet).leverage)
    (7.36, 13)
    """

    name: ClassVar[str] = "dsr"

    def __post_init__(self) -> None:
        super().__post_init__()
        _ = self.reduced, self.full

    @cached_property
    def reduced(self) -> GRR:
        """GRR over the hot slots and ⊥."""
        return GRR(self.cells + 1, self.epsilon, scale=self.scale)

    @cached_property
    def full(self) -> GRR:
        """GRR over the domain."""
        return GRR(self.domain_size, self.epsilon, scale=self.scale)

    def channel(self, bulletin: Bulletin) -> list[Row]:
        """A mixture of the two channels, on disjoint symbols, while nominating."""
        self.check_bulletin(bulletin)
        reduced, quiet = self.reduced.channel(), 1 - self._lookout(bulletin)
        rows = []
        for item in range(self.domain_size):
            slot = bulletin.slot(item)
            row = {symbol: quiet * chance for symbol, chance in reduced[self.cold if slot is None else slot].items()}
            if bulletin.nominating:
                for named in range(self.domain_size):
                    row[self.named(named)] = LOOKOUT * (self.full.p if named == item else self.full.q)
            rows.append(row)
        return rows

    def randomize(self, item: int, bulletin: AnyBulletin, words: Words) -> int:
        """A cold item becomes ⊥ first; then GRR over the reduced domain."""
        slot, shown = self.checked_slot(item, bulletin)
        if shown.nominating and words.below(LOOKOUT.denominator) < LOOKOUT.numerator:
            return self.named(self.full.randomize(item, words))
        return self.reduced.randomize(self.cold if slot is None else slot, words)

    def reading(self, bulletin: Bulletin) -> Reading:
        """While nominating, only the reports on the reduced domain count, and count for the others too."""
        quiet = 1 - self._lookout(bulletin)
        p, q = quiet * self.reduced.p, quiet * self.reduced.q
        return Reading.even(p, q, self.cells)

    def _lookout(self, bulletin: Bulletin) -> Fraction:
        return LOOKOUT if bulletin.nominating else Fraction(0)
