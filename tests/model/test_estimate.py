"""Every estimate has a standard error, and an interval made of it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import norm

from hgldp.model.estimate import Z95, Estimate

numbers = st.floats(-1e9, 1e9)
errors = st.floats(0, 1e9)


def test_the_interval_is_the_normal_one_at_95_percent() -> None:
    assert pytest.approx(norm.ppf(0.975), rel=1e-12) == Z95


@given(count=numbers, error=errors, tracked=numbers, tracked_error=errors)
def test_the_two_intervals_are_centred_on_their_own_numbers(
    count: float, error: float, tracked: float, tracked_error: float
) -> None:
    estimate = Estimate(3, count, error, tracked, tracked_error)
    assert estimate.interval == (count - Z95 * error, count + Z95 * error)
    assert estimate.tracked_interval == (tracked - Z95 * tracked_error, tracked + Z95 * tracked_error)
