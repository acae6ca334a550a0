"""One sealed epoch of the frontier: which items were tracked, the hash key of all others, and what was measured."""

import struct
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from hgldp.errors import MalformedState
from hgldp.kernels.frontier import count_untracked, find_cells
from hgldp.kernels.joint import QUARTILES_APART, Seen, locate
from hgldp.model.bulletins import FrontierBulletin
from hgldp.schemes.pfr import PFR
from hgldp.stores.frontier.packing import (
    SHARE_BYTES,
    item_bits,
    pack_items,
    pack_shares,
    unpack_items,
    unpack_shares,
)
from hgldp.stores.frontier.search_cells import SearchCells, cell_bytes
from hgldp.stores.noise import Noise, reading_over
from hgldp.stores.state_frame import StateBody

HEADER = struct.Struct("<QQQHH")
MOST_SPREADS = 4.0
USEFUL_EPOCHS, LEAST_LIMIT, MOST_LOOKS = 64, 16, 1 << 27
Reals = NDArray[np.float64]
Items = NDArray[np.int64]


def epoch_bytes(cells: int, leaves: int, domain_size: int) -> int:
    """The most bytes that an epoch takes."""
    named = (leaves * item_bits(domain_size) + 7) // 8
    return HEADER.size + named + SHARE_BYTES * leaves + cell_bytes(cells - leaves)


def most_epochs(domain_size: int) -> int:
    """How many are kept at most, whatever fits: a seal looks up every item of the domain once for each epoch.

    >>> most_epochs(20_000), most_epochs(5_260_000), most_epochs(100_000_000)
    (64, 25, 16)
    """
    return min(USEFUL_EPOCHS, max(LEAST_LIMIT, MOST_LOOKS // domain_size))


@dataclass(frozen=True)
class SealedEpoch:
    """The share of each leaf in 24 bits, and of each search cell in four: above the mean, in units of noise."""

    key: int
    reports: int
    end: int
    leaves: Items
    shares: Reals
    cells: SearchCells
    noise: Noise

    @classmethod
    def of(cls, bulletin: FrontierBulletin, reports: int, end: int, shares: Reals, noise: Noise) -> "SealedEpoch":
        """From the debiased share of every symbol."""
        tracked = len(bulletin.leaves)
        cells = SearchCells.of(_above_background(shares[tracked:]) / noise.deviation(reports))
        leaves = np.array(bulletin.leaves, np.int64)
        return cls(bulletin.key, reports, end, leaves, unpack_shares(pack_shares(shares[:tracked])), cells, noise)

    def with_late(self, late: int, shares: Reals) -> "SealedEpoch":
        """The same epoch with late reports added, from the debiased share that every symbol has among them."""
        tracked, centred = shares[: self.leaves.size], _above_background(shares[self.leaves.size :])
        total = self.reports + late
        leaves = (self.shares * self.reports + tracked * late) / total
        cells = (self.cell_shares * self.reports + centred * late) / total
        packed = SearchCells.of(cells / self.noise.deviation(total))
        return replace(self, reports=total, shares=unpack_shares(pack_shares(leaves)), cells=packed)

    @property
    def symbols(self) -> int:
        """How many cells its bulletin had."""
        return int(self.leaves.size) + self.width

    @property
    def width(self) -> int:
        """How many search cells it has."""
        return int(self.cells.steps.size)

    @property
    def middle(self) -> float:
        """How many reports lie before its middle."""
        return max(0.0, self.end - self.reports / 2)

    @cached_property
    def cell_shares(self) -> Reals:
        """What each search cell holds above the background."""
        return self.cells.values * self.noise.deviation(self.reports)

    @cached_property
    def spread(self) -> float:
        """The variance from cell to cell, by their quartiles, so that a few heavy items do not count as noise.

        Never less than the noise alone.
        """
        quarter = self.cell_shares.size // 4
        ordered = np.partition(self.cell_shares, (quarter, -1 - quarter))
        between = float(ordered[-1 - quarter] - ordered[quarter])
        return max((between / QUARTILES_APART) ** 2, self.noise.variance / self.reports)

    @cached_property
    def evidence(self) -> Reals:
        """What each search cell says about an item in it: share times precision, at most four standard deviations."""
        return np.asarray(np.minimum(self.cell_shares, MOST_SPREADS * self.spread**0.5) / self.spread)

    @property
    def leaves_above_zero(self) -> Items:
        """The tracked items that may have occurred; the others were tracked by luck alone."""
        return self.leaves[self.shares > 0]

    @cached_property
    def _in_order(self) -> tuple[Items, Reals]:
        """The leaves in the order of the items, and their shares."""
        places = np.argsort(self.leaves)
        return self.leaves[places], self.shares[places]

    def locate(self, items: Items, seen: Seen) -> None:
        """How each item was measured, into one stretch of what was seen."""
        locate(np.uint64(self.key), np.uint64(self.width), *self._in_order, items, seen)

    def search_cells(self, items: Items) -> Items:
        """The search cell of each item."""
        found = np.empty(items.size, np.int64)
        find_cells(np.uint64(self.key), np.uint64(self.width), items, found)
        return found

    def untracked(self, domain_size: int, named: Items) -> Items:
        """How many items of the domain each search cell holds, without the named ones."""
        found = np.zeros(self.width, np.int64)
        count_untracked(np.uint64(self.key), domain_size, named, found)
        return found

    @classmethod
    def read(cls, body: StateBody, scheme: PFR, *, wide: bool = False) -> "SealedEpoch":
        """The next epoch of a state, as `serialize` wrote it; `wide` if hgldp 0.1 did, in 32 and 16 bits."""
        key, reports, end, tracked, searched = body.record(HEADER)
        if reports < 1 or end < 1 or searched < 1:
            raise MalformedState("frontier must hold epochs of at least one report and one search cell")
        if wide:
            leaves = body.array("<i4", tracked).astype(np.int64)
            shares = body.array("<f4", tracked).astype(np.float64)
            values = body.array("<f2", searched).astype(np.float64)
            cells = SearchCells.of(values) if np.isfinite(values).all() else None
        else:
            bits = item_bits(scheme.domain_size)
            leaves = unpack_items(body.array("<u1", (tracked * bits + 7) // 8), tracked, bits)
            shares = unpack_shares(body.array("<u1", SHARE_BYTES * tracked))
            cells = SearchCells.read(body, searched)
        if len(set(leaves.tolist())) != tracked or ((leaves < 0) | (leaves >= scheme.domain_size)).any():
            raise MalformedState("frontier must track distinct items of its domain")
        if cells is None or not np.isfinite(shares).all():
            raise MalformedState("frontier must hold finite shares")
        noise = reading_over(scheme, tracked + searched).noise
        return cls(key, reports, end, leaves, unpack_shares(pack_shares(shares)), cells, noise)

    def serialize(self, domain_size: int) -> bytes:
        """A header, then each part in as few bits as it needs."""
        head = HEADER.pack(self.key, self.reports, self.end, self.leaves.size, self.width)
        named = pack_items(self.leaves, item_bits(domain_size))
        return head + named + pack_shares(self.shares).tobytes() + self.cells.serialize()


def placed(epochs: Sequence[SealedEpoch], reports: int) -> list[SealedEpoch]:
    """The epochs one after the other, up to the last of all reports: late ones make their epoch longer.

    Each of them ended when it was sealed; those that came late for it or for an earlier one have moved its end.
    """
    found, end = [], reports
    for epoch in reversed(epochs):
        found.append(epoch if epoch.end == end else replace(epoch, end=end))
        end -= epoch.reports
    return found[::-1]


def too_many(epochs: Sequence[SealedEpoch], capacity: int, largest: tuple[int, int], domain_size: int) -> int:
    """How many of the oldest epochs do not fit. There is room for `capacity` of the `largest`, by its cells and leaves.

    One that hgldp 0.1 wrote may have more leaves than any of ours, and take more room.
    """
    sizes = [epoch_bytes(epoch.symbols, epoch.leaves.size, domain_size) for epoch in epochs]
    room, dropped = capacity * epoch_bytes(*largest, domain_size), 0
    while len(sizes) - dropped > capacity or sum(sizes[dropped:]) > room:
        dropped += 1
    return dropped


def check_reports(epochs: Sequence[SealedEpoch], reports: int) -> None:
    """Refuse epochs that cannot be those of so many reports."""
    if any(epoch.end > reports for epoch in epochs) or reports >> 63:
        raise MalformedState("frontier must not hold epochs that end after its last report")
    if sum(epoch.reports for epoch in epochs) > reports:
        raise MalformedState("frontier must not hold more reports than it counted")


def _above_background(search: Reals) -> Reals:
    return np.asarray((search - search.mean()) * (search.size / max(1, search.size - 1)), np.float64)
