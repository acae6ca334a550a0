"""How many cells the next bulletin has: a search that has little left to find gives its cells up.

The fewer cells, the more exact every count, and the more untracked items share a search cell. What the leaves do not
hold and how heavy they are is measured, so a stream with a long tail keeps all cells, and so does everybody at first.
"""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from hgldp.stores.frontier_epoch import NoiseOf, SealedEpoch
from hgldp.stores.frontier_evidence import CAUTION

LEAST_SEARCH = 8
Reals = NDArray[np.float64]


def best_width(most: int, leaves: Reals, untracked: float, reports: int, noise_of: NoiseOf) -> int:
    """The least error of an average event's leaf, and of what a search cell holds besides one item.

    `leaves` are the shares of the next epoch's leaves, best first, `reports` its length; no untracked item is taken
    to be heavier than the last leaf.
    """
    typical = float(np.square(leaves).sum() / max(leaves.sum(), 1e-9))
    crowd = untracked * (1 + reports * float(leaves[-1]))
    return min(
        _widths(most, leaves.size), key=lambda cells: noise_of(cells).at(typical) + crowd / (cells - leaves.size)
    )


def untracked_share(epochs: Sequence[SealedEpoch], weights: Reals) -> float:
    """At most so much is no leaf's: an epoch's leaves were chosen before it, so they were not lucky in it."""
    weight = weights * np.array([epoch.reports / epoch.noise.variance for epoch in epochs])
    if not weight.any():
        return 1.0
    found = np.array([1.0 - float(epoch.shares.sum()) for epoch in epochs])
    variance = np.array([epoch.leaves.size * epoch.noise.variance / epoch.reports for epoch in epochs])
    mean, deviation = (weight * found).sum() / weight.sum(), (weight**2 * variance).sum() ** 0.5 / weight.sum()
    return float(min(1.0, max(0.0, mean) + CAUTION * deviation))


def _widths(most: int, leaves: int) -> Iterator[int]:
    """All cells, then half as many for the search, and so on."""
    search = most - leaves
    yield most
    while (search := search // 2) >= LEAST_SEARCH:
        yield leaves + search
