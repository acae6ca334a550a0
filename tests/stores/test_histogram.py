from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hgldp.errors import InvalidField, MalformedState
from hgldp.mechanisms.olh import OLH
from hgldp.model.estimate import Estimate
from hgldp.schemes.exhaustive import Exhaustive
from hgldp.simulation.oracles import score_counts
from hgldp.stores import histogram as histogram_module
from hgldp.stores.histogram import FRAME, Histogram

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


def judged(counts: list[int], seed: int) -> tuple[Estimate, ...]:
    """The top five of so many reports a value, randomised at ε = 1."""
    mechanism = OLH(len(counts), 1.0)
    histogram = filled(score_counts(mechanism, np.array(counts), np.random.default_rng(seed)).tolist(), sum(counts))
    return Exhaustive(mechanism).respond(histogram, 5)


def test_a_flat_stream_has_no_clear_top_and_a_stream_with_one_has() -> None:
    """In one flat stream of 100 something stands out; in more than 6 of 40 by an accident of less than 10^−7."""
    flat = [judged([5_000] * 50, seed) for seed in range(40)]
    assert sum(any(not line.may_be_noise for line in lines) for lines in flat) <= 6
    first, *others = judged([40_000, *[5_000] * 50], 1)
    assert (first.item, first.may_be_noise, first.ranks) == (0, False, (1, 1))
    for rank, line in enumerate(others, start=2):
        assert line.ranks is not None
        assert line.ranks[0] == 2 <= rank <= line.ranks[1] <= 51
        assert line.may_be_noise


def test_without_a_correction_for_many_values_flat_streams_would_have_a_top(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(histogram_module, "needed", lambda _: 1.96)
    flat = [judged([5_000] * 50, seed) for seed in range(40)]
    assert sum(any(not line.may_be_noise for line in lines) for lines in flat) > 6


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


@settings(deadline=None, max_examples=50)
@given(scores=SCORES)
def test_squares_are_carried_merged_and_read_back(scores: list[int]) -> None:
    left, right, both = Histogram(len(scores)), Histogram(len(scores)), Histogram(len(scores))
    squares = [abs(score) + place for place, score in enumerate(scores)]
    for histogram in (left, right, both, both):
        histogram.add(scores, 7, squares)
    assert both != filled([2 * score for score in scores], 14)
    left.merge(right)
    left.merge(Histogram(len(scores)))
    assert left == both == Histogram.deserialize(both.serialize())
    fresh = Histogram(len(scores))
    fresh.merge(both)
    assert fresh == both
    assert both.resident_bytes == 16 * len(scores)
    assert both.squares is not None
    assert both.squares.tolist() == [2 * square for square in squares]


def test_with_squares_the_variance_is_theirs_less_the_squared_means() -> None:
    histogram = Histogram(2)
    histogram.add([30, 4], 100, [50, 20])
    p, q = Fraction(1, 2), Fraction(1, 10)
    first, second = histogram.estimates(2, p=p, q=q, noise_variance=Fraction(1))
    assert (first.count, second.count) == (50, -15)
    assert first.standard_error == pytest.approx(float((50 - 50 * p**2 - 50 * q**2) / (p - q) ** 2) ** 0.5)
    assert second.standard_error == pytest.approx(float((20 - 100 * q**2) / (p - q) ** 2) ** 0.5)


def test_values_that_nothing_hit_have_an_error_all_the_same() -> None:
    histogram = Histogram(2)
    histogram.add([0, 0], 5, [0, 0])
    line = histogram.estimates(1, p=Fraction(1, 4), q=Fraction(0), noise_variance=Fraction(1))[0]
    assert (line.count, line.standard_error) == (0, 4)


def test_squares_come_always_or_never_and_are_no_smaller_than_the_scores() -> None:
    plain, squared = filled([1, 2, 3]), Histogram(3)
    squared.add([1, -2, 3], 5, [1, 2, 5])
    with pytest.raises(InvalidField, match="squares must be given always or never"):
        plain.add([1, 2, 3], 5, [1, 2, 3])
    with pytest.raises(InvalidField, match="squares must be given always or never"):
        squared.merge(plain)
    for squares in ([1, 1, 3], [1, 2], [0.5, 2.0, 3.0], [-1, 2, 3]):
        with pytest.raises(InvalidField, match="squares"):
            squared.add([1, -2, 3], 5, squares)
    assert (squared.reports, plain) == (5, filled([1, 2, 3]))


@pytest.mark.parametrize("size", [0, 1])
def test_a_state_of_no_values_or_one_is_refused(size: int) -> None:
    with pytest.raises(MalformedState, match="histogram"):
        Histogram.deserialize(FRAME.write(4, 0, size, 3, body=[bytes(4 * size)]))


def test_a_state_that_cannot_have_been_is_refused() -> None:
    for squared, reports, numbers in ((1, 3, [2, 2, 2, 1]), (0, 2**64 - 1, [1, 1]), (2, 3, [1, 1, 1, 1, 1, 1])):
        state = FRAME.write(4, squared, 2, reports, body=[np.array(numbers, "<i4").tobytes()])
        with pytest.raises(MalformedState, match="histogram"):
            Histogram.deserialize(state)


@pytest.mark.parametrize("most", [2**63 - 1, -(2**63)])
def test_sums_beyond_64_bits_are_refused_and_those_within_are_exact(most: int) -> None:
    histogram, sign = filled([most, 0, 0], 5), 1 if most > 0 else -1
    with pytest.raises(InvalidField, match="scores must sum to numbers below"):
        histogram.add([5 * sign, 0, 0], 1)
    assert histogram == filled([most, 0, 0], 5)
    histogram.add([-sign, most, 0], 1)
    assert histogram.scores.tolist() == [most - sign, most, 0]
    for beyond in (np.array([2**64 - 1, 0, 0], np.uint64), np.array([2**63, 0, 0], np.uint64), [2**64, 0, 0]):
        with pytest.raises(InvalidField, match="scores"):
            histogram.add(beyond, 1)


def test_bad_arguments_are_refused_and_leave_the_histogram_as_it_was() -> None:
    histogram = filled([1, 2, 3])
    bad: list[tuple[list[float], Any]] = [([1, 2], 1), ([0.5, 1, 2], 1), ([1, 2, 3], -1)]
    bad += [([1, 2, 3], 1.5), ([1, 2, 3], True), ([1, 2, 3], 2**63 - 1)]
    for scores, reports in bad:
        with pytest.raises(InvalidField):
            histogram.add(scores, reports)
    for k in (0, 4):
        with pytest.raises(InvalidField, match="k must"):
            histogram.top(k)
    assert histogram == filled([1, 2, 3])
