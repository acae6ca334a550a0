"""What the workers of a server share: one SQLite file, one writer at a time, durable when a transaction ends."""

import errno
import os
import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import RLock
from typing import Any

from hgldp.client.spending.page import LedgerDamaged, Page
from hgldp.errors import FolderLost, InvalidField
from hgldp.system.folder_lock import PRIVATE

NAME = "people.db"
COMPANIONS = ("sender", "task", "hints", "bulletin")
SECRET_BYTES = 32
BUSY_SECONDS = 30.0
SCHEMA = """
CREATE TABLE IF NOT EXISTS common (name TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS people (
    person BLOB PRIMARY KEY, page BLOB NOT NULL, drawn BLOB, due INTEGER, opted REAL NOT NULL, out INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS people_due ON people (due) WHERE due IS NOT NULL;
CREATE TABLE IF NOT EXISTS reports (
    number INTEGER PRIMARY KEY, person BLOB NOT NULL, bulletin BLOB NOT NULL, symbol INTEGER NOT NULL,
    above INTEGER NOT NULL, second INTEGER NOT NULL, upload BLOB, left INTEGER
);
CREATE INDEX IF NOT EXISTS reports_person ON reports (person, number);
CREATE INDEX IF NOT EXISTS reports_upload ON reports (upload) WHERE upload IS NOT NULL;
CREATE INDEX IF NOT EXISTS reports_waiting ON reports (bulletin, number) WHERE upload IS NULL;
CREATE TABLE IF NOT EXISTS uploads (
    upload BLOB PRIMARY KEY, body BLOB NOT NULL, second INTEGER NOT NULL, left INTEGER, place INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS uploads_place ON uploads (place);
"""
Row = tuple[Any, ...]


class Database:
    """Two connections for one process: one that reads and never waits, and one that writes, one thread at a time.

    `secret` is made once. People are known only by what it hashes their names to.
    """

    def __init__(self, folder: Path, task: str) -> None:
        self._path = folder / NAME
        if (folder / "ledger").exists():
            raise InvalidField("folder", "must be new, or that of a People", "the folder of a Reporter")
        if not self._path.exists() and any((folder / name).exists() for name in COMPANIONS):
            raise LedgerDamaged("must not vanish while the rest of the folder stays, and it is gone")
        self._reading, self._writing = RLock(), RLock()
        try:
            with suppress(FileExistsError):
                os.close(os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE))
            found = self._path.stat()
            self._process, self._file = os.getpid(), (found.st_dev, found.st_ino)
            self._writer = _connected(self._path)
            self._made(task)
            self._reader = _connected(self._path)
            self.secret: bytes = self.read("SELECT value FROM common WHERE name = 'secret'")[0][0]
        except OSError as failure:
            raise InvalidField(
                "folder", "must be a folder that can be written", failure.strerror or "another"
            ) from None
        except sqlite3.Error as failure:
            raise _opening(failure) from None

    def verify(self) -> None:
        """Raise `FolderLost` unless the database at the path is the one that this process opened."""
        try:
            there = self._path.stat()
        except OSError:
            raise FolderLost from None
        if (there.st_dev, there.st_ino) != self._file or os.getpid() != self._process:
            raise FolderLost

    @contextmanager
    def write(self) -> Iterator[sqlite3.Connection]:
        """A transaction that begins with the only right to write, of all processes, and is durable at its end.

        Read inside it what you change in it: whatever was read before may be old.
        """
        with self._writing:
            self.verify()
            try:
                self._writer.execute("BEGIN IMMEDIATE")
                try:
                    yield self._writer
                    self._writer.execute("COMMIT")
                except BaseException:
                    if self._writer.in_transaction:
                        self._writer.execute("ROLLBACK")
                    raise
            except sqlite3.Error as failure:
                raise _as_disk(failure) from None
            self.verify()

    def read(self, query: str, values: Sequence[object] = ()) -> list[Row]:
        """What is committed; it never waits for who writes."""
        with self._reading:
            try:
                return self._reader.execute(query, values).fetchall()
            except sqlite3.Error as failure:
                raise _as_disk(failure) from None

    def close(self) -> None:
        """Let go of the file."""
        with self._writing, self._reading:
            self._reader.close()
            self._writer.close()

    def abandon(self) -> None:
        """In a forked child: these connections are the parent's. They are neither used nor closed here."""
        _PARENTS.append((self._reader, self._writer))

    def _made(self, task: str) -> None:
        """Make the tables in a new file; refuse the file of another task."""
        with self._writing:
            self._writer.execute("BEGIN IMMEDIATE")
            try:
                for statement in SCHEMA.split(";"):
                    self._writer.execute(statement)
                first = [("secret", os.urandom(SECRET_BYTES)), ("page", Page(task).encode())]
                self._writer.executemany("INSERT OR IGNORE INTO common VALUES (?, ?)", first)
                (data,) = self._writer.execute("SELECT value FROM common WHERE name = 'page'").fetchone()
                known = Page.decode(data).task
                if known != task:
                    found = f"those of task {known[:12]}"
                    raise InvalidField(
                        "folder", "must be new, or hold the ledgers of this task", found, "; take another folder"
                    )
                self._writer.execute("COMMIT")
            finally:
                if self._writer.in_transaction:
                    self._writer.execute("ROLLBACK")


_PARENTS: list[tuple[sqlite3.Connection, sqlite3.Connection]] = []


def _connected(path: Path) -> sqlite3.Connection:
    """Autocommit outside of `BEGIN`; every commit is forced down to the medium, and what is deleted is overwritten."""
    one = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)
    end = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            (mode,) = one.execute("PRAGMA journal_mode = WAL").fetchone()
            break
        except sqlite3.OperationalError:  # SQLite does not wait by itself while another process makes the log
            if time.monotonic() > end:
                one.close()
                raise
            time.sleep(0.01)
    if mode != "wal":
        one.close()
        raise InvalidField("folder", "must be on a file system on which SQLite can share a database", f"mode {mode}")
    one.execute("PRAGMA synchronous = FULL")
    one.execute("PRAGMA secure_delete = ON")
    return one


def _as_disk(failure: sqlite3.Error) -> OSError:
    """Whatever the database could not do: by its code, never by its text."""
    return OSError(errno.EIO, f"the database fails ({getattr(failure, 'sqlite_errorname', type(failure).__name__)})")


def _opening(failure: sqlite3.Error) -> Exception:
    if isinstance(failure, sqlite3.OperationalError):
        found = getattr(failure, "sqlite_errorname", "another")
        return InvalidField("folder", "must be a folder that can be written", found)
    return LedgerDamaged("must be as it was written, and it is not")
