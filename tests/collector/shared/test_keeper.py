"""The keeper reads everything again only when it has to, and becomes the sealer in whatever state it is."""

import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from itertools import pairwise
from typing import Any

import psycopg
import pytest

from hgldp.collector.collector import Collector
from hgldp.collector.log.postgres.lease import Lease, LeaseLost
from hgldp.collector.log.task_state import TaskState
from hgldp.collector.shared.keeper import FAILING_PAUSE, Keeper
from hgldp.collector.shared.writer import SharedWriter
from hgldp.errors import StorageFailed
from tests.collector.fakes import SEARCH, FakeClock, create, now, upload
from tests.collector.shared.conftest import Pair
from tests.patience import PATIENCE, until

REFUSES_INSERTS = """
CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no room'; END $$;
CREATE TRIGGER full_up BEFORE INSERT ON {table} EXECUTE FUNCTION refuse();
"""
TAKES_THEM_AGAIN = "DROP FUNCTION refuse CASCADE"


def run(url: str, statement: str) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(statement.encode())


def keeper_of(collector: Collector) -> Keeper:
    return collector._writer._keeper  # type: ignore[union-attr]


def steps(collector: Collector, clock: FakeClock) -> None:
    for _ in range(4):
        clock.advance(0.6)
        collector.step()


@pytest.mark.parametrize("place", [0, 1], ids=["the sealer", "a follower"])
def test_chores_that_fail_are_told_and_nothing_is_read_again(
    pair: Pair, place: int, clock: FakeClock, reloads: list[SharedWriter], postgres_url: str
) -> None:
    create(pair[0], SEARCH)
    collector = pair[place]
    collector.step()
    reloads.clear()
    run(postgres_url, REFUSES_INSERTS.format(table="workers"))
    steps(collector, clock)
    assert not collector.ready
    run(postgres_url, TAKES_THEM_AGAIN)
    steps(collector, clock)
    assert collector.ready
    assert reloads == []


def test_a_bug_in_a_chore_is_told_once_and_the_sealer_goes_on(
    pair: Pair, clock: FakeClock, caplog: pytest.LogCaptureFixture
) -> None:
    first = pair[0]
    (view,) = create(first, SEARCH)

    def wrong() -> None:
        raise ZeroDivisionError

    keeper_of(first).chores.append(wrong)
    steps(first, clock)
    assert caplog.text.count("keeper failed: ZeroDivisionError") == 1
    first.offer(now(first, view), upload(view, 9))
    first.step()
    assert now(first, view).epoch == 1
    assert not first.ready


def test_a_sealer_whose_database_takes_no_rows_reads_again_when_it_takes_them(
    pair: Pair, clock: FakeClock, reloads: list[SharedWriter], postgres_url: str
) -> None:
    first, second = pair
    (view,) = create(first, SEARCH)
    second.step()
    second.offer(now(second, view), upload(view, 3))
    second.step()
    run(postgres_url, REFUSES_INSERTS.format(table="log"))
    run(postgres_url, "CREATE TRIGGER full_up BEFORE INSERT ON workers EXECUTE FUNCTION refuse()")
    reloads.clear()
    for _ in range(5):
        steps(first, clock)
    assert len(reloads) <= 2, "twenty steps"
    run(postgres_url, TAKES_THEM_AGAIN)
    steps(first, clock)
    assert first.ready
    assert now(first, view).reports == 3


def test_whoever_follows_has_written_nothing_and_reads_nothing_again(
    pair: Pair, clock: FakeClock, reloads: list[SharedWriter], postgres_url: str
) -> None:
    """As while the database is being updated: then it must not be asked for everything twice a second."""
    second = pair[1]
    second.step()
    reloads.clear()
    run(postgres_url, "UPDATE service SET value = (value::int + 1)::text WHERE name = 'format'")
    steps(second, clock)
    assert not second.ready
    assert reloads == []
    run(postgres_url, "UPDATE service SET value = (value::int - 1)::text WHERE name = 'format'")
    steps(second, clock)
    assert second.ready


def test_news_do_not_make_a_collector_ask_a_database_that_fails(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[float] = []

    def lost(_: SharedWriter) -> bool:
        asked.append(time.monotonic())
        raise StorageFailed("the connection was lost")

    monkeypatch.setattr(SharedWriter, "seal_some", lost)
    collector = Collector.join(postgres_url)
    until(lambda: keeper_of(collector).wake() or len(asked) > 3)
    collector.close()
    assert min(later - earlier for earlier, later in pairwise(asked[:4])) > 0.9 * FAILING_PAUSE


class OldFence(Lease):
    """Finds out, when `told`, that another has become the sealer."""

    def __init__(self) -> None:
        self.holder, self.fence = "this", 1
        self.asks, self.told = threading.Event(), threading.Event()

    def renew(self) -> None:
        self.asks.set()
        self.told.wait(PATIENCE)
        self.fence = None
        raise LeaseLost("another collector has become the sealer")

    def acquire(self, *, from_earlier_version: bool = False) -> bool:
        self.fence = 3
        return True


def test_what_is_found_out_about_an_old_fence_is_not_taken_for_the_new_one(pair: Pair) -> None:
    keeper, lease = keeper_of(pair[1]), OldFence()
    keeper._lease = lease

    def stay() -> None:
        with suppress(LeaseLost):
            keeper._renew()

    staying = threading.Thread(target=stay)
    staying.start()
    assert lease.asks.wait(PATIENCE)
    lease.fence = None  # the step under way has found out first
    threading.Timer(0.3, lease.told.set).start()
    keeper._try_to_seal()
    staying.join(PATIENCE)
    assert lease.fence == 3
    keeper._lease = Lease(pair[1].storage.database, "nobody")  # type: ignore[attr-defined]


@pytest.fixture
def released(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """Every task is slow to end an epoch until this is set."""
    may_end, honest = threading.Event(), TaskState.count

    def count(state: TaskState, entry: Any) -> None:
        if threading.current_thread().name.startswith("hgldp-workshop"):
            may_end.wait(PATIENCE)
        honest(state, entry)

    monkeypatch.setattr(TaskState, "is_slow", property(lambda _: True))
    monkeypatch.setattr(TaskState, "count", count)
    yield may_end
    may_end.set()


def test_a_follower_becomes_the_sealer_while_a_task_is_busy(
    pair: Pair, clock: FakeClock, released: threading.Event
) -> None:
    """The end of an epoch that it has begun to count counts once, and its news are no secret afterwards."""
    first, second = pair
    (view,) = create(first, SEARCH)
    second.step()
    workshop = second._writer._workshop  # type: ignore[union-attr]
    workshop.open(lambda: None)
    first.offer(view, upload(view, 9))
    first.step()
    second.step()
    assert now(second, view).epoch == 0
    assert second._writer._writer.is_behind  # type: ignore[union-attr]
    first.close()
    clock.advance(2)
    threading.Timer(0.2, released.set).start()
    for _ in range(3):
        second.step()
    assert keeper_of(second)._lease.fence is not None
    assert (now(second, view).epoch, now(second, view).reports) == (1, 9)
    assert keeper_of(second)._knows_all()
    workshop.close()
    assert second.ready


def test_a_sealer_that_is_slow_to_end_an_epoch_does_not_know_all(pair: Pair, released: threading.Event) -> None:
    """A bulletin may be written while its task is busy here, and others show it already."""
    first = pair[0]
    (view,) = create(first, SEARCH)
    workshop = first._writer._workshop  # type: ignore[union-attr]
    workshop.open(lambda: None)
    first.offer(view, upload(view, 9))
    first.step()
    assert keeper_of(first)._lease.fence is not None
    assert not keeper_of(first)._knows_all()
    released.set()
    workshop.close()
    first.step()
    assert keeper_of(first)._knows_all()
    assert now(first, view).epoch == 1


def test_a_follower_whose_database_fails_tells_it_once(
    pair: Pair, clock: FakeClock, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    second = pair[1]
    second.step()
    caplog.set_level("INFO", "hgldp.collector")

    def lost(_: SharedWriter) -> bool:
        raise StorageFailed("the connection was lost")

    with monkeypatch.context() as planted:
        planted.setattr(SharedWriter, "follow", lost)
        steps(second, clock)
    assert caplog.text.count("storage failed: the connection was lost") == 1
    assert not second.ready
    assert "works again" not in caplog.text
    steps(second, clock)
    assert second.ready
    assert caplog.text.count("this collector works again") == 1


def test_a_sealer_that_was_replaced_says_so_whoever_finds_it_out(
    pair: Pair, clock: FakeClock, caplog: pytest.LogCaptureFixture, postgres_url: str
) -> None:
    """Before: only if a step found it out, and not the thread that renews the lease."""
    first, second = pair
    caplog.set_level("INFO", "hgldp.collector")
    create(first, SEARCH)
    second.step()
    run(postgres_url, "UPDATE sealer SET until = clock_timestamp() - interval '1 second'")
    clock.advance(2)
    second.step()
    with pytest.raises(LeaseLost):
        keeper_of(first)._renew()
    steps(first, clock)
    assert caplog.text.count("another collector seals now") == 1
    assert first.ready
