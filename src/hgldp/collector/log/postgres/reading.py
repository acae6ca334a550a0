"""Reads from PostgreSQL, as in a folder."""

from abc import abstractmethod
from collections.abc import Iterator
from contextlib import AbstractContextManager
from typing import Any

from hgldp.collector.log.postgres.database import Connection
from hgldp.collector.log.reading import Reading
from hgldp.collector.log.storage import IdPiece, LogEnd

STREAMED_AT_ONCE = 64


class DatabaseReading(Reading):
    """A subclass says over which connection."""

    _streams = 0

    @abstractmethod
    def _reader(self) -> AbstractContextManager[Connection]:
        """A connection for one read, in a transaction of its own."""

    def _read(self, sql: str, *values: object) -> list[Any]:
        with self._reader() as reader:
            return reader.execute(marks(sql), values, binary=True).fetchall()

    def _stream(self, sql: str, *values: object) -> Iterator[Any]:
        self._streams += 1
        with self._reader() as reader, reader.cursor(f"rows_{self._streams}", binary=True) as rows:
            rows.itersize = STREAMED_AT_ONCE
            yield from rows.execute(marks(sql), values)

    def end(self) -> LogEnd:
        """Where the log ends now."""
        return LogEnd(*self._read("SELECT position, batch FROM sealer")[0])

    def id_pieces(self, task: int) -> Iterator[IdPiece]:
        """None: the table `upload_ids` has them."""
        del task
        return iter(())


def marks(sql: str) -> bytes:
    """The same query as psycopg wants it."""
    return sql.replace("?", "%s").encode()
