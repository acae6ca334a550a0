"""How long things take: a list of whole numbers that grows by one, cheap enough for every upload."""

from bisect import bisect_left
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import perf_counter, time

BOUNDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)


class Histogram:
    """How many took at most as long as each bound, and longer than the one before; the last is for all that is longer.

    `last` is the time of day when the last block was timed, and 0 if none was.

    >>> some = Histogram((0.1, 1.0))
    >>> for seconds in (0.05, 0.1, 0.5, 7.0):
    ...     some.observe(seconds)
    >>> some.counts, round(some.total, 2)
    ([2, 1, 1], 7.65)
    """

    __slots__ = ("bounds", "counts", "last", "total")

    def __init__(self, bounds: tuple[float, ...] = BOUNDS) -> None:
        self.bounds, self.counts, self.total, self.last = bounds, [0] * (len(bounds) + 1), 0.0, 0.0

    def observe(self, seconds: float) -> None:
        """One took this long."""
        self.counts[bisect_left(self.bounds, seconds)] += 1
        self.total += seconds

    @contextmanager
    def timed(self) -> Iterator[None]:
        """Observe how long the block takes, if it does not fail."""
        begun = perf_counter()
        yield
        self.observe(perf_counter() - begun)
        self.last = time()


@dataclass(frozen=True)
class Timings:
    """Commits of uploads, ends of epochs, and tops that are computed for the dashboard."""

    commit: Histogram = field(default_factory=Histogram)
    seal: Histogram = field(default_factory=Histogram)
    top: Histogram = field(default_factory=Histogram)
