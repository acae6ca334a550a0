"""A collector that cannot start leaves nothing behind in the database's server."""

import psycopg
import pytest

from hgldp.collector.collector import Collector
from tests.collector.fakes import SEARCH, FakeClock, create
from tests.collector.homes import DatabaseHome
from tests.collector.shared.test_takeover import of_another_era
from tests.patience import until


def connections(mine: psycopg.Connection) -> int:
    """Those that others have to the same database."""
    found = mine.execute(
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid != pg_backend_pid() "
        "AND backend_type = 'client backend'"
    ).fetchone()
    assert found is not None
    return int(found[0])


def test_a_start_that_fails_leaves_no_connection(postgres_url: str) -> None:
    """Not even those of the lease, which it already had."""
    collector = DatabaseHome(postgres_url).collector(FakeClock())
    create(collector, SEARCH)
    collector.close()
    of_another_era(postgres_url)

    def killed(_: int) -> bytes:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError) as kept:
        Collector.join(postgres_url, threaded=False, entropy=killed)
    with psycopg.connect(postgres_url, autocommit=True) as mine:
        until(lambda: not connections(mine))
    del kept  # until here it keeps them from being collected
