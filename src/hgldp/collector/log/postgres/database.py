"""Connections to PostgreSQL that also work behind a transaction pooler: nothing is kept in a session."""

import logging
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

from hgldp.errors import InvalidField, MissingExtra, StorageFailed

try:
    import psycopg
    from psycopg.conninfo import conninfo_to_dict
    from psycopg_pool import ConnectionPool, PoolTimeout
except ImportError as missing:
    raise MissingExtra("postgres", str(missing.name)) from missing

logging.getLogger("psycopg.pool").setLevel(logging.CRITICAL)  # whoever asks is told, once and in our words
SCHEMES = ("postgresql", "postgres")
EXAMPLE = "postgresql://user:password@host:5432/database"
ESCAPED = "%25 for %, %40 for @, %2F for /, %3A for :, %3F for ? and %23 for #"
HINTS = {
    "password authentication failed": "compare the password in the address with that of the role",
    "no password supplied": "the address must hold the password of the role",
    "root certificate file": "sslrootcert in the address must name the certificate of the authority",
    "does not exist": "deploy/several/postgres/roles.sql makes the database and its roles",
    "Connection refused": "does PostgreSQL run there, and is the port right?",
    "could not translate host name": "is the host right?",
}
WAIT_SECONDS, RECONNECT_SECONDS = 5.0, 2.0
IDLE_SECONDS, MOST_VALUES = 60.0, 1 << 14
# The client notices by itself when the server is gone; a setting of the session would be lost behind a pooler.
PATIENCE = {
    "connect_timeout": 5,
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 3,
    "tcp_user_timeout": 10_000,
}
# A statement sees what was committed while an earlier one waited for a lock, whatever the server's own default is.
ISOLATION = psycopg.IsolationLevel.READ_COMMITTED
STALLED = "SET LOCAL idle_in_transaction_session_timeout = '10s'"
Connection = psycopg.Connection[tuple[Any, ...]]


def connect(url: str) -> Connection:
    """A connection that its owner closes."""
    return psycopg.connect(url, autocommit=True, prepare_threshold=None, **PATIENCE)  # type: ignore[arg-type]


class Database:
    """Any thread may use it. What PostgreSQL refuses or cannot do is raised as StorageFailed."""

    def __init__(self, url: str, most: int = 8) -> None:
        self.url = checked_url(url)
        settings = {"autocommit": True, "prepare_threshold": None, **PATIENCE}
        self._pool = ConnectionPool(
            self.url,
            kwargs=settings,
            min_size=0,
            max_size=most,
            max_idle=IDLE_SECONDS,
            timeout=WAIT_SECONDS,
            reconnect_timeout=RECONNECT_SECONDS,
            configure=_isolate,
            check=ConnectionPool.check_connection,
            open=True,
        )

    @contextmanager
    def connection(self) -> Iterator[Connection]:
        """One that works, for a statement or a few, each its own transaction."""
        with told_in_our_words():
            try:
                with self._pool.connection() as found:
                    yield found
            except PoolTimeout as failure:
                raise StorageFailed(self._unreachable()) from failure

    @contextmanager
    def transaction(self) -> Iterator[Connection]:
        """Committed at the end, or rolled back as a whole. The server ends it if this process stops in the middle."""
        with self.connection() as found, found.transaction():
            found.execute(STALLED)
            yield found

    @contextmanager
    def reading(self, level: psycopg.IsolationLevel = ISOLATION) -> Iterator[Connection]:
        """A transaction that only reads, and may take its time: it holds no lock that others wait for."""
        with self.connection() as found:
            found.read_only, found.isolation_level = True, level
            try:
                with found.transaction():
                    yield found
            finally:
                found.read_only, found.isolation_level = None, ISOLATION

    def _unreachable(self) -> str:
        """Why no connection could be made, in the server's own words if there are any."""
        try:
            psycopg.connect(self.url, connect_timeout=2).close()
        except psycopg.Error as failure:
            reason = reason_of(failure)
            return reason + next((f": {hint}" for said, hint in HINTS.items() if said in reason), "")
        return "no connection to the database was free for some seconds"

    def close(self) -> None:
        """Let go of all connections."""
        self._pool.close()


def _isolate(connection: Connection) -> None:
    connection.isolation_level = ISOLATION


def checked_url(url: str) -> str:
    """The same, if it looks like one of a PostgreSQL database. Nothing of it is repeated: it may hold a password."""
    if wrong := _wrong_in(url):
        raise InvalidField("store", f"must be like {EXAMPLE}, where a password has {ESCAPED}", wrong)
    return url


def _wrong_in(url: str) -> str:
    try:
        parts = urlsplit(url)
        if parts.scheme not in SCHEMES:
            return "something that does not begin with postgresql://"
        found = conninfo_to_dict(url)
    except (ValueError, psycopg.Error):
        return "an address that cannot be read"
    ports = str(found.get("port") or "").split(",")
    misread = "@" in str(found.get("host", "")) or ("@" in url and "@" not in parts.netloc)  # a password with / # ?
    if misread or not all(each.isdigit() for each in ports if each):
        return "an address whose host or port cannot be read"
    return "" if found.get("dbname") else "one without the name of a database"


def one_value(reader: Connection, sql: str, values: Sequence[object] = ()) -> Any:
    """The first column of the first row; None if there is no row."""
    found = reader.execute(sql.encode(), values).fetchone()
    return None if found is None else found[0]


def execute_each(writer: Connection, sql: str, rows: Iterable[Sequence[object]]) -> None:
    """A statement for each row, one after the other.

    psycopg's `executemany` sends them as a pipeline. If this process stops in the middle of one, PostgreSQL does not
    take the transaction for idle, never ends it, and nobody else can become the sealer.
    """
    for row in rows:
        writer.execute(sql.encode(), row)


def insert_all(writer: Connection, table: str, rows: Sequence[Sequence[object]]) -> None:
    """All rows by few statements: over a network each takes its time."""
    columns = len(rows[0]) if rows else 1
    at_once = MOST_VALUES // columns
    for start in range(0, len(rows), at_once):
        some = rows[start : start + at_once]
        marks = ",".join([f"({','.join(['%s'] * columns)})"] * len(some))
        writer.execute(f"INSERT INTO {table} VALUES {marks}".encode(), [each for row in some for each in row])  # noqa: S608


@contextmanager
def told_in_our_words() -> Iterator[None]:
    """What PostgreSQL refuses or cannot do is raised as StorageFailed."""
    try:
        yield
    except psycopg.Error as failure:
        raise StorageFailed(reason_of(failure)) from failure


def reason_of(failure: psycopg.Error) -> str:
    """PostgreSQL's own message, without its details: they may repeat what a row holds."""
    primary = failure.diag.message_primary
    first = (primary or str(failure)).strip().splitlines()
    return first[0] if first else "the connection to the database was lost"
