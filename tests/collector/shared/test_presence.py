"""The limits of a task are divided by the number of collectors that are there: together they allow what one does."""

from collections.abc import Iterator
from contextlib import ExitStack, suppress
from dataclasses import replace

import psycopg
import pytest

from hgldp.collector.collector import Collector
from hgldp.collector.log.postgres.database import Database
from hgldp.collector.problems import Refused
from hgldp.collector.shared.presence import FORGOTTEN_SECONDS, OF_LATE_SECONDS, Presence
from hgldp.collector.views import TaskTerms, TaskView
from hgldp.collector.writer.quotas import Accounts, quotas_of
from hgldp.collector.writer.quotas.rate import BURST_SECONDS
from tests.collector.fakes import HOT, SEARCH, FakeClock, create, start
from tests.collector.homes import DatabaseHome

PER_SECOND, SECONDS = 60, 30


@pytest.fixture
def database(postgres_url: str) -> Iterator[Database]:
    DatabaseHome(postgres_url).storage().close()
    found = Database(postgres_url)
    yield found
    found.close()


def seen_ago(url: str, name: str, seconds: int) -> None:
    with psycopg.connect(url) as connection:
        connection.execute(
            "UPDATE workers SET seen = clock_timestamp() - make_interval(secs => %s) WHERE name = %s", (seconds, name)
        )


def names(url: str) -> set[str]:
    with psycopg.connect(url) as connection:
        return {str(name) for (name,) in connection.execute("SELECT name FROM workers")}


def test_each_counts_those_that_were_there_of_late(database: Database, postgres_url: str) -> None:
    heard: list[int] = []
    first, second, third = (Presence(database, name, heard.append) for name in ("one", "two", "three"))
    for each in (first, first, second, third, first):
        each.look()
    assert heard == [1, 1, 2, 3, 3]
    seen_ago(postgres_url, "two", OF_LATE_SECONDS + 1)
    third.leave()
    first.look()
    assert heard[-1] == 1
    assert names(postgres_url) == {"one", "two"}
    second.look()
    assert heard[-1] == 2
    seen_ago(postgres_url, "two", FORGOTTEN_SECONDS + 1)
    first.look()
    assert names(postgres_url) == {"one"}


def test_one_that_was_not_seen_for_long_counts_itself(database: Database, postgres_url: str) -> None:
    heard: list[int] = []
    own = Presence(database, "one", heard.append)
    own.look()
    seen_ago(postgres_url, "one", FORGOTTEN_SECONDS + 1)
    own.look()
    assert heard == [1, 1]


def taken(collector: Collector, view: TaskView) -> int:
    """Of as many reports as want in now, one by one."""
    quotas = collector._writer.intakes[view.number].quotas
    assert quotas is not None
    for count in range(10 * PER_SECOND * BURST_SECONDS):
        try:
            quotas.take(1, "")
        except Refused:
            return count
    raise AssertionError("there must be a limit")


@pytest.mark.parametrize("collectors", [1, 2, 3])
def test_several_take_as_much_in_a_second_as_one(postgres_url: str, collectors: int) -> None:
    """Of a task that one of them knew before the others came, and of one that was created later."""
    clock = FakeClock()
    with ExitStack() as opened:
        there = [Collector.join(postgres_url, clock=clock, threaded=False) for _ in range(collectors)]
        for each in there:
            opened.callback(each.close)
        there[0].step()
        views = create(there[0], HOT, reports_per_second=PER_SECOND)
        for _ in range(2):
            clock.advance(1.1)
            for each in there:
                each.step()
        views += create(there[0], SEARCH, reports_per_second=PER_SECOND)
        clock.advance(1.1)
        for each in there:
            each.step()
        for view in views:
            for each in there:
                taken(each, view)  # what was saved before
            found = 0
            for _ in range(SECONDS):
                clock.advance(1.0)
                found += sum(taken(each, view) for each in there)
            assert SECONDS * PER_SECOND - collectors <= found <= SECONDS * PER_SECOND + collectors


def allowed(collectors: int, resized: int = 0) -> int:
    """How much one address gets of a day when it asks all of them in turn, until nobody gives it any more."""
    clock, cap = FakeClock(), 40_000
    view = replace(start(HOT).view(), terms=TaskTerms("capped", reports_per_day=cap))
    found = 0
    for _ in range(collectors):
        quotas = quotas_of(view, clock, Accounts(100), 0)
        assert quotas is not None
        for size in (resized, collectors):
            if size:
                quotas.share_among(size)
        with suppress(Refused):
            while True:
                quotas.take(1, "203.0.113.9")
                found += 1
    return found


@pytest.mark.parametrize("collectors", [2, 3, 4])
def test_an_address_gets_the_same_part_of_a_day_from_several_as_from_one(collectors: int) -> None:
    alone = allowed(1)
    assert 0 < alone < 40_000
    assert abs(allowed(collectors) - alone) <= collectors
    assert abs(allowed(collectors, resized=7) - alone) <= 7 * collectors
