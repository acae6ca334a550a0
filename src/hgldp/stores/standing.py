"""How one item stands among all others: which ranks are likely, and how far chance alone can lift the best of many."""

from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

FALSE_ALARM = 0.01
Reals = NDArray[np.float64]


def needed(looked_at: int) -> float:
    """How many standard errors make an item stand out: among so many that are all alike, one gets there once in 100.

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


def in_order(ranks: NDArray[np.int64], lows: Reals, highs: Reals) -> NDArray[np.int64]:
    """Ranks of lines, the best line first, that agree with their order and with each other.

    Neither end of a line's ranks is better than that of the line above it. If a line may lose its place, the next one
    may take it, unless its interval lies below.

    >>> ranks = np.array([[1, 1], [2, 3], [3, 9], [3, 8]])
    >>> in_order(ranks, np.array([90.0, 40.0, 20.0, 10.0]), np.array([99.0, 60.0, 50.0, 30.0])).tolist()
    [[1, 1], [2, 3], [2, 9], [3, 9]]
    """
    best, worst = np.minimum.accumulate(ranks[::-1, 0])[::-1], np.maximum.accumulate(ranks[:, 1])
    places = np.arange(1, len(ranks))
    may_swap = ((worst[:-1] > places) | (best[1:] <= places)) & (highs[1:] >= lows[:-1])
    rises = np.where(may_swap, np.minimum(best[1:], places), best[1:])
    falls = np.where(may_swap, np.maximum(worst[:-1], places + 1), worst[:-1])
    return np.stack([np.append(best[:1], rises), np.append(falls, worst[-1:])], axis=1)


@dataclass(frozen=True)
class Usual:
    """What an ordinary item of a domain has: the mean of all but those that are clearly more frequent.

    There is noise in the item and in those that are clear, and chance in the stream: items that are equally likely do
    not occur equally often. `beside` is how many items there may be that are not in the domain, a list of hints.
    """

    clear: Reals
    deviations: Reals
    domain_size: int
    reports: float
    beside: int = 0

    @classmethod
    def among(cls, shares: Reals, deviations: Reals, domain_size: int, reports: float, beside: int = 0) -> "Usual":
        """Of the best items of a domain, those are clear that are clearly above all that are left, from the best on.

        >>> shares = np.array([0.5, 0.2, 0.05, 0.03])
        >>> Usual.among(shares, np.full(4, 0.02), 20, reports=10_000).clear.tolist()
        [0.5, 0.2]
        >>> Usual.among(shares, np.full(4, 0.001), 20, reports=1_000_000).clear.tolist()
        [0.5, 0.2, 0.05, 0.03]
        """
        usual = cls(np.empty(0), np.empty(0), domain_size, reports, beside)
        possible = np.flatnonzero(shares > needed(domain_size) * deviations)
        for place in possible[np.argsort(-shares[possible], kind="stable")]:
            one = slice(place, place + 1)
            if usual.is_below(shares[one], deviations[one])[0]:
                clear = np.append(usual.clear, shares[one]), np.append(usual.deviations, deviations[one])
                usual = cls(*clear, domain_size, reports, beside)
        return usual

    def is_below(self, shares: Reals, deviations: Reals) -> NDArray[np.bool_]:
        """Whether each item is clearly above what is usual."""
        above = np.searchsorted(-self.clear, -shares, side="left")
        taken, doubt = (np.concatenate([[0.0], np.cumsum(each)])[above] for each in (self.clear, self.deviations**2))
        rest = np.maximum(self.domain_size + self.beside - 1 - above, 1)
        mean = np.maximum(1.0 - taken - shares, 0.0) / rest
        variance = (deviations * (1 + 1 / rest)) ** 2 + doubt / rest**2 + mean / self.reports
        return np.asarray(shares > mean + needed(self.domain_size) * np.sqrt(variance))
