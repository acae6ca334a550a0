"""Likely ranks against counting one by one."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from hgldp.stores.standing import likely_ranks

INTERVALS = st.lists(st.tuples(st.integers(-9, 9), st.integers(0, 6)), min_size=1, max_size=12)


@given(INTERVALS)
def test_ranks_are_those_of_counting_one_by_one(intervals: list[tuple[int, int]]) -> None:
    lows, highs = (
        np.array(ends, np.float64) for ends in zip(*((low, low + more) for low, more in intervals), strict=True)
    )
    for low, high, (best, worst) in zip(lows, highs, likely_ranks(lows, highs).tolist(), strict=True):
        assert best == 1 + sum(other > high for other in lows)
        assert worst == sum(other >= low for other in highs)
        assert 1 <= best <= worst <= len(intervals)
