"""What "the last N reports" are: those of the newest epochs, as many whole epochs as come nearest to N.

A report belongs to the epoch of the bulletin that it answers, also if it comes late, so epochs overlap in time. Their
order is that of their bulletins, and their place in the stream follows from the reports that they hold.
"""

from collections.abc import Iterable, Sequence
from itertools import islice


def epochs_within(newest_first: Iterable[int], window: int) -> int:
    """How many of the newest epochs a window takes in, given their reports: those whose middle it reaches.

    >>> [epochs_within([1_000, 4_000], window) for window in (499, 500, 2_999, 3_000)]
    [0, 1, 1, 2]
    """
    before = taken = 0
    for reports in newest_first:
        if 2 * before + reports > 2 * window:
            break
        before, taken = before + reports, taken + 1
    return taken


def reports_within(newest_first: Sequence[int], window: int) -> int:
    """How many reports those epochs hold.

    >>> [reports_within([1_000, 4_000], window) for window in (499, 500, 2_999, 3_000)]
    [0, 1000, 1000, 5000]
    """
    return sum(islice(newest_first, epochs_within(newest_first, window)))
