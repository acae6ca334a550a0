"""The sealer looks for what may go without reading large tables through, and without keeping anybody waiting."""

from collections.abc import Iterator

import psycopg
import pytest

from hgldp.collector.log.postgres.database import Database
from hgldp.collector.log.postgres.gates import SHUT
from hgldp.collector.log.postgres.lease import Lease, LeaseLost
from hgldp.collector.log.postgres.store import PostgresStorage
from hgldp.collector.log.storage import Transaction
from tests.collector.homes import DatabaseHome
from tests.collector.log.sample_rows import TASK

MANY = 30_000
TABLES = ("log", "inbox", "upload_ids", "requests")


def run(url: str, *statements: str) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        for each in statements:
            connection.execute(each.encode())


def rows_read(url: str) -> dict[str, int]:
    """How many rows of the large tables were read so far, one after the other or in an index."""
    with psycopg.connect(url) as connection:
        connection.execute("SELECT pg_stat_force_next_flush()")
        found = connection.execute(
            "SELECT relname, max(seq_tup_read) + sum(idx_tup_read) FROM pg_stat_user_tables "
            "JOIN pg_stat_user_indexes USING (relname) GROUP BY relname"
        ).fetchall()
    return {name: read for name, read in found if name in TABLES}


@pytest.fixture
def storage(postgres_url: str) -> Iterator[PostgresStorage]:
    """One task with as many rows as a busy day brings, in tables that were analysed when all was there."""
    found = DatabaseHome(postgres_url).storage()
    found.write(Transaction([TASK]))
    numbers = f"generate_series(1, {MANY}) AS n"
    run(
        postgres_url,
        f"INSERT INTO log SELECT n, n, 0, 1, 0, '', 1, '', '', '', '' FROM {numbers}",  # noqa: S608
        f"INSERT INTO inbox (task, epoch, bulletin, reports, ids, counts, symbols) SELECT 1, 9, '', 1, '', '', '' FROM {numbers}",  # noqa: S608, E501
        f"INSERT INTO upload_ids SELECT 1, 9, gen_random_uuid() FROM {numbers}",  # noqa: S608
        f"INSERT INTO requests (task, kind) SELECT 1, 1 FROM {numbers}",  # noqa: S608
        "UPDATE gates SET open_from = 9",
        "VACUUM ANALYZE",
    )
    yield found
    found.close()


def read_in_vain(url: str) -> dict[str, int]:
    """By one look that finds nothing."""
    before = rows_read(url)
    storage = DatabaseHome(url).storage()
    assert not storage.tidy()
    storage.close()  # a connection that ends tells what it has read
    after = rows_read(url)
    return {name: after[name] - before[name] for name in TABLES}


def tidied(storage: PostgresStorage) -> int:
    """How often something was deleted."""
    times = 0
    while storage.tidy():
        times += 1
    return times


def test_where_nothing_may_go_no_table_is_read_through(storage: PostgresStorage, postgres_url: str) -> None:
    storage.database.close()
    assert max(read_in_vain(postgres_url).values()) < 10


def test_nor_after_most_of_it_has_gone_and_the_planner_does_not_know(
    storage: PostgresStorage, postgres_url: str
) -> None:
    run(postgres_url, "UPDATE gates SET open_from = 10", "INSERT INTO upload_ids VALUES (1, 10, gen_random_uuid())")
    assert tidied(storage) == 2
    assert DatabaseHome(postgres_url).rows("upload_ids", 1) == 1
    storage.database.close()
    assert max(read_in_vain(postgres_url).values()) < 10


def test_ids_stay_as_long_as_their_upload_may_come_again(storage: PostgresStorage, postgres_url: str) -> None:
    run(postgres_url, f"UPDATE gates SET open_from = {SHUT}")  # noqa: S608
    assert tidied(storage) == 0
    assert DatabaseHome(postgres_url).rows("upload_ids", 1) == MANY


def test_looking_waits_for_nobody(storage: PostgresStorage, postgres_url: str) -> None:
    """As long as there is nothing to delete, it does not touch the row of the sealer."""
    storage.lease = Lease(Database(postgres_url), "this one")
    assert storage.lease.acquire()
    with psycopg.connect(postgres_url) as other:
        other.execute("SELECT FROM sealer FOR UPDATE")
        with psycopg.connect(postgres_url, autocommit=True) as asking:
            name = asking.info.dbname
            asking.execute(f"ALTER DATABASE {name} SET lock_timeout = '1s'".encode())
        again = PostgresStorage(Database(postgres_url), storage.lease)
        assert not again.tidy()
        again.database.close()


def test_only_the_sealer_deletes(storage: PostgresStorage, postgres_url: str) -> None:
    storage.write(Transaction(deleted=[TASK.number]))
    storage.lease = Lease(Database(postgres_url), "another")
    with pytest.raises(LeaseLost):
        storage.tidy()
    assert DatabaseHome(postgres_url).rows("upload_ids", 1) == MANY
