"""What the retained epochs say about items, added up by precision."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hgldp.stores.frontier_epoch import SealedEpoch

CAUTION = 1.25
Reals = NDArray[np.float64]
Items = NDArray[np.int64]


@dataclass(frozen=True)
class Evidence:
    """Σ weight · precision · share, Σ weight · precision and Σ weight² · precision, item by item."""

    items: Items
    total: Reals
    precision: Reals
    squared: Reals

    def with_sample(self, share: Reals, precision: Reals, weight: float) -> "Evidence":
        """One observation more."""
        total, certainty = self.total + weight * precision * share, self.precision + weight * precision
        return Evidence(self.items, total, certainty, self.squared + weight**2 * precision)

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
    """Of each epoch an item's leaf, or its search cell if it was no leaf then and search cells are asked."""
    total, precision, squared = np.zeros(items.size), np.zeros(items.size), np.zeros(items.size)
    found = [epoch.of_items(items) for epoch in epochs]
    pooled = _pooled_share(epochs, weights, found, items.size)
    for epoch, weight, (share, tracked) in zip(epochs, weights, found, strict=True):
        certainty = np.where(
            tracked, epoch.reports / epoch.noise.at_each(pooled), 0.0 if tracked_only else epoch.cell_precision
        )
        total += weight * certainty * share
        precision += weight * certainty
        squared += weight**2 * certainty
    return Evidence(items, total, precision, squared)


def _pooled_share(
    epochs: Sequence[SealedEpoch], weights: Reals, found: Sequence[tuple[Reals, NDArray[np.bool_]]], size: int
) -> Reals:
    """An item's share over all its epochs as a leaf.

    With each epoch's own share, the epochs in which an item came out low by chance would weigh more.
    """
    events, reports = np.zeros(size), np.zeros(size)
    for epoch, weight, (share, tracked) in zip(epochs, weights, found, strict=True):
        events += weight * epoch.reports * np.where(tracked, share, 0.0)
        reports += weight * epoch.reports * tracked
    return np.asarray(events / np.maximum(reports, 1.0), np.float64)
