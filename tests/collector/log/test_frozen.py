"""A long read of the shared store: it stays at one moment, outlives impatient servers, and fails in our words."""

import time
from collections.abc import Iterator

import psycopg
import pytest

from hgldp.collector.log.postgres import frozen
from hgldp.collector.log.postgres.database import Database
from hgldp.collector.log.postgres.store import PostgresStorage
from hgldp.collector.log.storage import Transaction
from hgldp.errors import StorageFailed
from tests.collector.homes import DatabaseHome
from tests.collector.log.sample_rows import ENTRY, TASK


@pytest.fixture
def storage(postgres_url: str) -> Iterator[PostgresStorage]:
    found = DatabaseHome(postgres_url).storage()
    found.write(Transaction([TASK], [ENTRY]))
    yield found
    found.close()


def cut(url: str) -> None:
    """Every connection but our own."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid != pg_backend_pid()"
        )


def test_a_connection_that_is_lost_in_the_middle_is_a_failure_of_the_storage(
    storage: PostgresStorage, postgres_url: str
) -> None:
    with storage.at_one_moment() as moment:
        cut(postgres_url)
        with pytest.raises(StorageFailed, match="terminating connection"):
            moment.tasks()
    assert storage.tasks() == [TASK], "the next read has another connection"


def test_so_is_one_that_is_lost_in_the_middle_of_a_stream(storage: PostgresStorage, postgres_url: str) -> None:
    storage.write(Transaction(entries=[ENTRY.__class__(number, 1, 0.0, 1, 1) for number in range(2, 400)]))
    with storage.at_one_moment() as moment:
        entries = moment.entries()
        assert next(entries) == ENTRY
        cut(postgres_url)
        with pytest.raises(StorageFailed, match="terminating connection"):
            list(entries)


def test_a_long_read_outlives_a_server_that_ends_idle_transactions(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A pooler ends them too, whatever the transaction sets, so it must not be idle."""
    DatabaseHome(postgres_url).storage().close()
    name = postgres_url.rsplit("/", 1)[1]
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        connection.execute(f"ALTER DATABASE {name} SET idle_in_transaction_session_timeout = '500ms'".encode())
    monkeypatch.setattr(frozen, "STAY_SECONDS", 0.1)
    storage = PostgresStorage(Database(postgres_url))
    with storage.at_one_moment() as moment:
        assert moment.tasks() == []
        storage.write(Transaction([TASK]))
        time.sleep(1.5)
        assert moment.tasks() == []
    assert storage.tasks() == [TASK]
    storage.close()


def test_whatever_is_called_a_reading_cannot_write(storage: PostgresStorage) -> None:
    with pytest.raises(StorageFailed, match="read-only"), storage.database.reading() as reader:
        reader.execute("DELETE FROM tasks")
    assert storage.tasks() == [TASK]
    assert storage.request(1, 2) == 1
    storage.write(Transaction(deleted=[1]))
    assert storage.tasks() == []
