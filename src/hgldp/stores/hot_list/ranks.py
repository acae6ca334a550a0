"""Which ranks a hot list's lines are likely to have, judged by the counts and the intervals that are shown."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hgldp.model.estimate import Estimate
from hgldp.stores.standing import in_order

Floats = NDArray[np.float64]
Ranks = NDArray[np.int64]

CLEARLY = 1.645
TINY = 1e-9


class Unlisted(NamedTuple):
    """How many items are not on the list, and how many events they had for each event of those that are.

    A newcomer may be frequent for long before a full list admits it. So all that the list does not explain may be
    spread over others as it is over the list.
    """

    items: int
    events: float

    @classmethod
    def of(cls, items: int, events: float, listed: float) -> "Unlisted":
        """From the reports and the raw events of listed items, and from the counts on the list."""
        return cls(items, max(events - listed, 0.0) / max(listed, 1.0))

    def above(self, rank: int) -> int:
        """How many of them may be above the item that has this rank on the list.

        >>> Unlisted(960, 0.3).above(1), Unlisted(960, 0.3).above(10), Unlisted(2, 0.3).above(10)
        (0, 3, 2)
        """
        return min(self.items, int(self.events * rank + 0.5))


def with_ranks(
    lines: Sequence[Estimate], counts: Floats, errors: Floats, tracked: int, unlisted: Unlisted
) -> tuple[Estimate, ...]:
    """The lines with their ranks. `counts` and `errors` are theirs, and those of the next best that they may yield to.

    >>> exact = [Estimate(item, float(count), 0.0, may_be_noise=count == 1) for item, count in enumerate([9, 4, 4, 1])]
    >>> counts = np.array([line.count for line in exact])
    >>> [line.ranks for line in with_ranks(exact, counts, np.zeros(4), 4, Unlisted(16, 0.0))]
    [(1, 1), (2, 3), (2, 3), (4, 20)]
    """
    if not lines:
        return ()
    certain = np.zeros(counts.size, np.bool_)
    certain[: len(lines)] = [not line.may_be_noise for line in lines]
    compared = _Compared(counts, errors, certain, tracked, unlisted)
    found = np.array([compared.ranks(place) for place in range(len(lines))])
    lows, highs = np.array([line.interval for line in lines]).T
    agreed = in_order(agreeing(found, lows, highs, tracked + unlisted.items), lows, highs).tolist()
    return tuple(replace(line, ranks=(best, worst)) for line, (best, worst) in zip(lines, agreed, strict=True))


class _Compared(NamedTuple):
    """All that are compared, by the differences of their counts. Which of them are certain: they stand out."""

    counts: Floats
    errors: Floats
    certain: NDArray[np.bool_]
    tracked: int
    unlisted: Unlisted

    def ranks(self, place: int) -> tuple[int, int]:
        """Others are above or below if their difference is larger than luck makes it in one case of twenty.

        What may be noise may have any worse rank, and is above nobody by luck alone, unless all is known exactly.
        """
        both = self.errors**2 + self.errors[place] ** 2
        apart = (self.counts - self.counts[place]) / np.sqrt(np.maximum(both, TINY))
        known, certain = not self.errors.any(), self.certain[place]
        best = 1 + int(np.count_nonzero((apart > CLEARLY) & (self.certain | known)))
        below = int(np.count_nonzero(apart < -CLEARLY))
        settled = below > 0 if known else certain
        if not settled:
            return best, self.tracked + self.unlisted.items
        worst = max(self.counts.size - below if below else self.tracked, place + 1)
        return best, worst + self.unlisted.above(worst)


def agreeing(ranks: Ranks, lows: Floats, highs: Floats, domain_size: int) -> Ranks:
    """Ranks that agree with the intervals: an item that surely has more than another has no worse end of its ranks.

    >>> agreeing(np.array([[1, 9], [1, 2]]), np.array([99.0, 75.0]), np.array([100.0, 76.0]), 9).tolist()
    [[1, 2], [2, 2]]
    """
    above = lows.size - np.searchsorted(np.sort(lows), highs, side="right")
    below = np.searchsorted(np.sort(highs), lows, side="left")
    best, worst = np.maximum(ranks[:, 0], above + 1), np.minimum(ranks[:, 1], domain_size - below)
    by_low, by_high = np.argsort(lows), np.argsort(highs)
    best_of_those_above = np.append(np.maximum.accumulate(best[by_low][::-1])[::-1], 1)
    worst_of_those_below = np.append(np.iinfo(np.int64).max, np.minimum.accumulate(worst[by_high]))
    best = np.maximum(best, best_of_those_above[np.searchsorted(lows[by_low], highs, side="right")])
    worst = np.minimum(worst, worst_of_those_below[np.searchsorted(highs[by_high], lows, side="left")])
    return np.stack([best, worst], axis=1)
