"""A warm-up as a first observation: its most frequent items with their counts, and a bound for all others."""

import struct
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hgldp.errors import MalformedState
from hgldp.model.estimate import Estimate
from hgldp.stores.integers import Integers, most_frequent
from hgldp.stores.state_frame import StateBody

DRIFT, TINY = 0.2, 1e-9
HEADER = struct.Struct("<QQI")
Reals = NDArray[np.float64]
Items = NDArray[np.int64]


@dataclass(frozen=True)
class WarmUp:
    """Counts of the most frequent warm-up items; any other item had at most the least of these."""

    size: int
    items: Items
    counts: Items
    ceiling: int

    @classmethod
    def of(cls, warmup: Integers, kept: int, domain_size: int) -> "WarmUp":
        """Count exactly, keep the best."""
        warm = most_frequent("warmup", warmup, kept, domain_size)
        return cls(warm.total, warm.items, warm.counts, int(warm.counts[-1]) if warm.others else 0)

    def best(self, most: int) -> Items:
        """The most frequent items."""
        return self.items[:most]

    def counts_of(self, items: Items) -> Items:
        """What the warm-up counted of each item; 0 where that is not kept."""
        if not self.items.size:
            return np.zeros(items.size, np.int64)
        order = np.argsort(self.items)
        places = order[np.searchsorted(self.items[order], items).clip(max=self.items.size - 1)]
        return np.where(self.items[places] == items, self.counts[places], 0)

    def lines(self, items: Items) -> tuple[Estimate, ...]:
        """What it says by itself, before there are any reports."""
        return tuple(
            Estimate(item, float(count), 0.0, warmup=count, may_be_noise=not count)
            for item, count in zip(items.tolist(), self.counts_of(items).tolist(), strict=True)
        )

    def of_items(self, items: Items) -> tuple[Reals, Reals]:
        """Share and variance for each item: (c + 1)/n² for chance, and a fifth of the share, since a sample may be off.

        An item that is not kept had at most as many events as the last that is.
        """
        counts = self.counts_of(items).astype(np.float64)
        kept = counts > 0
        counts[~kept] = self.ceiling / 2
        share = counts / self.size
        ceilings = np.where(kept, counts, self.ceiling)
        return share, (ceilings + 1) / self.size**2 + (DRIFT * share) ** 2

    def by_luck(self, items: Items, domain_size: int) -> Reals:
        """The variance of each share as far as luck goes: how surprising so many events are for an ordinary item.

        Five events are no luck where 0.05 are expected, though their number is known to 45 % only.
        """
        share, variance = self.of_items(items)
        count, usual = np.maximum(share * self.size, TINY), self.size / domain_size
        surprise = 2 * (count * np.log(count / usual) - count + usual)
        kept = np.isin(items, self.items) & (count > usual)
        return np.where(kept, np.minimum(share**2 / np.maximum(surprise, TINY), variance), variance)

    @property
    def most_bytes(self) -> int:
        """What it takes of the memory."""
        return HEADER.size + 8 * self.items.size

    def serialize(self) -> bytes:
        """Fixed-width fields."""
        head = HEADER.pack(self.size, self.ceiling, self.items.size)
        return head + self.items.astype("<i4").tobytes() + self.counts.astype("<i4").tobytes()

    @classmethod
    def read(cls, body: StateBody, domain_size: int) -> "WarmUp":
        """The warm-up of a state, as `serialize` wrote it."""
        size, ceiling, kept = body.record(HEADER)
        items = body.array("<i4", kept).astype(np.int64)
        counts = body.array("<i4", kept).astype(np.int64)
        distinct = len(set(items.tolist())) == kept and not ((items < 0) | (items >= domain_size)).any()
        if not distinct or (counts < 1).any() or counts.sum() > size or (kept == 0) != (size == 0):
            raise MalformedState("frontier must have a warm-up of distinct items that were counted")
        return cls(size, items, counts, ceiling)
