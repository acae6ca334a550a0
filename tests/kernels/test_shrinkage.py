"""Luck's kernels against integrals by brute force."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hgldp.kernels.shrinkage import Law, count_above, judge, likelihoods, tail_weights
from hgldp.stores.frontier.reading.luck import FIRM, GRIDS, INSIDE, STEPS, LawOfShares
from tests.naive.shrinkage import Posterior, log_likelihood

MEAN = 1e-3


def a_law(tail: float, alike: float) -> Law:
    means, weights = np.geomspace(MEAN / 20, 0.2, 40), np.empty(40)
    tail_weights(tail, means, MEAN, weights)
    return LawOfShares(means, (1 - alike) * weights, alike, weights, MEAN, MEAN / 50_000).as_law(1.0)


tails, part_alike = st.sampled_from([0.5, 1.0, 3.0]), st.sampled_from([0.0, 0.9])
places, deviations = st.floats(-5, 7.9) | st.floats(8.1, 60), st.floats(0.05, 5).map(lambda unit: unit * MEAN)


@given(st.floats(-30, 30), st.floats(1e-6, 1e-1), st.floats(1e-6, 1e-1))
def test_the_chance_of_a_value_is_the_integral_over_all_shares(place: float, deviation: float, mean: float) -> None:
    found = np.empty((1, 1))
    likelihoods(np.array([place * deviation]), np.array([deviation]), np.array([mean]), found)
    assert found[0, 0] == pytest.approx(log_likelihood(place * deviation, deviation, mean), abs=1e-3, rel=1e-6)


@given(st.floats(0.35, 6))
def test_a_tail_falls_as_it_says_and_has_the_mean_that_is_wanted_if_any_such_tail_has(tail: float) -> None:
    means, weights = np.geomspace(MEAN / 20, 0.2, 40), np.empty(40)
    tail_weights(tail, means, MEAN, weights)
    falls = np.diff(np.log(weights)) / np.diff(np.log(means))
    assert weights.sum() == pytest.approx(1)
    assert (falls >= -tail - 1e-9).all()
    assert falls[-1] == pytest.approx(-tail, rel=0.02)
    lightest = np.exp(-tail * np.log(means))
    reachable = lightest @ means < MEAN * lightest.sum()
    assert weights @ means == pytest.approx(MEAN if reachable else lightest @ means / lightest.sum(), rel=0.02)


@settings(max_examples=60)
@given(places, deviations, tails, part_alike)
def test_a_judgement_is_that_of_the_whole_law(place: float, unit: float, tail: float, alike: float) -> None:
    """To a grid of 0.07 standard deviations; the interval holds what it says, and is hardly longer than it must be.

    Firm ground is no exception: the slope of the law alone would throw a value far past items that are alike.
    """
    law = a_law(tail, alike)
    found = tuple(np.empty(1) for _ in range(4))
    judge(np.array([place * unit]), np.array([unit]), GRIDS, law, INSIDE, FIRM, found)
    mean, deviation, low, high = (float(each[0]) for each in found)
    exact = Posterior(place * unit, unit, law)
    assert mean == pytest.approx(exact.mean, abs=0.05 * unit)
    assert deviation == pytest.approx(exact.deviation, abs=0.05 * unit)
    assert exact.inside(low, high) > INSIDE - 0.02
    assert high - low < exact.shortest(INSIDE) + 0.22 * unit


def test_on_firm_ground_an_interval_lies_evenly_around_the_mean() -> None:
    """Of many intervals that are equally short, the first would lie a tenth of a deviation too low."""
    found = tuple(np.empty(1) for _ in range(4))
    judge(np.array([0.3]), np.array([0.004]), GRIDS, a_law(1.0, 0.0), INSIDE, FIRM, found)
    mean, deviation, low, high = (float(each[0]) for each in found)
    assert (high - mean) / deviation == pytest.approx(1.96, abs=0.06)
    assert (mean - low) / deviation == pytest.approx(1.96, abs=0.06)


@settings(max_examples=40)
@given(st.lists(st.tuples(st.floats(-5, 40), deviations), min_size=1, max_size=4), tails, part_alike)
def test_as_many_are_expected_above_a_bound_as_their_chances_add_up_to(
    seen: list[tuple[float, float]], tail: float, alike: float
) -> None:
    law, units = a_law(tail, alike), np.array([unit for _, unit in seen])
    values = np.array([place for place, _ in seen]) * units
    items = np.arange(1.0, 1 + len(seen))
    bounds, found = np.array([0.3, 2.0, 9.0]) * MEAN, np.zeros(3)
    known = np.arange(len(seen)) * 0.4 * MEAN
    count_above((values, units, items, known), GRIDS, law, FIRM, bounds, found)
    expected, slack = np.zeros(3), np.zeros(3)
    for value, unit, many, own in zip(values, units, items, known, strict=True):
        exact = Posterior(value, unit, law)
        for b, bound in enumerate(bounds - own):
            expected[b] += many * exact.inside(bound, 1e9)
            slack[b] += many * (0.02 + exact.inside(bound - 0.12 * unit, bound + 0.12 * unit))
    assert (abs(found - expected) <= slack).all()


def test_the_grid_reaches_further_than_any_value_that_is_not_firm() -> None:
    assert STEPS[-1] > FIRM + 4
    assert (np.diff(STEPS) > 0).all()
