"""The metrics against sums done by hand, and against a slow twin."""

import doctest
from dataclasses import asdict
from math import log2

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hgldp.errors import InvalidField
from hgldp.model.estimate import Estimate
from hgldp.simulation import metrics
from tests.naive import metrics as naive

TRUTH = np.array([5, 100, 80, 60, 40, 0])


def answer(*pairs: tuple[int, float]) -> list[Estimate]:
    return [Estimate(item=item, count=count, standard_error=1.0) for item, count in pairs]


def test_the_exact_top_is_ordered_by_count_then_by_index() -> None:
    assert metrics.exact_top(np.array([3, 9, 9, 1, 3]), 4) == [1, 2, 0, 4]


def test_a_tie_at_the_bar_goes_to_the_smaller_index() -> None:
    assert metrics.exact_top(np.array([2, 2, 5, 2, 2]), 2) == [2, 0]


def test_an_item_that_never_occurred_is_no_heavy_hitter() -> None:
    assert metrics.exact_top(np.array([0, 4, 0]), 3) == [1]


def test_k_below_one_is_refused() -> None:
    with pytest.raises(InvalidField, match="k must be at least 1, got 0"):
        metrics.exact_top(TRUTH, 0)


def test_a_perfect_answer_scores_one_and_errs_by_nothing() -> None:
    perfect = answer((1, 100), (2, 80), (3, 60))
    assert asdict(metrics.score(perfect, TRUTH, 3)) == {
        "precision": 1.0, "recall": 1.0, "f1": 1.0, "ndcg": 1.0, "aae": 0.0, "relative_error": 0.0,
    }  # fmt: skip


def test_ndcg_is_the_sum_done_by_hand() -> None:
    given_answer = answer((2, 90), (5, 70), (1, 50), (3, 40))
    relevance_of_2, relevance_of_1, relevance_of_3 = 4 - 1, 4 - 2, 4 - 1
    by_hand = relevance_of_2 + 0 + relevance_of_1 / log2(3) + relevance_of_3 / 2
    assert metrics.ndcg(given_answer, TRUTH, 4) == pytest.approx(by_hand / (4 + 4 + 4 / log2(3) + 4 / 2))


def test_ndcg_gives_the_first_two_places_the_same_weight() -> None:
    """The paper divides by log2(i), not by log2(i + 1)."""
    first, second = answer((1, 9), (5, 8)), answer((5, 9), (1, 8))
    assert metrics.ndcg(first, TRUTH, 2) == 2 / 4
    assert metrics.ndcg(second, TRUTH, 2) == 1 / 4


def test_aae_takes_missing_items_and_negative_estimates_as_zero() -> None:
    assert metrics.aae(answer((1, 90), (3, -500), (0, 7)), TRUTH, 3) == pytest.approx((10 + 80 + 60) / 3)


def test_aae_sees_only_the_k_published_lines() -> None:
    assert metrics.aae(answer((1, 100), (0, 99), (2, 80)), TRUTH, 2) == (0 + 80) / 2


def test_relative_error_divides_by_the_true_count() -> None:
    assert metrics.relative_error(answer((1, 90), (2, 100)), TRUTH, 2) == pytest.approx((0.1 + 0.25) / 2)


def test_precision_and_recall_part_when_there_are_fewer_heavy_hitters_than_k() -> None:
    few = np.array([0, 7, 3, 0, 0, 0])
    guesses = answer((1, 7), (2, 3), (0, 2), (5, 1))
    assert metrics.precision(guesses, few, 4) == 0.5
    assert metrics.recall(guesses, few, 4) == 1.0
    assert metrics.f1(guesses, few, 4) == pytest.approx(2 / 3)


def test_a_short_answer_gains_no_precision_by_silence() -> None:
    assert metrics.precision(answer((1, 100)), TRUTH, 4) == 0.25


def test_a_domain_smaller_than_k_can_still_be_answered_perfectly() -> None:
    small = np.array([3, 9])
    assert metrics.score(answer((1, 9), (0, 3)), small, 10).ndcg == 1.0
    assert metrics.precision(answer((1, 9), (0, 3)), small, 10) == 1.0


def test_an_empty_answer_scores_zero() -> None:
    nothing = metrics.score([], TRUTH, 2)
    assert (nothing.precision, nothing.recall, nothing.f1, nothing.ndcg) == (0.0, 0.0, 0.0, 0.0)
    assert nothing.aae == 90.0
    assert nothing.relative_error == 1.0


def test_an_empty_truth_scores_zero_without_dividing_by_it() -> None:
    assert set(asdict(metrics.score(answer((0, 1)), np.zeros(3, dtype=np.int64), 2)).values()) == {0.0}


def test_a_sample_is_scaled_up_to_the_whole_stream() -> None:
    first, second = metrics.sample_answer(np.array([1, 0, 3]), 5, 1000)
    assert (first.item, first.count, first.warmup) == (2, 750.0, 3)
    assert (second.item, second.count) == (0, 250.0)
    assert first.standard_error == pytest.approx(1000 * (0.75 * 0.25 / 4) ** 0.5)


def test_a_metric_with_the_usual_discount_would_be_noticed() -> None:
    """The planted bug: log2(i + 1), as in recommender systems, gives another number."""
    given_answer = answer((2, 90), (5, 70), (1, 50), (3, 40))
    usual = (3 + 2 / log2(4) + 3 / log2(5)) / sum(4 / log2(place + 1) for place in range(1, 5))
    assert abs(metrics.ndcg(given_answer, TRUTH, 4) - usual) > 0.01


@settings(deadline=None, max_examples=200)
@given(
    truth=st.lists(st.integers(0, 12), min_size=1, max_size=12),
    estimates=st.lists(st.tuples(st.integers(0, 11), st.floats(-20, 20)), unique_by=lambda pair: pair[0], max_size=12),
    k=st.integers(1, 14),
)
def test_every_metric_equals_its_slow_twin(truth: list[int], estimates: list[tuple[int, float]], k: int) -> None:
    slow = naive.scores(estimates, dict(enumerate(truth)), k)
    fast = asdict(metrics.score(answer(*estimates), np.array(truth), k))
    assert fast == pytest.approx(slow)
    assert 0 <= fast["ndcg"] <= 1 + 1e-12
    assert metrics.exact_top(np.array(truth), k) == naive.top(dict(enumerate(truth)), k)


def test_the_examples_in_the_docstrings_run() -> None:
    assert doctest.testmod(metrics).failed == 0
