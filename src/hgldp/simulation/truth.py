"""The truth that an answer is compared with: what its counts would be if everybody had told it."""

import numpy as np
from numpy.typing import NDArray

BLOCK = 1 << 22
Items = NDArray[np.int32]


def whole_counts(items: Items, size: int) -> NDArray[np.int64]:
    """How often each item occurs, block by block: `bincount` makes an eight-byte copy of what it counts."""
    counts = np.zeros(size, dtype=np.int64)
    for start in range(0, items.size, BLOCK):
        counts += np.bincount(items[start : start + BLOCK], minlength=size)
    return counts


def faded_counts(items: Items, size: int, half_life: float) -> NDArray[np.float64]:
    """Every event weighs 2^(−age/half-life), and the weights are scaled to the number of all events.

    >>> faded_counts(np.array([0, 1], np.int32), 2, half_life=1.0).round(3).tolist()
    [0.667, 1.333]
    """
    counts, whole = np.zeros(size), 0.0
    for start in range(0, items.size, BLOCK):
        some = items[start : start + BLOCK]
        age = items.size - start - np.arange(some.size) - 0.5
        weights = np.exp2(-age / half_life)
        counts += np.bincount(some, weights, minlength=size)
        whole += float(weights.sum())
    return counts * (items.size / whole)


def true_counts(
    items: Items, size: int, half_life: int | None = None, raw: int = 0
) -> NDArray[np.int64] | NDArray[np.float64]:
    """The counts that an answer estimates. With a half-life they fade, and the `raw` first items are not in them.

    >>> stream = np.array([1, 1, 0, 1], np.int32)
    >>> true_counts(stream, 2).tolist(), true_counts(stream, 2, half_life=1, raw=2).round(3).tolist()
    ([1, 3], [0.667, 1.333])
    """
    return faded_counts(items[raw:], size, half_life) if half_life else whole_counts(items, size)
