"""What the retained epochs say about items, added up by precision."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hgldp.stores.frontier_epoch import SealedEpoch, cell_variance

CAUTION = 1.25
Reals = NDArray[np.float64]
Items = NDArray[np.int64]


@dataclass(frozen=True)
class Evidence:
    """Σ weight · precision · share, Σ weight · precision and Σ weight² · precision, item by item.

    `tracked`: in how many of the reports that count the item was a leaf.
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
        """Of which items there is any evidence."""
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
    """Of each epoch an item's leaf, or its search cell if it was no leaf then and search cells are asked.

    A leaf's epochs weigh by their reports: a count is asked, and a time with fewer cells is worth no more than another.
    Nor is a time when an item was not there, and so made no noise of its own, worth more than one when it was.
    """
    shape = (len(epochs), items.size)
    found = [epoch.of_items(items) for epoch in epochs]
    values = np.array([value for value, _ in found]).reshape(shape)
    tracked = np.array([led for _, led in found], np.bool_).reshape(shape)
    reports, weight = np.array([[float(epoch.reports)] for epoch in epochs]).reshape(-1, 1), weights[:, None]
    share = _mean(values, weight * reports * tracked, empty=0.0)
    noise = np.array([epoch.noise.at_each(share) for epoch in epochs]).reshape(shape)
    spread = _mean(noise, weight * reports * tracked, empty=1.0)
    cells = (
        np.zeros(shape)
        if tracked_only
        else 1.0 / np.maximum(cell_variance(epochs)[:, None], _own(share, epochs) / reports)
    )
    precision = weight * np.where(tracked, reports / spread, cells)
    squared = weight * precision * np.where(tracked, noise / spread, 1.0)
    sums = ((precision * values).sum(0), precision.sum(0), squared.sum(0), (reports * tracked * (weight > 0)).sum(0))
    return Evidence(items, *sums)


def _own(share: Reals, epochs: Sequence[SealedEpoch]) -> Reals:
    """What an item's own events add to the variance, one report each."""
    return np.maximum(share, 0.0) * max((epoch.noise.slope for epoch in epochs), default=0.0)


def _mean(values: Reals, weights: Reals, empty: float) -> Reals:
    """Over an item's epochs as a leaf.

    With each epoch's own share, the epochs in which an item came out low by chance would weigh more.
    """
    total = weights.sum(0)
    return np.where(total > 0, (values * weights).sum(0) / np.where(total > 0, total, 1.0), empty)
