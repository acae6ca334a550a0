"""A key's rate and its cap for the day."""

import pytest

from hgldp.collector.problems import Problem, Refused
from hgldp.collector.writer.quotas import DailyCap, Rate
from hgldp.system.clock import day_of
from hgldp.wire.upload import MOST_REPORTS
from tests.collector.fakes import FakeClock


def wait_for(rate: Rate, reports: int) -> int | None:
    with pytest.raises(Refused) as caught:
        rate.take(reports)
    assert caught.value.problem is Problem.TOO_MANY_REPORTS
    return caught.value.retry_after


def test_without_limits_everything_passes() -> None:
    rate, cap = Rate(0, FakeClock()), DailyCap(0, FakeClock(), 0)
    for _ in range(1000):
        rate.take(MOST_REPORTS)
        assert cap.room() >= MOST_REPORTS
        cap.count(MOST_REPORTS)


def test_a_rate_lets_one_full_upload_through_and_then_waits() -> None:
    clock = FakeClock()
    rate = Rate(100, clock)
    rate.take(MOST_REPORTS)
    assert wait_for(rate, 150) == 2
    clock.advance(1.5)
    rate.take(150)
    assert wait_for(rate, 1) == 1
    rate.give_back(1)
    rate.take(1)
    clock.wall += 10**6
    assert wait_for(rate, 1) == 1


def test_a_cap_begins_anew_at_midnight() -> None:
    clock = FakeClock()
    cap = DailyCap(10, clock, 7)
    assert cap.room() == 3
    refused = cap.refusal()
    assert refused.problem is Problem.DAILY_CAP_REACHED
    assert refused.retry_after is not None
    today = day_of(clock.now())
    clock.advance(refused.retry_after - 1)
    assert day_of(clock.now()) == today
    assert cap.room() == 3
    clock.advance(1)
    assert cap.room() == 10
    cap.count(10)
    assert cap.room() == 0


def test_a_clock_set_back_grants_nothing() -> None:
    clock = FakeClock()
    cap = DailyCap(10, clock, 10)
    clock.wall -= 86_400
    assert cap.room() == 0
