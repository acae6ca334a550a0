"""Your own scheme, from outside the package: every second report looks at the whole domain.

Like dsr, but the coin that sends a report to the whole domain is fair and is tossed in every epoch, so newcomers are
found sooner and tracked items are counted with more noise. `hgldp.register` makes it known:

    import halves                                   # registers the scheme
    from hgldp import Task, simulate
    task = Task("halves", epsilon=2.0, domain=range(100), k=5)
    simulate(my_stream, "halves", epsilon=2.0)

Installed with the entry point in pyproject.toml beside this file, the command finds it by itself:

    hgldp check --scheme halves
    hgldp simulate normal:n=20000,d=100,sigma=5 --scheme halves --epsilon 2 --k 5
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import ClassVar

from hgldp import HotListScheme, Reading, register
from hgldp.mechanisms.grr import GRR
from hgldp.model.bulletins import AnyBulletin, Bulletin
from hgldp.model.randomness import Words
from hgldp.schemes.base import Row

HALF = Fraction(1, 2)


@dataclass(frozen=True)
class Halves(HotListScheme):
    """A public fair coin chooses between GRR over the cells and ⊥, and GRR over the domain.

    Privacy: exactly W/S ≤ e^ε per report; the coin does not depend on the item.
    Report bytes: the bytes of a cell or an item.
    Memory: cells and light cells, whatever the domain and the stream.
    Error: about twice the variance of dsr, since only every second report counts for the cells.
    """

    name: ClassVar[str] = "halves"

    @cached_property
    def reduced(self) -> GRR:
        """Over the hot slots and ⊥."""
        return GRR(self.cells + 1, self.epsilon, scale=self.scale)

    @cached_property
    def full(self) -> GRR:
        """Over the domain."""
        return GRR(self.domain_size, self.epsilon, scale=self.scale)

    @property
    def always_nominating(self) -> bool:
        """Every epoch looks for newcomers."""
        return True

    def channel(self, bulletin: Bulletin) -> list[Row]:
        """Half of each row lies on the slots and ⊥, half on the names of all items."""
        reduced, full = self.reduced.channel(), self.full.channel()
        rows = []
        for item in range(self.domain_size):
            slot = bulletin.slot(item)
            row = {symbol: HALF * chance for symbol, chance in reduced[self.cold if slot is None else slot].items()}
            rows.append(row | {self.named(named): HALF * chance for named, chance in full[item].items()})
        return rows

    def randomize(self, item: int, bulletin: AnyBulletin, words: Words) -> int:
        """Toss the coin, then randomise once."""
        slot, _ = self.checked_slot(item, bulletin)
        if words.below(2):
            return self.named(self.full.randomize(item, words))
        return self.reduced.randomize(self.cold if slot is None else slot, words)

    def reading(self, bulletin: Bulletin) -> Reading:
        """Reports that name an item count for no cell."""
        del bulletin
        return Reading.even(HALF * self.reduced.p, HALF * self.reduced.q, self.cells)


def plug_in() -> None:
    """What the entry point calls."""
    register(Halves)


plug_in()
