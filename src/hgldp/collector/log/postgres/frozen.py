"""A shared store at one moment: nothing that collectors do meanwhile can be seen."""

import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress

import psycopg

from hgldp.collector.log.postgres.database import Connection, Database, told_in_our_words
from hgldp.collector.log.postgres.migrations import check_format, found_format
from hgldp.collector.log.postgres.reading import DatabaseReading
from hgldp.errors import StorageFailed

STAY_SECONDS = 5.0


class FrozenDatabase(DatabaseReading):
    """Nothing is written. Whoever reads may compute for minutes in between.

    Servers and poolers end a transaction in which nothing happens. So something does every few seconds, as long as
    this process runs: if it stands still, the transaction ends and holds nobody up.
    """

    def __init__(self, database: Database, secret: bytes = b"") -> None:
        check_format(found_format(database))
        self.secret = secret
        self._held = ExitStack()
        self._connection = self._held.enter_context(database.reading(psycopg.IsolationLevel.REPEATABLE_READ))
        self._ended = threading.Event()
        self._stayer = threading.Thread(target=self._stay, name="hgldp-reading", daemon=True)
        self._stayer.start()

    def _stay(self) -> None:
        while not self._ended.wait(STAY_SECONDS):
            with suppress(psycopg.Error):
                self._connection.execute("SELECT")

    @contextmanager
    def _reader(self) -> Iterator[Connection]:
        with told_in_our_words():
            yield self._connection

    def close(self) -> None:
        """End the transaction; if it has ended already, whoever read has been told."""
        self._ended.set()
        self._stayer.join()
        with suppress(StorageFailed):
            self._held.close()
