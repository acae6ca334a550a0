"""The share of intervals that hold the truth is told as it is."""

from dataclasses import replace

import numpy as np
import pytest
from benchmarks.coverage import Coverage, cover, since_admission, whole_stream

from hgldp.experiments.measuring.streams import Library
from hgldp.model.estimate import Estimate
from hgldp.simulation.run import Plan

STREAM = np.array([7] * 30 + [1] * 70, np.int32)
LINE = Estimate(7, 30.0, 5.0, 0.0, 5.0, 70, 0)


def test_truth_is_counted_since_admission_and_over_everything() -> None:
    assert since_admission(LINE, STREAM) == (0.0, True)
    assert whole_stream(LINE, STREAM) == (0.0, True)
    assert since_admission(replace(LINE, since=100), STREAM) == (-6.0, False)
    assert whole_stream(replace(LINE, count=41.0), STREAM) == (pytest.approx(2.2), False)


def test_a_row_is_means_and_shares() -> None:
    found = Coverage((1.0, 0.0), (True, False), (2.0, -4.0), (False, False), (True, False, False, False))
    assert found.row == ("+0.50", "50.0%", "-1.00", "0.0%", "25%")


def test_where_everybody_is_tracked_the_intervals_hold() -> None:
    """20 items, all tracked, ε = 2: of 800 lines 91.2 to 98.8 % hold, or it is an accident of one in a million.

    Intervals half as wide would be noticed: they are the planted bug.
    """
    found = cover(Plan("pfr", 2.0, 20), "normal:n=20000,d=20,sigma=5", 0.0, 40, Library())
    assert len(found.whole) == 800
    for held, errors in ((found.whole_held, found.whole), (found.since_held, found.since)):
        assert 0.912 <= np.mean(held) <= 0.988
        assert np.mean(np.abs(errors) < 0.98) < 0.912
