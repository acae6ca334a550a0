"""The cap of a day, and what one address can have of it."""

import pytest

from hgldp.collector.problems import Problem
from hgldp.collector.writer.quotas import Account, DailyCap, DayShares
from hgldp.system.clock import day_of
from hgldp.wire.upload import MOST_REPORTS
from tests.collector.fakes import FakeClock
from tests.collector.writer.quotas.crowd import MIDNIGHT

CAP = 100_000


@pytest.fixture
def clock() -> FakeClock:
    found = FakeClock()
    found.wall = MIDNIGHT
    return found


def all_it_can(shares: DayShares, account: Account, size: int = 1) -> int:
    got = 0
    while not shares.take(size, account):
        got += size
    return got


def test_without_a_limit_everything_passes() -> None:
    cap = DailyCap(0, FakeClock(), 0)
    for _ in range(1000):
        assert cap.room() >= MOST_REPORTS
        cap.count(MOST_REPORTS)


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


def test_a_clock_set_back_grants_nothing(clock: FakeClock) -> None:
    cap, shares, account = DailyCap(10, clock, 10), DayShares(CAP, clock, 0), Account()
    all_it_can(shares, account)
    clock.wall -= 86_400
    assert cap.room() == 0
    assert shares.take(1, account) > 0


@pytest.mark.parametrize("size", [1, 64, 4_096])
def test_one_address_gets_an_eighth_at_midnight_and_half_in_a_day(clock: FakeClock, size: int) -> None:
    shares, account = DayShares(CAP, clock, 0), Account()
    assert CAP / 8 - size <= all_it_can(shares, account, size) <= CAP / 8
    clock.advance(86_399)
    all_it_can(shares, account, size)
    assert CAP / 2 - size <= account.day_used <= CAP / 2
    clock.advance(1)
    assert CAP / 8 - size <= all_it_can(shares, account, size) <= CAP / 8


def test_an_address_that_had_little_gets_in_even_if_all_that_is_released_is_gone(clock: FakeClock) -> None:
    shares = DayShares(CAP, clock, CAP // 2)
    assert all_it_can(shares, Account()) == pytest.approx(CAP / 2 / 256, abs=1.5)


def test_the_first_upload_of_a_day_may_take_all_that_is_released_and_the_second_may_not(clock: FakeClock) -> None:
    shares, account = DayShares(100, clock, 0), Account()
    assert shares.take(64, account) > 0
    clock.advance(86_400 * 0.55)
    assert shares.take(64, account) == 0
    clock.advance(86_400 * 0.4)
    assert shares.take(20, account) > 0
    assert shares.take(1, Account()) == 0


def test_the_wait_is_long_enough_and_what_is_given_back_is_free_again(clock: FakeClock) -> None:
    shares, account = DayShares(CAP, clock, 0), Account()
    all_it_can(shares, account)
    wait = shares.take(10, account)
    clock.advance(wait - 1)
    assert shares.take(10, account) > 0
    clock.advance(1.001)
    assert shares.take(10, account) == 0
    assert shares.take(10, account) > 0
    shares.give_back(10, account)
    assert shares.take(10, account) == 0


def test_a_restart_keeps_to_the_pace_of_the_day(clock: FakeClock) -> None:
    """After it an address begins anew, but within what the log leaves of the day."""
    shares, account = DayShares(CAP, clock, CAP // 4), Account()
    assert all_it_can(shares, account, 1_000) == 0
    clock.advance(43_200)
    assert all_it_can(shares, account, 1_000) == 18_000


def test_without_an_address_only_the_cap_counts(clock: FakeClock) -> None:
    assert DayShares(CAP, clock, 0).take(CAP, None) == 0
