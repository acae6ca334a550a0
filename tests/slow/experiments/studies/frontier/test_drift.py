"""When a curve is back, and when it is not."""

import numpy as np

from hgldp.experiments.studies.frontier.drift import back_after, steady_after_start, steady_before, time_below


def test_steady_is_what_came_right_before_the_change() -> None:
    assert steady_before([0.0] * 5 + [0.8] * 5 + [0.1] * 10, 0.5) == 0.8


def test_steady_without_a_change_is_the_median_of_the_second_half() -> None:
    assert steady_after_start([0.9] * 5 + [0.1, 0.3, 0.4, 0.4, 0.9]) == 0.4


def test_a_curve_is_back_only_after_it_was_down() -> None:
    late = [1.0] * 10 + [0.95, 0.95, 0.3, 0.89, 0.9] + [1.0] * 5
    assert back_after(late, 0.5, 1.0) == 5 / 20
    assert back_after([1.0] * 20, 0.5, 1.0) == 0.0
    assert back_after([1.0] * 10 + [0.5] * 10, 0.5, 1.0) is None


def test_rounding_is_no_drop() -> None:
    assert time_below(np.full(10, 0.1 * 3 * 0.9), steady=0.3) == []


def test_a_stay_that_did_not_end_is_told_apart() -> None:
    assert time_below([1.0, 0.5, 1.0, 0.5, 0.5], steady=1.0) == [(0.2, True), (0.4, False)]
