"""CPU time of one thread: the best of several rounds that fit into a number of seconds."""

import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

MOST_ROUNDS = 5
YARDSTICK_ROUNDS = 15


def spent(work: Callable[[], object]) -> float:
    """CPU seconds of one call."""
    started = time.process_time()
    work()
    return max(time.process_time() - started, 1e-9)


def rounds(seconds: float) -> Iterator[int]:
    """One round, and further ones while another of the same length fits into the time."""
    started = time.process_time()
    for number in range(MOST_ROUNDS):
        yield number
        used = time.process_time() - started
        if used * (number + 2) / (number + 1) > seconds:
            return


def bincount_rate(items: NDArray[np.int64], domain_size: int) -> float:
    """Items a second of NumPy's exact count, the yardstick, in this very process."""
    times = [spent(lambda: np.bincount(items, minlength=domain_size)) for _ in range(YARDSTICK_ROUNDS)]
    return items.size / min(times)


def feed_one_by_one(call: Callable[[Any], object], items: Any) -> None:
    """The loop that a user would write."""
    for item in items:
        call(item)
