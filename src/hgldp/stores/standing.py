"""How one line stands among all others: which ranks are likely, and how far chance alone can lift the best of many."""

from dataclasses import dataclass
from math import sqrt
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


@dataclass(frozen=True)
class Usual:
    """What an ordinary item of a domain has: the mean of all but those that are clearly more frequent.

    Chance is in the noise, and in who happens to come: items that are all alike do not occur equally often.
    """

    clear: Reals
    domain_size: int
    reports: float

    @classmethod
    def among(cls, shares: Reals, deviations: Reals, domain_size: int, reports: float) -> "Usual":
        """From the best on, each that is clearly above all who are left, given the best items of a domain.

        >>> shares = np.array([0.5, 0.2, 0.05, 0.03])
        >>> Usual.among(shares, np.full(4, 0.02), 20, reports=10_000).clear.tolist()
        [0.5, 0.2]
        >>> Usual.among(shares, np.full(4, 0.001), 20, reports=1_000_000).clear.tolist()
        [0.5, 0.2, 0.05, 0.03]
        """
        clear, left, errors = list[float](), 1.0, needed(domain_size)
        for share, deviation in sorted(zip(shares.tolist(), deviations.tolist(), strict=True), reverse=True):
            mean = max(0.0, left - share) / max(1, domain_size - 1 - len(clear))
            if share > mean + errors * sqrt(deviation**2 + mean / reports):
                clear.append(share)
                left -= share
        return cls(np.array(clear), domain_size, reports)

    def is_below(self, shares: Reals, deviations: Reals) -> NDArray[np.bool_]:
        """Whether each item is clearly above what is usual."""
        above = np.searchsorted(-self.clear, -shares, side="left")
        left = 1.0 - np.concatenate([[0.0], np.cumsum(self.clear)])[above] - shares
        mean = np.maximum(left, 0.0) / np.maximum(self.domain_size - 1 - above, 1)
        by_chance = needed(self.domain_size) * np.sqrt(deviations**2 + mean / self.reports)
        return np.asarray(shares > mean + by_chance)
