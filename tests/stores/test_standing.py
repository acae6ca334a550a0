"""Likely ranks and what is usual, against counting one by one."""

from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from hgldp.stores.standing import Usual, in_order, likely_ranks

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


@given(INTERVALS, st.data())
def test_ranks_in_order_only_widen_and_contradict_nobody(intervals: list[tuple[int, int]], data: st.DataObject) -> None:
    """In the order of the middles of their intervals; any ranks that hold the place of the line."""
    lines = sorted(intervals, key=lambda line: -2 * line[0] - line[1])
    lows, highs = (np.array(ends, np.float64) for ends in zip(*((low, low + more) for low, more in lines), strict=True))
    places = range(1, len(lines) + 1)
    ranks = np.array([[data.draw(st.integers(1, place)), data.draw(st.integers(place, 20))] for place in places])
    found = in_order(ranks, lows, highs).tolist()
    assert all(best <= before and worst >= after for (best, worst), (before, after) in zip(found, ranks, strict=True))
    for place, (line, following) in enumerate(pairwise(found), start=1):
        assert line[0] <= following[0]
        assert line[1] <= following[1]
        if highs[place] >= lows[place - 1]:
            assert (line[1] > place) == (following[0] <= place)


@given(st.lists(st.tuples(st.floats(0.0, 0.3), st.floats(1e-4, 0.1)), min_size=1, max_size=12))
def test_whoever_is_clear_is_above_what_is_usual_and_nobody_else(lines: list[tuple[float, float]]) -> None:
    """One by one and all at once."""
    shares, deviations = (np.array(column) for column in zip(*lines, strict=True))
    usual = Usual.among(shares, deviations, 20, 10_000.0)
    assert sorted(shares[usual.is_below(shares, deviations)]) == sorted(usual.clear)
