"""The truth that each kind of interval speaks about, and whether a line holds it."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hgldp.model.estimate import Estimate

Items = NDArray[np.int32]
Counts = NDArray[np.float64]
TINY = 1e-9


def whole_counts(items: Items, size: int) -> Counts:
    """Every event of the stream, the warm-up included."""
    return np.bincount(items, minlength=size).astype(np.float64)


def recent_counts(items: Items, size: int, reports: int) -> Counts:
    """The last so many events."""
    return whole_counts(items[items.size - reports :], size)


@dataclass(frozen=True)
class Judged:
    """One line beside the truth; `side` is 0 if the interval holds it, +1 if it lies above the truth, −1 below.

    `error` is in the line's own standard errors. `rank_held` is None if no range of ranks was given.
    """

    error: float
    side: int
    may_be_noise: bool = False
    rank_held: bool | None = None

    @property
    def held(self) -> bool:
        """Whether the interval holds the truth."""
        return self.side == 0


def side_of(interval: tuple[float, float], truth: float) -> int:
    """On which side of the truth an interval lies.

    >>> side_of((1.0, 3.0), 2.0), side_of((1.0, 3.0), 0.0), side_of((1.0, 3.0), 4.0)
    (0, 1, -1)
    """
    low, high = interval
    return 1 if truth < low else -1 if truth > high else 0


def rank_held(line: Estimate, counts: Counts) -> bool | None:
    """Whether the true rank lies in the line's range; among equal counts any of their ranks is true."""
    if line.ranks is None:
        return None
    best, worst = line.ranks
    own = counts[line.item]
    first, last = 1 + int((counts > own).sum()), int((counts >= own).sum())
    return first <= worst and best <= last


def judge(line: Estimate, counts: Counts) -> Judged:
    """The published count and its interval."""
    truth = float(counts[line.item])
    error = (line.count - truth) / max(line.standard_error, TINY)
    return Judged(error, side_of(line.interval, truth), line.may_be_noise, rank_held(line, counts))


def judge_since(line: Estimate, items: Items) -> Judged | None:
    """The count since the item was tracked; None if it never was, which says nothing about tracking."""
    if not line.since:
        return None
    truth = float(np.count_nonzero(items[items.size - line.since :] == line.item))
    error = (line.tracked_count - truth) / max(line.tracked_error, TINY)
    return Judged(error, side_of(line.tracked_interval, truth), line.may_be_noise)
