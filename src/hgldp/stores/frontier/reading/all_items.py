"""Every item of the domain as it was measured: to see how shares are spread, whoever is on top."""

import numpy as np
from numpy.typing import NDArray

from hgldp.stores.distribution import MeasuredShares
from hgldp.stores.frontier.reading.decoding import Decoded, about
from hgldp.stores.frontier.reading.lines import Question

MOST_ITEMS, LEAST_PART = 1 << 15, 0.25


def measured_items(decoded: Decoded, question: Question) -> MeasuredShares:
    """The candidates for the top, and all others; of more than 32,768 others evenly spaced ones stand for the rest.

    Cells are drawn by a keyed hash, so any choice of others is as good as a random one.
    """
    size = decoded.stream.domain_size
    others = size - decoded.items.size
    shown = some_others(size, decoded.items)
    items = np.concatenate([decoded.items, shown])
    shares, deviations, events = question.standing(about(decoded, items))
    slope = _slope(decoded, question) * question.whole / events
    variances = np.maximum(deviations**2 - slope * shares.clip(min=0.0), LEAST_PART * deviations**2)
    weights = np.ones(items.size)
    weights[decoded.items.size :] = others / max(1, shown.size)
    numbers = float(sum(epoch.width for epoch in decoded.stream.epochs))
    return MeasuredShares(shares, np.sqrt(variances), weights, slope, numbers)


def some_others(size: int, items: NDArray[np.int64]) -> NDArray[np.int64]:
    """Evenly spaced items that are not among these, at most 32,768 of them; the domain itself is never written out.

    >>> some_others(8, np.array([1, 2, 6])).tolist()
    [0, 3, 4, 5, 7]
    """
    known = np.sort(items)
    others = size - known.size
    places = np.arange(0, others, max(1, -(-others // MOST_ITEMS)), dtype=np.int64)
    return places + np.searchsorted(known - np.arange(known.size), places, side="right")


def _slope(decoded: Decoded, question: Question) -> float:
    """How the variance of an item's share grows with the share itself."""
    epochs = decoded.stream.epochs
    weights, slopes, reports = question.of_epochs, [e.noise.slope for e in epochs], [e.reports for e in epochs]
    return float((weights**2 * np.array(slopes) / np.array(reports)).sum() / question.whole**2)
