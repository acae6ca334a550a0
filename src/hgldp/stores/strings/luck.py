"""What luck adds to a string that was found, and how to take it away.

A leaf becomes hot because it looks large. Among those that look small there are strings that nobody sent: the search
looks at a few new leaves an epoch, and most of them are empty. Those that are not follow some law, mostly a long tail,
which the largest ones show. Given both, an estimate close to its noise is drawn back, and one on firm ground stays.
Intervals then hold as often as they say, whichever strings were picked.
"""

from dataclasses import dataclass
from math import exp, log
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hgldp.model.estimate import Z95
from hgldp.stores.strings.measured import Measured

EMPTY_AN_EPOCH = 3.0
FIRM, USUAL_TAIL, LIKE_STRINGS, STEEPEST = 5.0, 1.0, 2.0, 20.0
LOWEST, AROUND, STEPS, OUTSIDE, MOST_LOG = 0.25, 6.0, 300, 0.025, 600.0
Reals = NDArray[np.float64]


class Share(NamedTuple):
    """A share of the stream as it is told: the likeliest value, its standard deviation, and its 95 % interval."""

    mean: float
    deviation: float
    low: float
    high: float

    @property
    def within_the_stream(self) -> "Share":
        """No share is below 0 or above 1, even if noise says so.

        >>> Share(1.01, 0.1, 0.814, 1.206).within_the_stream
        Share(mean=1.0, deviation=0.1, low=0.814, high=1.0)
        """
        mean, low, high = (min(1.0, max(0.0, each)) for each in (self.mean, self.low, self.high))
        return Share(mean, self.deviation, low, high)


def as_measured(found: Measured) -> Share:
    """For a string that luck did not pick. If noise puts its share below 0, the interval is that of none measured."""
    share, reach = min(1.0, max(0.0, found.share)), Z95 * found.deviation
    return Share(share, found.deviation, share - reach, share + reach).within_the_stream


@dataclass(frozen=True)
class LawOfStrings:
    """`count` strings are expected above the share `at`, and count · (at / s)^tail above any other share s.

    Beside them, the search has looked at `empty` leaves that hold nothing. Nobody can tell a string far below the noise
    from one that nobody sent. So all strings below `LOWEST` deviations count as none, and there the law is as dense as
    it is at that place.

    >>> law = LawOfStrings(tail=1.0, count=10, at=0.01, empty=30.0)
    >>> found = law.judge(np.array([0.1, 0.02, 0.01]), np.array([0.005, 0.005, 0.005]))
    >>> [(round(each.mean, 4), round(each.low, 3)) for each in found]
    [(0.0995, 0.09), (0.0163, 0.003), (0.0034, 0.0)]
    """

    tail: float
    count: float
    at: float
    empty: float

    @classmethod
    def fit(cls, shares: Reals, deviations: Reals, sealed: int) -> "LawOfStrings":
        """By the strings that nobody can doubt; the usual tail, that of Zipf's law, counts as much as two of them."""
        firm, empty = shares[shares > FIRM * deviations], EMPTY_AN_EPOCH * (sealed + 1)
        if not firm.size:
            return cls(USUAL_TAIL, 1.0, FIRM * float(np.median(deviations)), empty)
        least = float(firm.min())
        tail = (firm.size - 1 + LIKE_STRINGS) / (float(np.log(firm / least).sum()) + LIKE_STRINGS / USUAL_TAIL)
        return cls(min(tail, STEEPEST), float(firm.size), least, empty)

    def above(self, share: float) -> float:
        """How many strings are expected above a share; they have no more than the whole stream together."""
        return min(1 / share, self.count * exp(min(MOST_LOG, self.tail * log(self.at / share))))

    def judge(self, shares: Reals, deviations: Reals) -> list[Share]:
        """What each share is likely to be, given what was measured: one of many strings, or nothing at all.

        So the interval of what may be noise begins at 0. It once began at `LOWEST` deviations: where the law expects
        many more small strings than the search has met empty leaves, nothing at all seemed unlikely.
        """
        unit = deviations[:, None]
        lowest = np.maximum(LOWEST * deviations, shares - AROUND * deviations)
        step = (np.maximum(shares, 0.0) + AROUND * deviations - lowest) / STEPS
        share = lowest[:, None] + step[:, None] * (np.arange(STEPS) + 0.5)
        expected = np.log(self.tail * self.count / share) + self.tail * np.log(self.at / share) + np.log(step[:, None])
        some = expected - 0.5 * ((shares[:, None] - share) / unit) ** 2
        none = np.log(self.empty + self._below(lowest, deviations))[:, None] - 0.5 * (shares[:, None] / unit) ** 2
        likely, places = np.concatenate([none, some], axis=1), np.concatenate([np.zeros_like(unit), share], axis=1)
        chance = np.exp(likely - likely.max(axis=1, keepdims=True))
        chance /= chance.sum(axis=1, keepdims=True)
        mean = (chance * places).sum(axis=1)
        variance = (chance * (places - mean[:, None]) ** 2).sum(axis=1)
        up_to = chance.cumsum(axis=1)
        low, high = _place(up_to > OUTSIDE, places), _place(up_to > 1 - OUTSIDE, places)
        return [Share(*row) for row in np.stack([mean, np.sqrt(variance), low, high], axis=1).tolist()]

    def _below(self, lowest: Reals, deviations: Reals) -> Reals:
        """How many strings the law has below the noise; none for a share that is too large to be one of them."""
        end = LOWEST * deviations
        dense = np.log(self.tail * self.count) + self.tail * np.log(self.at / end)
        return np.where(lowest > end, 0.0, np.exp(np.minimum(dense, MOST_LOG)))


def _place(reached: NDArray[np.bool_], places: Reals) -> Reals:
    """The first place of each row at which something is reached."""
    return np.asarray(np.take_along_axis(places, reached.argmax(axis=1)[:, None], axis=1)[:, 0])
