"""The tail against SciPy, and the statistic against the textbook sum."""

from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chi2

from hgldp.checks.chi_square import LEAST_EXPECTED, distance, tail


@settings(deadline=None, max_examples=200)
@given(freedom=st.integers(1, 2000), ratio=st.floats(0.01, 4))
def test_the_tail_is_that_of_scipy(freedom: int, ratio: float) -> None:
    statistic = freedom * ratio
    assert tail(statistic, freedom) == pytest.approx(chi2.sf(statistic, freedom), rel=1e-8, abs=1e-12)


@pytest.mark.parametrize("freedom", [1, 2, 7, 100, 3000])
def test_the_tail_is_right_at_one_in_a_million(freedom: int) -> None:
    assert tail(chi2.isf(1e-6, freedom), freedom) == pytest.approx(1e-6, rel=1e-6)


def test_without_freedom_nothing_is_surprising() -> None:
    assert tail(5.0, 0) == 1.0
    assert tail(0.0, 3) == 1.0


def test_common_reports_make_the_textbook_sum() -> None:
    row = {"a": Fraction(1, 2), "b": Fraction(1, 4), "c": Fraction(1, 4)}
    assert distance(Counter(a=60, b=20, c=40), row) == (pytest.approx(100 / 30 + 100 / 30), 2)


def test_rare_reports_are_counted_together() -> None:
    row = {number: Fraction(1, 1024) for number in range(512)} | {"common": Fraction(1, 2)}
    seen = Counter({"common": 512, **dict.fromkeys(range(0, 512, 2), 2)})
    assert distance(seen, row) == (0.0, 512 // LEAST_EXPECTED)


def test_a_rare_remainder_joins_the_last_cell() -> None:
    row = {"a": Fraction(99, 100), "b": Fraction(1, 100)}
    assert distance(Counter(a=95, b=5), row) == (0.0, 0)
