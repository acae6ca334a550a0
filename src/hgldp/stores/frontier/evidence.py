"""What the retained epochs say about items, added up by precision; and the search for items that they speak for."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hgldp.kernels.frontier import search
from hgldp.stores.frontier.epoch import SealedEpoch, cell_variance
from hgldp.stores.noise import Noise

CAUTION = 1.25
BLOCK = 1 << 16
Reals = NDArray[np.float64]
Items = NDArray[np.int64]


@dataclass(frozen=True)
class Evidence:
    """Σ weight · precision · share, Σ weight · precision and Σ weight² · precision, item by item.

    `tracked`: in how many of the reports the item was a leaf, fewer if they weigh unequally.
    """

    items: Items
    total: Reals
    precision: Reals
    squared: Reals
    tracked: Reals

    def with_sample(self, share: Reals, precision: Reals, weight: float) -> "Evidence":
        """One observation more."""
        total, certainty = self.total + weight * precision * share, self.precision + weight * precision
        return Evidence(self.items, total, certainty, self.squared + weight**2 * precision, self.tracked)

    @property
    def known(self) -> NDArray[np.bool_]:
        """Which items there is any evidence about."""
        return np.asarray(self.precision > 0, np.bool_)

    @property
    def mean(self) -> Reals:
        """Share of the stream; 0 where nothing is known."""
        return np.where(self.known, self.total / self._safe, 0.0)

    @property
    def deviation(self) -> Reals:
        """Its standard deviation; 1 where nothing is known."""
        return np.where(self.known, np.sqrt(self.squared) / self._safe, 1.0)

    @property
    def _safe(self) -> Reals:
        return np.where(self.known, self.precision, 1.0)

    @property
    def order(self) -> NDArray[np.int64]:
        """Best first, by a lower confidence bound; the smaller item first among equals."""
        return np.lexsort((self.items, -(self.mean - CAUTION * self.deviation)))


def gather(epochs: Sequence[SealedEpoch], weights: Reals, items: Items, *, tracked_only: bool = False) -> Evidence:
    """Add up, over the epochs, each item's leaf; or its search cell where it was no leaf, unless `tracked_only`.

    A leaf's epochs weigh by their reports: we want a count, and epochs with fewer cells must not weigh more in it. Nor
    must epochs in which an item did not occur, and so added no noise of its own, weigh more than those in which it did.
    """
    found = [epoch.of_items(items) for epoch in epochs]
    share, spread, tracked = _as_leaf(epochs, weights, found, items.size)
    own, between = _own(share, epochs), cell_variance(epochs)
    total, precision, squared = np.zeros(items.size), np.zeros(items.size), np.zeros(items.size)
    for epoch, weight, variance, (value, led) in zip(epochs, weights, between, found, strict=True):
        cells = 0.0 if tracked_only else 1.0 / np.maximum(variance, own / epoch.reports)
        certainty = weight * np.where(led, epoch.reports / spread, cells)
        total += certainty * value
        precision += certainty
        squared += weight * certainty * np.where(led, epoch.noise.at_each(share) / spread, 1.0)
    return Evidence(items, total, precision, squared, tracked)


def _as_leaf(
    epochs: Sequence[SealedEpoch], weights: Reals, found: Sequence[tuple[Reals, NDArray[np.bool_]]], size: int
) -> tuple[Reals, Reals, Reals]:
    """Over all of an item's epochs as a leaf: its share, what a report adds to its variance, and how many reports.

    One share for all epochs: with each epoch's own, those in which an item came out low by chance would weigh more.
    Noise is averaged as a difference from the last epoch's, so where all have the same, the result is exactly that.
    """
    reports, events, rare, slope, squared = (np.zeros(size) for _ in range(5))
    noise = epochs[-1].noise if epochs else Noise(1.0, 0.0, 1.0)
    for epoch, weight, (value, led) in zip(epochs, weights, found, strict=True):
        reports += weight * epoch.reports * led
        events += weight * epoch.reports * np.where(led, value, 0.0)
        rare += weight * epoch.reports * led * (epoch.noise.variance - noise.variance)
        slope += weight * epoch.reports * led * (epoch.noise.slope - noise.slope)
        squared += weight**2 * epoch.reports * led
    safe = np.where(reports > 0, reports, 1.0)
    share = events / safe
    spread = noise.variance + rare / safe + np.maximum(share, 0.0) * (noise.slope + slope / safe)
    return share, spread, reports * reports / np.where(squared > 0, squared, 1.0)


def _own(share: Reals, epochs: Sequence[SealedEpoch]) -> Reals:
    """What an item's own events add to the variance of one report."""
    return np.maximum(share, 0.0) * max((epoch.noise.slope for epoch in epochs), default=0.0)


def search_domain(epochs: Sequence[SealedEpoch], weights: Reals, domain_size: int, wanted: int) -> Items:
    """The best 2 · wanted items by the sum of weight · precision · share over the search cells that they fell into.

    One pass over the whole domain, in blocks of a fixed size.
    """
    keys = np.array([epoch.key for epoch in epochs], np.uint64)
    cells = np.array([epoch.cells.size for epoch in epochs], np.uint64)
    rows = np.zeros((len(epochs), int(cells.max())))
    for row, epoch, weight, variance in zip(rows, epochs, weights, cell_variance(epochs), strict=True):
        row[: epoch.cells.size] = weight * (1.0 / variance) * epoch.cell_shares
    best = []
    for first in range(0, domain_size, BLOCK):
        total = np.empty(min(BLOCK, domain_size - first))
        search(keys, cells, rows, np.uint64(first), total)
        top = np.argpartition(-total, wanted)[:wanted] if wanted < total.size else np.arange(total.size)
        best.append(np.stack([first + top.astype(np.float64), total[top]]))
    found = np.concatenate(best, axis=1)
    chosen: Items = found[0, np.argsort(-found[1], kind="stable")[: 2 * wanted]].astype(np.int64)
    return chosen
