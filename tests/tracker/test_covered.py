"""A window is made of whole epochs, and its counts are of as many reports as it says."""

import numpy as np
import pytest

from hgldp.model.budget import Budget
from hgldp.model.domain import RangeDomain
from hgldp.model.randomness import SeededWords
from hgldp.model.task import Task
from hgldp.schemes.registry import scheme_of
from hgldp.tracker import Tracker

TASK = Task("pfr", Budget(6.0), RangeDomain(50), k=3, epoch=700)
EVENTS = np.repeat([7, 9], 4_000)


@pytest.fixture(scope="module")
def tracker() -> Tracker:
    found, scheme, words = Tracker(TASK, seed=1), scheme_of(TASK), SeededWords(2)
    for item in EVENTS.tolist():
        found.insert_many(found.bulletin.version, [scheme.randomize(item, found.bulletin, words)])  # type: ignore[arg-type]
    return found


@pytest.mark.parametrize("window", [1_000, 2_500, 5_000])
def test_counts_are_of_the_reports_that_are_covered(tracker: Tracker, window: int) -> None:
    """Six standard errors: by chance once in 5e8."""
    covered = tracker.covered(window)
    assert covered != window
    true = np.bincount(EVENTS[-covered:], minlength=10)
    top = dict(tracker.top(3, window))
    assert abs(top[9].count - true[9]) < 6 * top[9].standard_error


def test_all_of_them_where_nobody_asks_for_a_window(tracker: Tracker) -> None:
    assert tracker.covered(None) == EVENTS.size


def test_none_where_no_epoch_fits(tracker: Tracker) -> None:
    assert tracker.covered(1) == 0
    assert tracker.top(3, 1) == []
