"""A follower hears at once what the sealer has published, and hears again after its connection was cut."""

import threading
import time

import psycopg
import pytest

from hgldp.collector.log.postgres.store import CHANNEL
from hgldp.collector.shared import listener
from hgldp.collector.shared.listener import Listener
from tests.patience import PATIENCE

LISTENS = f"query = 'LISTEN {CHANNEL}' AND pid != pg_backend_pid()"


def hears(database: psycopg.Connection, heard: threading.Event) -> bool:
    """Nobody knows when it has begun to listen, so it is told again and again."""
    heard.clear()
    until = time.monotonic() + PATIENCE
    while not heard.wait(0.05) and time.monotonic() < until:
        database.execute(f"NOTIFY {CHANNEL}".encode())
    return heard.is_set()


def test_it_hears_and_hears_again_after_a_cut(postgres_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listener, "AGAIN_SECONDS", 0.1)
    heard = threading.Event()
    listening = Listener(postgres_url, heard.set)
    listening.start()
    try:
        with psycopg.connect(postgres_url, autocommit=True) as database:
            assert hears(database, heard)
            cut = f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {LISTENS}"  # noqa: S608
            assert database.execute(cut.encode()).fetchall() == [(True,)]
            left = f"SELECT count(*) FROM pg_stat_activity WHERE {LISTENS}"  # noqa: S608
            while database.execute(left.encode()).fetchone() != (0,):
                time.sleep(0.01)
            assert hears(database, heard)
    finally:
        listening.stop()
