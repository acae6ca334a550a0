"""When a curve counts as back, in the words of the table."""

import numpy as np

from benchmarks.drift import back_from_change, back_from_seasons, exact_and_faded
from hgldp.experiments.studies.frontier.drift import ASKED

HALF = ASKED // 2


def test_one_change_is_measured_from_the_change() -> None:
    curve = np.array([0.8] * HALF + [0.1] * 4 + [0.8] * (HALF - 4))
    assert back_from_change(curve) == (0.8, f"{5 / ASKED:.1%}")
    assert back_from_change(np.array([0.8] * HALF + [0.1] * HALF)) == (0.8, "never")


def test_seasons_are_measured_by_the_longest_stay_below() -> None:
    curve = np.array([0.0] * HALF + [0.5] * 12 + [0.1] * 3 + [0.5] + [0.2] * 4)
    assert back_from_seasons(curve) == (0.5, f"{4 / ASKED:.1%}, not over")


def test_exact_counts_that_fade_name_the_new_item_after_one_half_life() -> None:
    items = np.repeat(np.array([0, 1], np.int32), 500)
    curve = exact_and_faded(items, half_lives=8, k=1)
    assert curve[:HALF].tolist() == [1.0] * HALF
    after = np.flatnonzero(curve[HALF + 2 :] == 1.0)  # by then most of the last tenth is new
    assert (after[0] + 3) / ASKED == 1 / 8
    assert curve[-1] == 1.0
