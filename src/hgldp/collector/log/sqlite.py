"""SQLite as the store: a write-ahead log that is synced at every commit, one writer, and a new connection per read."""

import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

from hgldp.collector.log.entry import Entry
from hgldp.collector.log.storage import BulletinRow, LogEnd, ResultRow, Snapshot, TaskRow, Transaction
from hgldp.collector.views import PublishedEpoch, RankedItem, TaskTerms
from hgldp.errors import DamagedLog, StorageFailed

FILE = "collector.sqlite3"
_LATEST = 1 << 62
# Tasks, log and days are facts; the other tables follow from them and could be thrown away.
FORMAT = 3
SCHEMA = """
CREATE TABLE tasks (
  number INTEGER PRIMARY KEY, id BLOB NOT NULL UNIQUE, document BLOB NOT NULL, seed BLOB NOT NULL, terms TEXT NOT NULL,
  created REAL NOT NULL, write_digest BLOB NOT NULL UNIQUE, read_digest BLOB NOT NULL
);
CREATE TABLE log (
  position INTEGER PRIMARY KEY, grp INTEGER NOT NULL, time REAL NOT NULL, task INTEGER NOT NULL, kind INTEGER NOT NULL,
  bulletin BLOB NOT NULL, reports INTEGER NOT NULL, chain BLOB NOT NULL, ids BLOB NOT NULL, counts BLOB NOT NULL,
  symbols BLOB NOT NULL
);
CREATE INDEX log_of_task ON log (task);
CREATE TABLE bulletins (
  version TEXT PRIMARY KEY, task INTEGER NOT NULL, epoch INTEGER NOT NULL, position INTEGER NOT NULL,
  published REAL NOT NULL, data BLOB NOT NULL
);
CREATE UNIQUE INDEX bulletins_of_task ON bulletins (task, epoch);
CREATE TABLE results (
  task INTEGER NOT NULL, epoch INTEGER NOT NULL, position INTEGER NOT NULL, published REAL NOT NULL,
  reports INTEGER NOT NULL, bulletin TEXT NOT NULL, lines TEXT NOT NULL, PRIMARY KEY (task, epoch)
);
CREATE TABLE snapshots (
  task INTEGER PRIMARY KEY, position INTEGER NOT NULL, consumed INTEGER NOT NULL, state BLOB NOT NULL
);
CREATE TABLE days (task INTEGER NOT NULL, day INTEGER NOT NULL, reports INTEGER NOT NULL, PRIMARY KEY (task, day));
"""
INSERT_TASK = "INSERT INTO tasks VALUES (?,?,?,?,?,?,?,?)"
INSERT_ENTRY = "INSERT INTO log VALUES (?,?,?,?,?,?,?,?,?,?,?)"
INSERT_BULLETIN = "INSERT INTO bulletins VALUES (?,?,?,?,?,?)"
INSERT_RESULT = "INSERT INTO results VALUES (?,?,?,?,?,?,?)"
REPLACE_SNAPSHOT = "REPLACE INTO snapshots VALUES (?,?,?,?)"
CHANGE_TASK = "UPDATE tasks SET terms = ?, write_digest = ?, read_digest = ? WHERE number = ?"
OF_A_TASK = (("tasks", "number"), *((table, "task") for table in ("log", "bulletins", "results", "snapshots", "days")))
ADD_TO_DAY = "INSERT INTO days VALUES (?,?,?) ON CONFLICT DO UPDATE SET reports = reports + excluded.reports"


class SQLiteStorage:
    """`commit` is an attribute so that tests can make it fail."""

    def __init__(self, folder: Path, busy_milliseconds: int = 2_000) -> None:
        self._path, self._busy = folder / FILE, busy_milliseconds / 1000
        try:
            self._writer = self._connect()
            try:
                self._prepare()
            except BaseException:
                self.close()
                raise
        except sqlite3.Error as failure:
            raise StorageFailed(_reason(failure)) from failure
        self.commit: Callable[[], object] = self._writer.commit

    def _connect(self) -> sqlite3.Connection:
        return sqlite3.connect(self._path, timeout=self._busy, isolation_level=None, check_same_thread=False)

    def _prepare(self) -> None:
        self._writer.execute("PRAGMA journal_mode = WAL")
        self._writer.execute("PRAGMA synchronous = FULL")
        found = self._writer.execute("PRAGMA user_version").fetchone()[0]
        if found not in (0, FORMAT):
            raise DamagedLog(f"the database must have format {FORMAT}, but this one has format {found}")
        if not found:
            self._writer.executescript(f"BEGIN IMMEDIATE; {SCHEMA} PRAGMA user_version = {FORMAT}; COMMIT;")

    def write(self, transaction: Transaction) -> None:
        """Write everything durably, or raise StorageFailed and write nothing."""
        writer = self._writer
        try:
            writer.execute("BEGIN IMMEDIATE")
            self._insert(transaction)
            self.commit()
        except sqlite3.Error as failure:
            with suppress(sqlite3.Error):
                writer.rollback()
            raise StorageFailed(_reason(failure)) from failure

    def _insert(self, transaction: Transaction) -> None:
        snapshots, gone = transaction.snapshots.values(), [(number,) for number in transaction.deleted]
        for sql, rows in (
            (INSERT_TASK, [_task_values(row) for row in transaction.tasks]),
            (INSERT_ENTRY, [_entry_values(row) for row in transaction.entries]),
            (INSERT_BULLETIN, [tuple(vars(row).values()) for row in transaction.bulletins]),
            (INSERT_RESULT, [_result_values(row) for row in transaction.results]),
            (REPLACE_SNAPSHOT, [tuple(vars(row).values()) for row in snapshots]),
            (ADD_TO_DAY, [(*key, reports) for key, reports in transaction.days.items()]),
            (CHANGE_TASK, [_changed_values(row) for row in transaction.changed]),
            *((f"DELETE FROM {table} WHERE {column} = ?", gone) for table, column in OF_A_TASK),  # noqa: S608
        ):
            if rows:
                self._writer.executemany(sql, rows)

    def _read(self, sql: str, *values: object) -> list[Any]:
        try:
            with closing(self._connect()) as reader:
                return reader.execute(sql, values).fetchall()
        except sqlite3.Error as failure:
            raise StorageFailed(_reason(failure)) from failure

    def tasks(self) -> list[TaskRow]:
        """In order of creation."""
        rows = self._read("SELECT * FROM tasks ORDER BY number")
        return [_task_row(row) for row in rows]

    def end(self) -> LogEnd:
        """Where the log ends now."""
        rows = self._read("SELECT position, grp, chain FROM log ORDER BY position DESC LIMIT 1")
        return LogEnd(*rows[0]) if rows else LogEnd()

    def entries(self, task: int | None = None, first: int = 0) -> Iterator[Entry]:
        """The entries of one task or of all, in order, starting at a position: one consistent read."""
        one = "" if task is None else "AND task = ?"
        values = (first,) if task is None else (first, task)
        try:
            with closing(self._connect()) as reader:
                for row in reader.execute(f"SELECT * FROM log WHERE position >= ? {one} ORDER BY position", values):  # noqa: S608
                    yield Entry(*row)
        except sqlite3.Error as failure:
            raise StorageFailed(_reason(failure)) from failure

    def bulletins(self, task: int, latest: int | None = None) -> list[BulletinRow]:
        """All or the latest of a task, oldest first."""
        sql = "SELECT * FROM bulletins WHERE task = ? ORDER BY epoch DESC LIMIT ?"
        return [BulletinRow(*row) for row in reversed(self._read(sql, task, -1 if latest is None else latest))]

    def bulletin(self, version: str) -> bytes | None:
        """The canonical bytes of a version."""
        rows = self._read("SELECT data FROM bulletins WHERE version = ?", version)
        return rows[0][0] if rows else None

    def results(self, task: int, first: int = 0, last: int | None = None) -> list[ResultRow]:
        """What the epochs from first to last published, in order."""
        sql = "SELECT * FROM results WHERE task = ? AND epoch BETWEEN ? AND ? ORDER BY epoch"
        return [_result(row) for row in self._read(sql, task, first, _LATEST if last is None else last)]

    def latest_results(self, task: int, count: int) -> list[ResultRow]:
        """The last epochs that were published, in order."""
        rows = self._read("SELECT * FROM results WHERE task = ? ORDER BY epoch DESC LIMIT ?", task, count)
        return [_result(row) for row in reversed(rows)]

    def snapshot(self, task: int) -> Snapshot | None:
        """The latest state of a task."""
        rows = self._read("SELECT * FROM snapshots WHERE task = ?", task)
        return Snapshot(*rows[0]) if rows else None

    def reports_on(self, task: int, day: int) -> int:
        """How many reports were counted on a day and on later ones."""
        return int(self._read("SELECT TOTAL(reports) FROM days WHERE task = ? AND day >= ?", task, day)[0][0])

    def close(self) -> None:
        """Close the database."""
        self._writer.close()


def _reason(failure: sqlite3.Error) -> str:
    """SQLite's own message. Errors of the Python module may repeat what a row holds, so they are replaced."""
    return str(failure) if hasattr(failure, "sqlite_errorcode") else "a row holds a value of the wrong type"


def _task_row(row: tuple[Any, ...]) -> TaskRow:
    number, task_id, document, seed, text, created, write_digest, read_digest = row
    terms = json.loads(text)
    old = bytes.fromhex(terms.pop("old_write_digest", "")), terms.pop("old_until", 0.0)
    made = int.from_bytes(seed, "big"), TaskTerms(**terms), created
    return TaskRow(number, task_id, document, *made, write_digest, read_digest, *old)


def _terms(row: TaskRow) -> str:
    old = {"old_write_digest": row.old_write_digest.hex(), "old_until": row.old_until} if row.old_write_digest else {}
    return json.dumps(row.terms.as_json() | old)


def _changed_values(row: TaskRow) -> tuple[object, ...]:
    return _terms(row), row.write_digest, row.read_digest, row.number


def _task_values(row: TaskRow) -> tuple[object, ...]:
    terms, seed = _terms(row), row.seed.to_bytes(8, "big")
    return row.number, row.id, row.document, seed, terms, row.created, row.write_digest, row.read_digest


def _entry_values(row: Entry) -> tuple[object, ...]:
    names = (row.position, row.batch, row.time, row.task, row.kind, row.bulletin, row.reports)
    return (*names, row.chain, row.ids, row.counts, row.symbols)


def _result_values(row: ResultRow) -> tuple[object, ...]:
    result = row.result
    top = json.dumps([list(asdict(item).values()) for item in result.top], ensure_ascii=False)
    return row.task, result.epoch, row.position, result.published, result.reports, result.bulletin, top


def _result(row: tuple[Any, ...]) -> ResultRow:
    task, epoch, position, published, reports, bulletin, top = row
    found = tuple(RankedItem(*item) for item in json.loads(top))
    return ResultRow(task, position, PublishedEpoch(epoch, published, reports, bulletin, found))
