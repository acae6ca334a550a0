from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hgldp.errors import InvalidField, MalformedState
from hgldp.mechanisms.olh import OLH
from hgldp.stores.histogram import Histogram

SCORES = st.lists(st.integers(-(2**40), 2**40), min_size=2, max_size=30)


def filled(scores: list[int], reports: int = 100) -> Histogram:
    histogram = Histogram(len(scores))
    histogram.add(np.array(scores), reports)
    return histogram


@settings(deadline=None, max_examples=50)
@given(scores=SCORES, data=st.data())
def test_the_top_is_sorted_by_score_and_then_by_value(scores: list[int], data: st.DataObject) -> None:
    scores = [score % 7 for score in scores]
    k = data.draw(st.integers(1, len(scores)))
    expected = sorted(range(len(scores)), key=lambda value: (-scores[value], value))[:k]
    assert filled(scores).top(k) == expected


@settings(deadline=None, max_examples=50)
@given(scores=SCORES)
def test_a_state_is_read_back_as_it_was_written(scores: list[int]) -> None:
    histogram = filled(scores)
    assert Histogram.deserialize(histogram.serialize()) == histogram


def test_merging_is_addition_in_any_order() -> None:
    left, right = filled([1, 2, 3], 5), filled([10, 0, -4], 7)
    other = filled([10, 0, -4], 7)
    left.merge(right)
    other.merge(filled([1, 2, 3], 5))
    assert left == other == filled([11, 2, -1], 12)


def test_estimates_are_the_mechanisms_debiased_scores_with_the_exact_standard_error() -> None:
    mechanism = OLH(50, 1.0)
    histogram = filled([400 + value for value in range(50)], 1000)
    p, q = mechanism.p, mechanism.q
    lines = histogram.estimates(5, p=p, q=q, noise_variance=mechanism.noise_variance)
    for line, value in zip(lines, range(49, 44, -1), strict=True):
        count = mechanism.debias(400 + value, 1000)
        variance = 1000 * q * (1 - q) / (p - q) ** 2 + count * (1 - p - q) / (p - q)
        assert line.item == value
        assert line.count == line.tracked_count == float(count)
        assert line.standard_error == line.tracked_error == pytest.approx(float(variance) ** 0.5, rel=1e-12)
        assert line.since == 1000


def test_a_standard_error_is_never_that_of_a_negative_count() -> None:
    line = filled([-500, -501], 10).estimates(
        1, p=Fraction(9, 10), q=Fraction(1, 10), noise_variance=Fraction(1, 100), own_variance=Fraction(1)
    )[0]
    assert line.count < 0
    assert line.standard_error == pytest.approx((10 * 0.01) ** 0.5 / 0.8)


def test_four_bytes_a_counter_until_they_do_not_fit() -> None:
    assert len(filled([0] * 1000).serialize()) == 4020
    assert len(filled([2**31 - 1, -(2**31)]).serialize()) == 28
    assert len(filled([2**31, 0]).serialize()) == 36


@pytest.mark.parametrize("spoil", [lambda b: b[:3], lambda b: b[:-1], lambda b: b + b"x", lambda b: b"XX" + b[2:]])
def test_bytes_that_are_no_histogram_are_refused(spoil) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(MalformedState, match="histogram"):
        Histogram.deserialize(spoil(filled([1, 2, 3]).serialize()))


def test_bad_arguments_are_refused_and_leave_the_histogram_as_it_was() -> None:
    histogram = filled([1, 2, 3])
    for scores, reports in (([1, 2], 1), ([0.5, 1, 2], 1), ([1, 2, 3], -1)):
        with pytest.raises(InvalidField):
            histogram.add(scores, reports)
    for k in (0, 4):
        with pytest.raises(InvalidField, match="k must"):
            histogram.top(k)
    assert histogram == filled([1, 2, 3])
