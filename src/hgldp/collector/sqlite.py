"""SQLite as the store: write-ahead log, synced at every commit, one writer; a reader's own connection for each read."""

import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

from hgldp.collector.entry import Entry
from hgldp.collector.sqlite_schema import (
    ADD_TO_DAY,
    FORMAT,
    INSERT_BULLETIN,
    INSERT_ENTRY,
    INSERT_RESULT,
    INSERT_TASK,
    REPLACE_SNAPSHOT,
    SCHEMA,
)
from hgldp.collector.storage import Batch, BulletinRow, LogEnd, ResultRow, Snapshot, TaskRow
from hgldp.collector.views import Line, PublishedEpoch, TaskTerms
from hgldp.errors import DamagedLog, StorageFailed

FILE = "collector.sqlite3"
_LATEST = 1 << 62


class SQLiteStorage:
    """`commit` stands between the last statement and durability: tests put faults there."""

    def __init__(self, folder: Path, busy_milliseconds: int = 2_000) -> None:
        self._path, self._busy = folder / FILE, busy_milliseconds / 1000
        try:
            self._writer = self._connect()
            self._prepare()
        except sqlite3.Error as failure:
            self.close()
            raise StorageFailed(_reason(failure)) from failure
        except DamagedLog:
            self.close()
            raise
        self.commit: Callable[[], object] = self._writer.commit

    def _connect(self) -> sqlite3.Connection:
        return sqlite3.connect(self._path, timeout=self._busy, isolation_level=None, check_same_thread=False)

    def _prepare(self) -> None:
        self._writer.execute("PRAGMA journal_mode = WAL")
        self._writer.execute("PRAGMA synchronous = FULL")
        found = self._writer.execute("PRAGMA user_version").fetchone()[0]
        if found not in (0, FORMAT):
            raise DamagedLog(f"database must be of format {FORMAT}, and this one is of {found}")
        if not found:
            self._writer.executescript(f"BEGIN IMMEDIATE; {SCHEMA} PRAGMA user_version = {FORMAT}; COMMIT;")

    def write(self, batch: Batch) -> None:
        """All of it, durable on return; or StorageFailed and nothing of it."""
        writer = self._writer
        try:
            writer.execute("BEGIN IMMEDIATE")
            self._insert(batch)
            self.commit()
        except sqlite3.Error as failure:
            with suppress(sqlite3.Error):
                writer.rollback()
            raise StorageFailed(_reason(failure)) from failure

    def _insert(self, batch: Batch) -> None:
        snapshots = batch.snapshots.values()
        for sql, rows in (
            (INSERT_TASK, [_task_values(row) for row in batch.tasks]),
            (INSERT_ENTRY, [_entry_values(row) for row in batch.entries]),
            (INSERT_BULLETIN, [tuple(vars(row).values()) for row in batch.bulletins]),
            (INSERT_RESULT, [_result_values(row) for row in batch.results]),
            (REPLACE_SNAPSHOT, [tuple(vars(row).values()) for row in snapshots]),
            (ADD_TO_DAY, [(*key, reports) for key, reports in batch.days.items()]),
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
        return [
            TaskRow(number, task_id, document, int.from_bytes(seed, "big"), TaskTerms(**json.loads(terms)), *rest)
            for number, task_id, document, seed, terms, *rest in rows
        ]

    def end(self) -> LogEnd:
        """The last entry's numbers and chain."""
        rows = self._read("SELECT position, grp, chain FROM log ORDER BY position DESC LIMIT 1")
        return LogEnd(*rows[0]) if rows else LogEnd()

    def entries(self, task: int | None = None, first: int = 0) -> Iterator[Entry]:
        """From a position on, of one task or of all, in order; one consistent read."""
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
        """The epochs from first to last, in order."""
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
        """Let go of the database."""
        self._writer.close()


def _reason(failure: sqlite3.Error) -> str:
    """SQLite's own words; other messages may repeat what a row holds."""
    return str(failure) if hasattr(failure, "sqlite_errorcode") else "a row holds what was never written"


def _task_values(row: TaskRow) -> tuple[object, ...]:
    terms, seed = json.dumps(row.terms.as_json()), row.seed.to_bytes(8, "big")
    return row.number, row.id, row.document, seed, terms, row.created, row.write_digest, row.read_digest


def _entry_values(row: Entry) -> tuple[object, ...]:
    names = (row.position, row.group, row.time, row.task, row.kind, row.bulletin, row.reports)
    return (*names, row.chain, row.ids, row.counts, row.symbols)


def _result_values(row: ResultRow) -> tuple[object, ...]:
    result = row.result
    lines = json.dumps([list(asdict(line).values()) for line in result.lines], ensure_ascii=False)
    return row.task, result.epoch, row.position, result.published, result.reports, result.bulletin, lines


def _result(row: tuple[Any, ...]) -> ResultRow:
    task, epoch, position, published, reports, bulletin, lines = row
    found = tuple(Line(*line) for line in json.loads(lines))
    return ResultRow(task, position, PublishedEpoch(epoch, published, reports, bulletin, found))
