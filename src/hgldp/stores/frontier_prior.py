"""A warm-up as a first observation: its best items by count, and what is left for everybody else."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hgldp.errors import InvalidField

DRIFT = 0.2
Reals = NDArray[np.float64]
Items = NDArray[np.int64]


@dataclass(frozen=True)
class Prior:
    """Counts of the most frequent warm-up items; any other item had at most the least of these."""

    size: int
    items: Items
    counts: Items
    ceiling: int
    most_bytes: int

    @classmethod
    def of(cls, warmup: Sequence[int] | Items, kept: int, domain_size: int) -> "Prior":
        """Count exactly, keep the best."""
        found, counts = np.unique(np.asarray(warmup, np.int64), return_counts=True)
        if found.size and not (found[0] >= 0 and found[-1] < domain_size):
            raise InvalidField("warmup", f"must hold items below {domain_size}", "one outside (withheld)")
        best = np.lexsort((found, -counts))[:kept]
        ceiling = int(counts[best[-1]]) if found.size > kept else 0
        most = 16 + (8 * kept if found.size else 0)
        return cls(len(warmup), found[best], counts[best], ceiling, most)

    def best(self, most: int) -> Items:
        """The most frequent items."""
        return self.items[:most]

    def count(self, item: int) -> int:
        """What the warm-up counted, if it is kept."""
        place = np.flatnonzero(self.items == item)
        return int(self.counts[place[0]]) if place.size else 0

    def of_items(self, items: Items) -> tuple[Reals, Reals]:
        """Share and precision for each item: variance (c + 1)/n² for chance, and a fifth of the share for drift."""
        counts = np.full(items.size, self.ceiling / 2)
        order = np.argsort(self.items)
        places = np.searchsorted(self.items[order], items).clip(0, max(0, self.items.size - 1))
        kept = self.items[order][places] == items
        counts[kept] = self.counts[order][places[kept]]
        share = counts / self.size
        ceilings = np.where(kept, counts, self.ceiling)
        return share, 1.0 / ((ceilings + 1) / self.size**2 + (DRIFT * share) ** 2)

    def serialize(self) -> bytes:
        """Fixed-width fields."""
        head = np.array([self.size, self.ceiling], "<i8").tobytes()
        return head + self.items.astype("<i4").tobytes() + self.counts.astype("<i4").tobytes()
