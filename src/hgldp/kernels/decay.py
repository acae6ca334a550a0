"""Exponential decay as integer thresholds: a word below ⌊2^64·b^−C⌋ takes one from a count of C."""

from decimal import ROUND_FLOOR, Context, Decimal
from functools import cache

import numpy as np
from numpy.typing import NDArray

_EXACT = Context(prec=60)


@cache
def decay_thresholds(base: float) -> NDArray[np.uint64]:
    """⌊2^64·b^−C⌋ for C = 0, 1, …, as far as it is above 0 and at most 65,535 entries; the entry of 0 is 2^64 − 1.

    >>> [int(threshold) >> 60 for threshold in decay_thresholds(2.0)[:4]]
    [15, 8, 4, 2]
    """
    exact, thresholds = Decimal(base), [(1 << 64) - 1]
    while thresholds[-1] > 0 and len(thresholds) < 65_535:
        power = _EXACT.divide(Decimal(1 << 64), _EXACT.power(exact, len(thresholds)))
        thresholds.append(int(power.to_integral_value(ROUND_FLOOR)))
    table = np.array(thresholds, np.uint64)
    table.setflags(write=False)
    return table
