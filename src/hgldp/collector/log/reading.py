"""Everything that is ever read from a collector's database, one consistent read at a time."""

import sqlite3
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path
from typing import Any

from hgldp.collector.donation import Donation
from hgldp.collector.log import rows
from hgldp.collector.log.entry import Entry
from hgldp.collector.log.schema import FILE, FORMAT
from hgldp.collector.log.storage import (
    BulletinRow,
    IdPiece,
    KeptEpoch,
    LogEnd,
    Milestone,
    Pruned,
    ResultRow,
    Snapshot,
    Takeover,
    TaskRow,
)
from hgldp.errors import DamagedLog, StorageFailed

_LATEST, LONG_DOCUMENT = 1 << 62, 1 << 16


class Reading(ABC):
    """The reads, in SQL that SQLite and PostgreSQL both understand; a store says how they are carried out.

    `secret` is the key of the upload ids' fingerprints.
    """

    secret: bytes

    @abstractmethod
    def _read(self, sql: str, *values: object) -> list[Any]:
        """All rows of a query; each ? stands for a value."""

    @abstractmethod
    def _stream(self, sql: str, *values: object) -> Iterator[Any]:
        """One consistent read, row by row."""

    @abstractmethod
    def end(self) -> LogEnd:
        """Where the log ends now."""

    def tasks(self) -> list[TaskRow]:
        """In order of creation. Of those with a long list of strings no two lists are read at once."""
        short = self._read("SELECT * FROM tasks WHERE length(document) <= ?", LONG_DOCUMENT)
        long = self._read("SELECT number FROM tasks WHERE length(document) > ?", LONG_DOCUMENT)
        found = [*map(rows.read_task_values, short), *(self.task(number) for (number,) in long)]
        return sorted((row for row in found if row is not None), key=lambda row: row.number)

    def task(self, number: int) -> TaskRow | None:
        """One of them; None if there is no such task any more."""
        found = self._read("SELECT * FROM tasks WHERE number = ?", number)
        return rows.read_task_values(found[0]) if found else None

    def tasks_now(self, known: Mapping[int, TaskRow]) -> dict[int, TaskRow | None]:
        """By number, with what is stored of them now; None for one that is not known. No document is read again."""
        found = self._read(f"SELECT number, {', '.join(rows.CHANGEABLE)} FROM tasks ORDER BY number")  # noqa: S608
        return {number: rows.changed(known[number], rest) if number in known else None for number, *rest in found}

    def last_number(self) -> int:
        """The highest number that a task ever had, deleted ones included."""
        found = self._read("SELECT value FROM service WHERE name = 'last task'")
        return int(found[0][0]) if found else 0

    def warmup(self, task: int) -> Donation | None:
        """What was given to a task when it was created."""
        found = self._read("SELECT * FROM warmups WHERE task = ?", task)
        return rows.read_warmup(found[0]) if found else None

    def entries(self, task: int | None = None, first: int = 0) -> Iterator[Entry]:
        """The entries of one task or of all, in order, starting at a position: one consistent read."""
        one, values = ("", (first,)) if task is None else ("AND task = ?", (first, task))
        sql = f"SELECT * FROM log WHERE position >= ? {one} ORDER BY position"  # noqa: S608
        return (Entry(*row) for row in self._stream(sql, *values))

    def bulletins(self, task: int, latest: int | None = None) -> list[BulletinRow]:
        """All or the latest of a task, oldest first."""
        sql = "SELECT * FROM bulletins WHERE task = ? ORDER BY epoch DESC LIMIT ?"
        return [BulletinRow(*row) for row in reversed(self._read(sql, task, _LATEST if latest is None else latest))]

    def bulletin(self, version: str) -> bytes | None:
        """The canonical bytes of a version; a deleted task has none."""
        found = self._read(
            "SELECT data FROM bulletins WHERE version = ? AND task IN (SELECT number FROM tasks)", version
        )
        return found[0][0] if found else None

    def results(self, task: int, first: int = 0, last: int | None = None) -> list[ResultRow]:
        """What the epochs from first to last published, in order."""
        sql = "SELECT * FROM results WHERE task = ? AND epoch BETWEEN ? AND ? ORDER BY epoch"
        return [rows.read_result(row) for row in self._read(sql, task, first, _LATEST if last is None else last)]

    def latest_results(self, task: int, count: int) -> list[ResultRow]:
        """The last epochs that were published, in order."""
        found = self._read("SELECT * FROM results WHERE task = ? ORDER BY epoch DESC LIMIT ?", task, count)
        return [rows.read_result(row) for row in reversed(found)]

    def kept(self, task: int, latest: int | None = None) -> list[KeptEpoch]:
        """What all or the latest epochs brought, oldest first."""
        sql = "SELECT * FROM kept WHERE task = ? ORDER BY epoch DESC LIMIT ?"
        found = self._read(sql, task, _LATEST if latest is None else latest)
        return [rows.read_kept(row) for row in reversed(found)]

    def each_bulletin(self, task: int, first: int) -> Iterator[BulletinRow]:
        """From an epoch on, one row at a time."""
        return (BulletinRow(*row) for row in self._of_epochs("bulletins", task, first))

    def each_result(self, task: int, first: int) -> Iterator[ResultRow]:
        """From an epoch on, one row at a time."""
        return map(rows.read_result, self._of_epochs("results", task, first))

    def each_kept(self, task: int, first: int) -> Iterator[KeptEpoch]:
        """From an epoch on, one row at a time."""
        return map(rows.read_kept, self._of_epochs("kept", task, first))

    def each_milestone(self, task: int, first: int = 0) -> Iterator[Milestone]:
        """From an epoch on, one row at a time."""
        return map(rows.read_milestone, self._of_epochs("milestones", task, first))

    def _of_epochs(self, table: str, task: int, first: int) -> Iterator[Any]:
        return self._stream(f"SELECT * FROM {table} WHERE task = ? AND epoch >= ? ORDER BY epoch", task, first)  # noqa: S608

    def latest_milestone(self, task: int) -> Milestone | None:
        """The last one, if the task has any."""
        found = self._read("SELECT * FROM milestones WHERE task = ? ORDER BY epoch DESC LIMIT 1", task)
        return rows.read_milestone(found[0]) if found else None

    def era(self) -> int:
        """Of the version that writes the folder; 0 if that was before there were eras."""
        found = self._read("SELECT value FROM service WHERE name = 'era'")
        return int(found[0][0]) if found else 0

    def takeover(self, task: int) -> Takeover | None:
        """Where the era of the folder begins for a task that is older than it."""
        found = self._read("SELECT * FROM takeovers WHERE task = ?", task)
        return rows.read_takeover(found[0]) if found else None

    def kept_from(self, task: int) -> int:
        """With which epoch begins what is kept; 0 if nothing that was published is gone."""
        found = self._read("SELECT epoch FROM kept_from WHERE task = ?", task)
        return found[0][0] if found else 0

    def snapshot(self, task: int) -> Snapshot | None:
        """The latest state of a task."""
        found = self._read("SELECT * FROM snapshots WHERE task = ?", task)
        return rows.read_snapshot(found[0]) if found else None

    def pruned(self, task: int) -> Pruned | None:
        """Up to where the reports of a task are gone."""
        found = self._read("SELECT position, chain FROM pruned WHERE task = ?", task)
        return Pruned(*found[0]) if found else None

    def oldest_report(self, task: int) -> float | None:
        """When the oldest report came that is kept as it came."""
        found = self._read("SELECT time FROM log WHERE task = ? ORDER BY position LIMIT 1", task)
        return found[0][0] if found else None

    def id_pieces(self, task: int) -> Iterator[IdPiece]:
        """The upload ids of a task, oldest first."""
        return map(rows.read_piece, self._stream("SELECT * FROM ids WHERE task = ? ORDER BY number", task))

    def reports_on(self, task: int, day: int) -> int:
        """How many reports were counted on a day and on later ones."""
        return int(
            self._read("SELECT COALESCE(SUM(reports), 0) FROM days WHERE task = ? AND day >= ?", task, day)[0][0]
        )


class FolderReading(Reading):
    """SQLite; a subclass says over which connection."""

    @abstractmethod
    def _reader(self) -> AbstractContextManager[sqlite3.Connection]:
        """A connection for one read."""

    def _read(self, sql: str, *values: object) -> list[Any]:
        try:
            with self._reader() as reader:
                return reader.execute(sql, values).fetchall()
        except sqlite3.Error as failure:
            raise StorageFailed(reason_of(failure)) from failure

    def _stream(self, sql: str, *values: object) -> Iterator[Any]:
        """One consistent read, row by row."""
        try:
            with self._reader() as reader:
                for row in reader.execute(sql, values):  # noqa: UP028 - it would close a cursor whose database is closed
                    yield row
        except sqlite3.Error as failure:
            raise StorageFailed(reason_of(failure)) from failure

    def end(self) -> LogEnd:
        """Where the log ends now."""
        try:
            with self._reader() as reader:
                return LogEnd(*log_end(reader)[:2])
        except sqlite3.Error as failure:
            raise StorageFailed(reason_of(failure)) from failure

    def warmup(self, task: int) -> Donation | None:
        """What was given to a task when it was created; a folder without the table has none."""
        known = self._read("SELECT 1 FROM sqlite_master WHERE name = 'warmups'")
        return super().warmup(task) if known else None


class Frozen(FolderReading):
    """A folder at one moment: nothing that a running collector does meanwhile can be seen. Nothing is written."""

    def __init__(self, folder: Path) -> None:
        if not (folder / FILE).is_file():
            raise DamagedLog(f"{folder} must hold the data of a collector, but it has no {FILE}")
        self._folder = folder
        try:
            self._connection = read_only(folder)
            self._connection.execute("BEGIN")
            found = self._connection.execute("PRAGMA user_version").fetchone()[0]
        except sqlite3.Error as failure:
            raise StorageFailed(reason_of(failure)) from failure
        if found != FORMAT:
            self.close()
            raise DamagedLog(other_format(found, folder))

    @contextmanager
    def _reader(self) -> Iterator[sqlite3.Connection]:
        yield self._connection

    def copy_to(self, target: Path) -> None:
        """Everything at this moment, in a new file without gaps."""
        with closing(read_only(self._folder)) as source:
            source.execute("VACUUM INTO ?", (str(target),))

    def close(self) -> None:
        """Let go of the moment."""
        self._connection.close()


def read_only(folder: Path, busy_seconds: float = 2.0) -> sqlite3.Connection:
    """A connection that leaves every file as it is, even a damaged write-ahead log, which others would tidy away."""
    address = f"{(folder / FILE).absolute().as_uri()}?mode=ro"
    return sqlite3.connect(address, timeout=busy_seconds, isolation_level=None, check_same_thread=False, uri=True)


def other_format(found: int, folder: Path) -> str:
    """What to do about a folder that another version wrote."""
    if found < FORMAT:
        return f"{folder} has the format {found} of an earlier version: run hgldp migrate --data {folder} once"
    return (
        f"{folder} has the format {found} of a later version, and this one reads up to {FORMAT}: install the later one"
    )


def log_end(reader: sqlite3.Connection) -> tuple[int, int, int]:
    """Position and batch of the last entry, and all reports: as they were noted last, and the few entries since."""
    text = reader.execute("SELECT value FROM service WHERE name = 'end'").fetchone()[0]
    position, batch, reports = map(int, text.split())
    since = reader.execute(
        "SELECT MAX(position), MAX(batch), SUM(reports) FROM log WHERE position > ?", (position,)
    ).fetchone()
    return (position, batch, reports) if since[0] is None else (since[0], since[1], reports + since[2])


def reason_of(failure: sqlite3.Error) -> str:
    """SQLite's own message. Errors of the Python module may repeat what a row holds, so they are replaced."""
    return str(failure) if hasattr(failure, "sqlite_errorcode") else "a row holds a value of the wrong type"
