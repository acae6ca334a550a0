"""e^ε as an integer, checked against rational bounds of the exponential series."""

from fractions import Fraction
from math import log

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hgldp.errors import InvalidField
from hgldp.model.weights import MAX_EPSILON, MIN_EPSILON, SCALE, Epsilon, as_epsilon, spent, truth_weight, within

epsilons = st.one_of(
    st.floats(MIN_EPSILON, MAX_EPSILON), st.fractions(Fraction(1, 1000), MAX_EPSILON, max_denominator=10_000)
)


def exponential_bounds(epsilon: Epsilon) -> tuple[Fraction, Fraction]:
    """Two fractions with e^ε between them: the series of ε, and a geometric bound of its rest."""
    exact, term, total = Fraction(epsilon), Fraction(1), Fraction(1)
    for place in range(1, 80):
        term *= exact / place
        total += term
    return total, total + 2 * term


@settings(deadline=None, max_examples=50)
@given(epsilon=epsilons, scale=st.sampled_from([1, 2, 3, 4, 1 << 20, SCALE]))
def test_the_truth_weight_is_the_largest_that_stays_within_the_budget(epsilon: Epsilon, scale: int) -> None:
    low, high = exponential_bounds(epsilon)
    weight = truth_weight(epsilon, scale)
    assert weight <= scale * high
    assert weight + 1 > scale * low
    assert (scale * low).__floor__() == (scale * high).__floor__() == weight


@settings(deadline=None, max_examples=50)
@given(epsilon=epsilons)
def test_within_decides_on_either_side_of_the_budget(epsilon: Epsilon) -> None:
    weight = truth_weight(epsilon)
    assert within(Fraction(weight, SCALE), epsilon)
    assert not within(Fraction(weight + 1, SCALE), epsilon)
    low, high = exponential_bounds(epsilon)
    assert within(low - Fraction(1, 10**60), epsilon)
    assert not within(high + Fraction(1, 10**60), epsilon)


@given(ratio=st.fractions(Fraction(1, 1000), 1000))
def test_spent_is_the_logarithm(ratio: Fraction) -> None:
    assert spent(ratio) == pytest.approx(log(ratio), rel=1e-12, abs=1e-15)


@settings(deadline=None, max_examples=50)
@given(epsilon=epsilons)
def test_what_the_weights_spend_is_just_below_the_budget(epsilon: Epsilon) -> None:
    assert 0 <= float(epsilon) - spent(Fraction(truth_weight(epsilon), SCALE)) < 2 / SCALE


@pytest.mark.parametrize("ratio", [Fraction(0), Fraction(-1)])
def test_a_ratio_that_is_none_spends_nothing_that_could_be_named(ratio: Fraction) -> None:
    with pytest.raises(InvalidField, match="ratio must be above 0"):
        spent(ratio)


@pytest.mark.parametrize(
    ("epsilon", "rule"),
    [
        (0, "must be finite and above 0"),
        (-1.0, "must be finite and above 0"),
        (float("nan"), "must be finite and above 0"),
        (float("inf"), "must be finite and above 0"),
        (10.5, "must be at most 10"),
        (1e-7, "must be at least 1e-06"),
        ("1", "must be a number of type float, int or Fraction, got str"),
        (True, "must be a number of type float, int or Fraction, got bool"),
        (None, "must be a number of type float, int or Fraction, got NoneType"),
    ],
)
def test_a_budget_that_is_none_is_refused(epsilon: float, rule: str) -> None:
    with pytest.raises(InvalidField, match=f"epsilon {rule}"):
        as_epsilon(epsilon)


def test_a_float_and_its_fraction_are_one_budget() -> None:
    assert as_epsilon(0.1) == Fraction(0.1) != Fraction(1, 10)
    assert truth_weight(0.5) == truth_weight(Fraction(1, 2))
