"""How many cells the next bulletin has: a search that has little left to find gives cells up.

With fewer cells, counts at a high ε are more exact, but more untracked items share each search cell. So the frontier
measures what the leaves do not hold, and how heavy they are. It keeps all cells if that is much, or if fewer cells
would gain less than a tenth. The first bulletin has all of them.
"""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from hgldp.schemes.pfr import PFR
from hgldp.stores.frontier.epoch import SealedEpoch
from hgldp.stores.frontier.reading.leaves import CAUTION
from hgldp.stores.noise import reading_over

LEAST_SEARCH, WORTH_IT, LEFT_OVER = 8, 0.9, 0.25
Reals = NDArray[np.float64]


def best_width(scheme: PFR, leaves: Reals, untracked: float, reports: int) -> int:
    """The number of cells with the least sum of two variances: a typical leaf's, and that of a search cell's crowd.

    `leaves` are the shares of the next epoch's leaves, best first; `reports` is its length. A leaf weighs by the root
    of its share, so that neither the many light ones nor the heaviest decide alone. The crowd is what a search cell
    holds besides one item; we assume that no item in it is heavier than the last leaf, and that decoding subtracts three
    quarters of it.
    """
    roots = np.sqrt(leaves)
    typical = float((leaves * roots).sum() / max(roots.sum(), 1e-9))
    crowd = LEFT_OVER * untracked * (1 + reports * float(leaves[-1]))

    def error(cells: int) -> float:
        return reading_over(scheme, cells).noise.at(typical) + crowd / (cells - leaves.size)

    best = min(_widths(scheme.cells, leaves.size), key=error)
    return best if error(best) < WORTH_IT * error(scheme.cells) else scheme.cells


def untracked_share(epochs: Sequence[SealedEpoch], weights: Reals) -> float:
    """The share that no leaf holds, cautiously estimated; the newest epoch alone can raise it.

    An epoch's leaves were chosen before it began, so their shares in it are unbiased.
    """
    if not weights.any():
        return 1.0
    missed = np.array([1.0 - float(epoch.shares.sum()) for epoch in epochs])
    variance = np.array([epoch.leaves.size * epoch.noise.variance / epoch.reports for epoch in epochs])
    weight = weights / weights.max() * np.array([epoch.reports / epoch.noise.variance for epoch in epochs])
    mean, deviation = (weight * missed).sum() / weight.sum(), (weight**2 * variance).sum() ** 0.5 / weight.sum()
    newest = missed[-1] - CAUTION * variance[-1] ** 0.5
    return float(np.clip(max(max(0.0, mean) + CAUTION * deviation, newest), 0.0, 1.0))


def _widths(most: int, leaves: int) -> Iterator[int]:
    """All cells, then half as many for the search, and so on."""
    search = most - leaves
    yield most
    while (search := search // 2) >= LEAST_SEARCH:
        yield leaves + search
