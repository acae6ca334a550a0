"""How one line stands among all others: which ranks are likely, and how far chance alone can lift the best of many."""

from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

FALSE_ALARM = 0.01
Reals = NDArray[np.float64]


def needed(looked_at: int) -> float:
    """How many standard errors above the others stand out: if all are alike, one of so many gets there once in 100.

    >>> [round(needed(number), 1) for number in (1, 1_000, 1_000_000)]
    [2.3, 4.3, 5.6]
    """
    return NormalDist().inv_cdf(1 - FALSE_ALARM / looked_at)


def likely_ranks(lows: Reals, highs: Reals) -> NDArray[np.int64]:
    """The best and the worst rank of each interval: others are above it, or below it, if they do not touch it.

    >>> likely_ranks(np.array([8.0, 1.0, 3.0]), np.array([9.0, 2.0, 8.5])).tolist()
    [[1, 2], [3, 3], [1, 2]]
    """
    above = lows.size - np.searchsorted(np.sort(lows), highs, side="right")
    not_below = highs.size - np.searchsorted(np.sort(highs), lows, side="left")
    return np.stack([above + 1, not_below], axis=1)
