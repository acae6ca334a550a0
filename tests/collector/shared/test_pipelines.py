"""A collector that stops in the middle of a pipeline would keep its locks for ever, so none is used where it writes."""

import time

import psycopg
import pytest

from hgldp.collector.log.postgres.database import Database, execute_each
from hgldp.collector.views import Receipt
from tests.collector.fakes import TASKS, FakeClock, create, now, upload
from tests.collector.homes import DatabaseHome
from tests.patience import PATIENCE


class Used(Exception):
    """A pipeline was."""


@pytest.fixture
def _without_pipelines(monkeypatch: pytest.MonkeyPatch) -> None:
    def used(*_: object, **__: object) -> None:
        raise Used

    monkeypatch.setattr(psycopg.Cursor, "executemany", used)
    monkeypatch.setattr(psycopg.Connection, "pipeline", used)


@pytest.mark.usefixtures("_without_pipelines")
def test_a_collector_uses_no_pipeline(postgres_url: str) -> None:
    clock = FakeClock()
    collector = DatabaseHome(postgres_url).collector(clock)
    views = create(collector, *TASKS, reports_per_day=10_000)
    for _ in range(12):
        offered = [collector.offer(now(collector, view), upload(now(collector, view), 5)) for view in views]
        collector.step()
        assert all(each.outcome == Receipt(5) for each in offered)
        clock.advance(30)
    collector.seal(views[1].id)
    collector.close_task(views[1].id)
    collector.delete_task(views[2].id)
    assert len(collector.storage.bulletins(views[0].number)) > 3
    collector.close()
    assert DatabaseHome(postgres_url).replayed().agrees


@pytest.mark.usefixtures("_without_pipelines")
def test_a_pipeline_would_be_noticed(postgres_url: str) -> None:
    DatabaseHome(postgres_url).storage().close()
    database = Database(postgres_url)
    with pytest.raises(Used), database.transaction() as writer:
        writer.cursor().executemany("DELETE FROM days WHERE task = %s", [(1,), (2,)])
    database.close()


def test_whoever_stops_between_two_rows_holds_nobody_up(postgres_url: str) -> None:
    """PostgreSQL ends the transaction, here after a second, and the row is free."""
    DatabaseHome(postgres_url).storage().close()
    with psycopg.connect(postgres_url) as stopped, psycopg.connect(postgres_url, autocommit=True) as other:
        execute_each(stopped, "UPDATE sealer SET batch = batch + %s", [(1,), (2,)])
        began = time.monotonic()
        stopped.execute("SET LOCAL idle_in_transaction_session_timeout = '1s'")
        other.execute(f"SET lock_timeout = '{PATIENCE:.0f}s'".encode())
        other.execute("UPDATE sealer SET batch = 7")
        assert time.monotonic() - began > 0.9, "it had to wait for the one that stands still"
        with pytest.raises(psycopg.errors.IdleInTransactionSessionTimeout):
            stopped.execute("SELECT 1")
