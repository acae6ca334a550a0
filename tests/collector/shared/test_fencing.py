"""A sealer that was held up for longer than its lease writes nothing any more; without the fence there are two."""

from collections.abc import Iterator

import psycopg
import pytest

from hgldp.collector.collector import Collector
from hgldp.collector.log.postgres.database import Connection
from hgldp.collector.log.postgres.lease import Lease
from hgldp.collector.log.postgres.store import PostgresStorage
from hgldp.collector.log.storage import Transaction
from hgldp.collector.views import Receipt, TaskView
from tests.collector.fakes import SEARCH, FakeClock, create, log_of, now, upload
from tests.collector.homes import DatabaseHome


@pytest.fixture
def pair(postgres_url: str) -> Iterator[tuple[Collector, Collector, FakeClock]]:
    clock = FakeClock()
    both = [Collector.join(postgres_url, clock=clock, threaded=False) for _ in range(2)]
    yield both[0], both[1], clock
    for each in both:
        each.close()


def lapse(url: str) -> None:
    """The sealer has said nothing for longer than its lease, as if its process had been stopped."""
    with psycopg.connect(url) as connection:
        connection.execute("UPDATE sealer SET until = clock_timestamp() - interval '1 second'")


def fence(url: str) -> int:
    with psycopg.connect(url) as connection:
        found = connection.execute("SELECT fence FROM sealer").fetchone()
    assert found is not None
    return int(found[0])


def take(collector: Collector, view: TaskView, reports: int = 3) -> None:
    offered = collector.offer(now(collector, view), upload(now(collector, view), reports))
    collector.step()
    assert offered.outcome == Receipt(reports)


def held_up(url: str, pair: tuple[Collector, Collector, FakeClock]) -> TaskView:
    """The first seals, is held up, and the second takes over and seals what both have taken; then the first goes on."""
    first, second, clock = pair
    first.step()
    (view,) = create(first, SEARCH)
    second.step()
    take(first, view)
    lapse(url)
    clock.advance(2)
    take(second, view)
    assert fence(url) == 2
    take(first, view)
    take(second, view)
    clock.advance(2)
    for each in (first, second, first, second):
        each.step()
    return view


def written_by(pair: tuple[Collector, Collector, FakeClock], monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The positions of all entries that get past the fence, in the order in which they are written."""
    found: list[int] = []
    honest = PostgresStorage._carry_out

    def carry_out(storage: PostgresStorage, writer: Connection, transaction: Transaction) -> None:
        found.extend(entry.position for entry in transaction.entries)
        honest(storage, writer, transaction)

    monkeypatch.setattr(PostgresStorage, "_carry_out", carry_out)
    return found


def test_a_sealer_that_was_held_up_becomes_a_follower(
    postgres_url: str, pair: tuple[Collector, Collector, FakeClock], monkeypatch: pytest.MonkeyPatch
) -> None:
    positions = written_by(pair, monkeypatch)
    view = held_up(postgres_url, pair)
    first, second, _ = pair
    assert fence(postgres_url) == 2
    assert positions == sorted(set(positions))
    assert len(log_of(first, view)) == 4
    assert now(first, view).reports == now(second, view).reports == 12
    assert now(first, view).bulletins == now(second, view).bulletins
    assert first.ready
    assert second.ready
    report = DatabaseHome(postgres_url).replayed()
    assert report.agrees, str(report.difference)


def test_without_the_fence_there_are_two_sealers(
    postgres_url: str, pair: tuple[Collector, Collector, FakeClock], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both write entries at the same position. The key of the log refuses one of them, but it is the last resort."""
    monkeypatch.setattr(Lease, "check", lambda *_: None)
    positions = written_by(pair, monkeypatch)
    held_up(postgres_url, pair)
    assert len(positions) > len(set(positions))


def test_a_sealer_that_is_held_up_right_before_its_commit_writes_nothing(
    postgres_url: str, pair: tuple[Collector, Collector, FakeClock], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Meanwhile another takes the same rows of the inbox: they count once."""
    first, second, clock = pair
    first.step()
    (view,) = create(first, SEARCH)
    second.step()
    honest, paused = first.storage.write, []

    def late(transaction: Transaction) -> None:
        if transaction.entries and not paused:
            paused.append(transaction)
            lapse(postgres_url)
            clock.advance(2)
            second.step()
        honest(transaction)

    monkeypatch.setattr(first.storage, "write", late)
    take(first, view, 5)
    assert len(paused) == 1
    assert fence(postgres_url) == 2
    for each in (first, second):
        each.step()
        assert now(each, view).reports == 5
    assert len(log_of(second, view)) == 1
    assert DatabaseHome(postgres_url).replayed().agrees
