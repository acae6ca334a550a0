"""Comparisons are paired by stream, ε and seed, and know their errors."""

import pytest

from hgldp.experiments.judging.gaps import contest, rises
from hgldp.experiments.judging.view import NotMeasured
from hgldp.experiments.measurement import NO_BUDGET, Measurement
from hgldp.experiments.results import Results, Row


def rows(scheme, values, metric="ndcg", epsilon=2.0, stream="retail"):
    return Results(
        tuple(Row(Measurement(stream, scheme, epsilon, seed), {metric: value}) for seed, value in enumerate(values, 1))
    )


def test_the_gap_is_the_mean_of_the_paired_differences_with_its_standard_error():
    match = contest(rows("bdr", [0.9, 0.5, 0.7]), rows("dsr", [0.8, 0.3, 0.4]), "ndcg")
    assert match.gap == pytest.approx(0.2)
    assert match.error == pytest.approx(0.1 / 3**0.5)
    assert match.won
    assert (match.better, match.worse) == (0, 0)


def test_pairing_sees_a_gap_that_is_small_against_the_spread_between_seeds():
    match = contest(rows("bdr", [0.91, 0.51, 0.11]), rows("dsr", [0.9, 0.5, 0.1]), "ndcg")
    assert match.won
    assert match.better == 1


def test_a_smaller_error_is_better_and_measured_against_the_larger_one():
    match = contest(rows("bdr", [50.0, 50.0], "aae"), rows("dsr", [200.0, 200.0], "aae"), "aae")
    assert match.gap == pytest.approx(0.75)
    assert not contest(rows("bdr", [200.0], "aae"), rows("dsr", [50.0], "aae"), "aae").won


def test_losing_clearly_at_more_than_a_tenth_of_the_points_is_no_win():
    ours = rows("bdr", [0.9, 0.91]) + rows("bdr", [0.1, 0.101], epsilon=3.0)
    theirs = rows("dsr", [0.2, 0.21]) + rows("dsr", [0.2, 0.201], epsilon=3.0)
    match = contest(ours, theirs, "ndcg")
    assert match.gap > 0.2
    assert match.worse == 1
    assert not match.won
    assert match.among(2.0, 2.5).won


def test_what_spends_no_budget_stands_at_every_epsilon():
    ours = rows("bdr", [0.9]) + rows("bdr", [0.95], epsilon=3.0)
    match = contest(ours, rows("warmup", [0.5], epsilon=NO_BUDGET), "ndcg")
    assert [point.gap for point in match.points] == pytest.approx([0.4, 0.45])


def test_nothing_in_common_is_not_measured():
    with pytest.raises(NotMeasured):
        contest(rows("bdr", [0.9]), rows("dsr", [0.9], epsilon=3.0), "ndcg")
    with pytest.raises(NotMeasured):
        contest(rows("bdr", [0.9]), rows("dsr", [0.9]), "ndcg").among(3.0, 4.0)


def test_one_gap_exceeds_another_only_beyond_both_errors():
    low = contest(rows("bdr", [0.5, 0.6]), rows("dsr", [0.5, 0.5]), "ndcg")
    high = contest(rows("bdr", [0.9, 0.9]), rows("dsr", [0.5, 0.5]), "ndcg")
    assert rises(low, high)
    assert not rises(high, low)
    assert not rises(low, contest(rows("bdr", [0.5, 0.7]), rows("dsr", [0.5, 0.5]), "ndcg"))


def test_a_single_seed_has_no_standard_error_to_show():
    assert contest(rows("bdr", [0.9]), rows("dsr", [0.8]), "ndcg").shown == "+0.100, one seed"
    assert contest(rows("bdr", [0.9, 0.9]), rows("dsr", [0.8, 0.8]), "ndcg").shown == "+0.100 ± 0.000"
