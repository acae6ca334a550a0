"""The judge that spends exactly ε: its weights, its rate and the chance that a cold item names itself."""

from fractions import Fraction
from math import exp

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hgldp.errors import InvalidField
from hgldp.model.weights import Epsilon
from hgldp.schemes.judges import MAX_RATE, TwoRateJudge
from tests.schemes.small import epsilons, quiet

shares = st.sampled_from([Fraction(3, 10), Fraction(1, 2), Fraction(1)])


@settings(deadline=None, max_examples=100)
@given(epsilon=epsilons, share=shares, cells=st.integers(1, 50), others=st.integers(1, 10**6))
def test_the_weights_are_those_of_the_design_page(epsilon: Epsilon, share: Fraction, cells: int, others: int) -> None:
    judge = TwoRateJudge(cells, cells + others, epsilon, share)
    w, r = Fraction(judge.truth, judge.scale), Fraction(judge.rate, judge.rate_scale)
    total = r * (w + cells - 1) - cells
    unit = judge.scale * judge.rate_scale
    assert 1 < r <= w
    assert r <= MAX_RATE
    assert judge.own_weight == (r - 1) * w * unit
    assert judge.noise_weight == (r - 1) * unit
    assert judge.total == total * unit


@settings(deadline=None, max_examples=100)
@given(epsilon=epsilons, share=shares, cells=st.integers(1, 50))
def test_the_variance_has_a_closed_form(epsilon: Epsilon, share: Fraction, cells: int) -> None:
    judge = TwoRateJudge(cells, cells + 10, epsilon, share)
    w, r = Fraction(judge.truth, judge.scale), Fraction(judge.rate, judge.rate_scale)
    reading = judge.reading
    assert reading.spread(reading.cold, reading.hot_if_cold) == (cells - 1) / (w - 1) ** 2 + r / ((r - 1) * (w - 1))


@pytest.mark.parametrize("share", [Fraction(3, 10), Fraction(1, 2)])
@pytest.mark.parametrize("epsilon", [0.1, 0.5, 1.0, 3.0, 10.0])
def test_the_rate_is_a_share_of_the_budget_up_to_a_ceiling(share: Fraction, epsilon: float) -> None:
    judge = TwoRateJudge(20, 1000, epsilon, share)
    assert judge.rate / judge.rate_scale == pytest.approx(min(MAX_RATE, exp(float(share) * epsilon)), abs=1e-3)


@settings(deadline=None, max_examples=100)
@given(epsilon=st.floats(0.05, 10), share=shares, cells=st.integers(1, 5), others=st.integers(2, 30))
def test_a_cold_item_names_itself_as_often_as_the_budget_allows(
    epsilon: float, share: Fraction, cells: int, others: int
) -> None:
    """One step of 2^−32 more, and the worst ratio would exceed W/S."""
    judge = TwoRateJudge(cells, cells + others, epsilon, share)
    w, r = Fraction(judge.truth, judge.scale), Fraction(judge.rate, judge.rate_scale)

    def worst(keep: Fraction) -> Fraction:
        own = keep + (1 - keep) / others
        against_hot, against_cold = r * own * others, own * others / (1 - keep)
        return max(against_hot, against_cold)

    assert judge.keep >= 0
    assert worst(Fraction(judge.keep, judge.scale)) <= w < worst(Fraction(judge.keep + 1, judge.scale))


def test_hot_events_name_a_uniform_cold_item_and_cold_events_prefer_their_own() -> None:
    judge, bulletin = TwoRateJudge(2, 6, 3.0, Fraction(1, 2)), quiet(6, 2)
    hot, cold = judge.row(0, bulletin), judge.row(3, bulletin)
    names = [3 + item for item in range(2, 6)]
    assert len({hot[name] for name in names}) == 1
    assert cold[3 + 3] > cold[3 + 2] == cold[3 + 4] == cold[3 + 5]


def test_the_only_cold_item_has_nothing_to_hide_behind_and_is_always_named() -> None:
    judge = TwoRateJudge(2, 3, 1.0, Fraction(1, 2))
    assert judge.keep == 0
    assert judge.row(2, quiet(3, 2))[3 + 2] == 1 - 2 * judge.reading.cold


def test_weights_beyond_one_draw_are_refused() -> None:
    with pytest.raises(InvalidField, match="cells and epsilon must keep the total of the weights within 2"):
        TwoRateJudge(1 << 22, 1 << 30, 10.0, Fraction(1))
