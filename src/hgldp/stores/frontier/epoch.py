"""One sealed epoch of the frontier: which items were tracked, the hash key of all others, and what was measured."""

import struct
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from operator import attrgetter

import numpy as np
from numpy.typing import NDArray

from hgldp.errors import MalformedState
from hgldp.kernels.frontier import find_cells
from hgldp.model.bulletins import FrontierBulletin
from hgldp.schemes.pfr import PFR
from hgldp.stores.noise import Noise, reading_over
from hgldp.stores.state_frame import StateBody

HEADER = struct.Struct("<QQQHH")
QUARTILES_APART = 1.3489795
Reals = NDArray[np.float64]
Items = NDArray[np.int64]


def epoch_bytes(cells: int, leaves: int) -> int:
    """The most bytes that an epoch takes."""
    return HEADER.size + 8 * leaves + 2 * (cells - leaves)


@dataclass(frozen=True)
class SealedEpoch:
    """Leaves' shares in single precision; search cells' in half precision, less their mean, in units of noise."""

    key: int
    reports: int
    end: int
    leaves: Items
    shares: NDArray[np.float32]
    cells: NDArray[np.float16]
    noise: Noise

    @classmethod
    def of(cls, bulletin: FrontierBulletin, reports: int, end: int, shares: Reals, noise: Noise) -> "SealedEpoch":
        """From the debiased share of every symbol."""
        tracked = len(bulletin.leaves)
        cells = _in_units(_above_background(shares[tracked:]), noise.deviation(reports))
        leaves = np.array(bulletin.leaves, np.int64)
        return cls(bulletin.key, reports, end, leaves, shares[:tracked].astype(np.float32), cells, noise)

    def with_late(self, late: int, shares: Reals) -> "SealedEpoch":
        """The same epoch with late reports added, from the debiased share that every symbol has among them."""
        tracked, centred = shares[: self.leaves.size], _above_background(shares[self.leaves.size :])
        total = self.reports + late
        leaves = (self.shares * self.reports + tracked * late) / total
        cells = _in_units((self.cell_shares * self.reports + centred * late) / total, self.noise.deviation(total))
        return replace(self, reports=total, shares=leaves.astype(np.float32), cells=cells)

    @property
    def symbols(self) -> int:
        """How many cells its bulletin had."""
        return self.leaves.size + self.cells.size

    @cached_property
    def cell_shares(self) -> Reals:
        """What each search cell holds above the background."""
        return self.cells.astype(np.float64) * self.noise.deviation(self.reports)

    @cached_property
    def spread(self) -> float:
        """The variance from cell to cell, by their quartiles, so that a few heavy items do not count as noise."""
        low, high = np.percentile(self.cell_shares, (25, 75))
        return float((high - low) / QUARTILES_APART) ** 2

    @cached_property
    def _sorted(self) -> Items:
        return np.argsort(self.leaves)

    @cached_property
    def _slots(self) -> dict[int, int]:
        return {int(item): slot for slot, item in enumerate(self.leaves)}

    def leaf_share(self, item: int) -> float | None:
        """The share of a tracked item; None for any other."""
        slot = self._slots.get(item)
        return None if slot is None else float(self.shares[slot])

    def of_items(self, items: Items) -> tuple[Reals, NDArray[np.bool_]]:
        """The share of each item, by its leaf or by its search cell, and which of them it was."""
        share = self.cell_shares[self._search_cells(items)]
        tracked = np.zeros(items.size, np.bool_)
        if self.leaves.size:
            places = self._sorted[
                np.searchsorted(self.leaves, items, sorter=self._sorted).clip(max=self.leaves.size - 1)
            ]
            tracked = self.leaves[places] == items
            share[tracked] = self.shares[places[tracked]]
        return share, tracked

    def _search_cells(self, items: Items) -> Items:
        found = np.empty(items.size, np.int64)
        find_cells(np.uint64(self.key), np.uint64(self.cells.size), items, found)
        return found

    @classmethod
    def read(cls, body: StateBody, scheme: PFR) -> "SealedEpoch":
        """The next epoch of a state, as `serialize` wrote it."""
        key, reports, end, tracked, searched = body.record(HEADER)
        if reports < 1 or end < 1 or searched < 1:
            raise MalformedState("frontier must hold epochs of at least one report and one search cell")
        leaves = body.array("<i4", tracked).astype(np.int64)
        shares = body.array("<f4", tracked).astype(np.float32)
        cells = body.array("<f2", searched).astype(np.float16)
        if len(set(leaves.tolist())) != tracked or ((leaves < 0) | (leaves >= scheme.domain_size)).any():
            raise MalformedState("frontier must track distinct items of its domain")
        if not (np.isfinite(shares).all() and np.isfinite(cells).all()):
            raise MalformedState("frontier must hold finite shares")
        noise = reading_over(scheme, tracked + searched).noise
        return cls(key, reports, end, leaves, shares, cells, noise)

    def serialize(self) -> bytes:
        """Fixed-width fields."""
        head = HEADER.pack(self.key, self.reports, self.end, self.leaves.size, self.cells.size)
        return head + self.leaves.astype("<i4").tobytes() + self.shares.astype("<f4").tobytes() + self.cells.tobytes()


def cell_variance(epochs: Sequence[SealedEpoch]) -> Reals:
    """The variance of each epoch's search cells, at least the noise of the widest epoch.

    Otherwise the past would outweigh a change: a frontier that was narrow before it, with hardly any noise, would be
    sure that the newcomers are not there.
    """
    widest = max((epoch.noise for epoch in epochs), key=attrgetter("variance"), default=None)
    return np.array([max(epoch.spread, widest.deviation(epoch.reports) ** 2) for epoch in epochs if widest])


def _above_background(search: Reals) -> Reals:
    return np.asarray((search - search.mean()) * (search.size / max(1, search.size - 1)), np.float64)


def _in_units(shares: Reals, unit: float) -> NDArray[np.float16]:
    return np.clip(shares / unit, -60_000, 60_000).astype(np.float16)
