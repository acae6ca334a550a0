"""How many requests each route answered, with which status, and how long that took."""

from bisect import bisect_left
from collections import Counter

BUCKETS = (0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1.0, 5.0)


class RequestCounts:
    """Counters for the metrics, kept in memory since the start.

    >>> counts = RequestCounts()
    >>> counts.note("/health", 200, 0.002)
    >>> counts.answers["/health", 200], counts.buckets["/health"]
    (1, [0, 1, 0, 0, 0, 0, 0, 0, 0])
    """

    def __init__(self) -> None:
        self.answers: Counter[tuple[str, int]] = Counter()
        self.seconds: Counter[str] = Counter()
        self.buckets: dict[str, list[int]] = {}

    def note(self, route: str, status: int, seconds: float) -> None:
        """One request more."""
        self.answers[route, status] += 1
        self.seconds[route] += seconds  # type: ignore[assignment]
        self.buckets.setdefault(route, [0] * (len(BUCKETS) + 1))[bisect_left(BUCKETS, seconds)] += 1
