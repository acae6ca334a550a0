"""No more than the rate and a burst of ten seconds, whoever asks and however often the server is started again."""

import random
from collections.abc import Callable
from itertools import pairwise

import pytest

from hgldp.collector.writer.quotas import Account, SharedRate
from hgldp.wire.upload import MOST_REPORTS
from tests.collector.fakes import FakeClock
from tests.collector.writer.quotas.first_come import FirstComeRate

RATES = (1, 10, 1_000)
SIZES = (1, 2, 64, 1_000, MOST_REPORTS)


def most_above_the_rate(kind: Callable[..., SharedRate], per_second: int, seed: int, *, full: bool) -> float:
    """The most by which an interval of a random life gets more than the rate allows, in seconds of the rate.

    Thirty addresses send uploads of all sizes; some are given back; now and then it is quiet.
    """
    clock, draw = FakeClock(), random.Random(seed)
    rate, accounts = kind(per_second, clock, full=full), [Account() for _ in range(30)]
    worst = above = 0.0
    for _ in range(5_000):
        pause = draw.choice((0.0, 0.01, 0.3, 2.0, 60.0))
        clock.advance(pause)
        above = max(0.0, above - pause * per_second)
        account, size = draw.choice(accounts), draw.choice(SIZES)
        saved = account.saved
        taken = rate.take(size, account) == 0
        above += account.saved - saved + (size if taken else 0)
        if taken and draw.random() < 0.1:
            rate.give_back(size, account)
            above = max(0.0, above - size)
        worst = max(worst, above / per_second)
    return worst


@pytest.mark.parametrize("per_second", RATES)
def test_no_interval_gets_more_than_the_rate_and_ten_seconds(per_second: int) -> None:
    """What is saved counts when it is saved. Seeds are fixed; the bound holds for each of them."""
    for seed in range(5):
        assert most_above_the_rate(SharedRate, per_second, seed, full=True) <= 10 + 1e-6


def test_the_check_refuses_the_bucket_of_before() -> None:
    assert most_above_the_rate(FirstComeRate, 10, 1, full=True) > 6_000


def test_since_the_start_it_never_gives_more_than_the_rate() -> None:
    """A full upload of 65,536 at 10 per second is through when it is paid for, not before."""
    clock = FakeClock()
    rate, account = SharedRate(10, clock, full=False), Account()
    while wait := rate.take(MOST_REPORTS, account):
        clock.advance(wait)
    assert clock.steady - 1000 >= MOST_REPORTS / 10
    assert clock.steady - 1000 <= 1.5 * MOST_REPORTS / 10


def test_the_bucket_of_before_gave_a_full_upload_at_every_start() -> None:
    for _ in range(3):
        assert FirstComeRate(10, FakeClock()).take(MOST_REPORTS, Account()) == 0


@pytest.mark.parametrize("size", [1, 5, 20, 64])
def test_alone_an_address_gets_the_whole_rate(size: int) -> None:
    clock = FakeClock()
    rate, account, got = SharedRate(10, clock, full=False), Account(), 0
    for _ in range(6_000):
        clock.advance(0.1)
        got += 0 if rate.take(size, account) else size
    assert 0.95 * 6_000 <= got <= 6_000


def test_greedy_addresses_share_alike_whatever_the_size_of_their_uploads() -> None:
    clock = FakeClock()
    rate, sizes = SharedRate(1_000, clock, full=False), (1, 10, 64, 200)
    accounts, got = [Account() for _ in sizes], [0] * len(sizes)
    for _ in range(1_000):
        clock.advance(0.1)
        for number, size in enumerate(sizes):
            while not rate.take(size, accounts[number]):
                got[number] += size
    assert sum(got) == pytest.approx(100_000, rel=0.06)
    assert max(got) <= 1.1 * min(got)


def test_a_newcomer_gets_in_at_once_beside_a_hundred_greedy_ones() -> None:
    clock = FakeClock()
    rate, greedy, waits = SharedRate(100, clock, full=True), [Account() for _ in range(100)], []
    for step in range(300):
        clock.advance(0.1)
        for account in greedy:
            while not rate.take(1, account):
                pass
        waits += [rate.take(1, Account())] if step >= 50 else []
    assert not any(waits)


def test_what_is_given_back_can_be_had_again_and_the_time_of_day_changes_nothing() -> None:
    clock = FakeClock()
    rate, account = SharedRate(10, clock, full=True), Account()
    taken = 0
    while not rate.take(1, account):
        taken += 1
    rate.give_back(taken, account)
    again = 0
    while not rate.take(1, account):
        again += 1
    assert (taken, again) == (38, 38)
    clock.wall += 10**6
    assert 1 <= rate.take(1, account) <= 3


def test_without_an_address_only_the_bucket_counts() -> None:
    clock = FakeClock()
    rate = SharedRate(10, clock, full=True)
    assert rate.take(100, None) == 0
    assert rate.take(20, None) == 2
    rate.give_back(100, None)
    assert rate.take(100, None) == 0


def test_what_is_saved_is_spent_whatever_the_bucket_holds() -> None:
    clock = FakeClock()
    rate, greedy, others = SharedRate(10, clock, full=True), Account(), Account()
    assert rate.take(80, greedy) > 0
    saved = greedy.saved
    while not rate.take(1, others):
        pass
    assert rate.take(saved - 1, greedy) == 0
    assert greedy.saved == pytest.approx(1)
    assert rate.take(1, greedy) == 0
    assert rate.take(1, greedy) > 0


def test_waits_grow_with_what_is_missing() -> None:
    clock = FakeClock()
    rate = SharedRate(10, clock, full=False)
    waits = [rate.take(size, Account()) for size in (1, 20, 25, MOST_REPORTS)]
    assert all(one <= other for one, other in pairwise(waits))
    assert (waits[0], waits[-1]) == (1, 3)
