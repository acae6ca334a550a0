"""SQLite as the store: a write-ahead log that is synced at every commit, one writer, and a new connection per read."""

import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from hgldp.collector.log import leftovers, milestones
from hgldp.collector.log.end_mark import EndMark, EndMarkFile, check_end, read_end_mark
from hgldp.collector.log.reading import FolderReading, log_end, other_format, read_only, reason_of
from hgldp.collector.log.schema import ADDED, ADDED_TO_IDS, FILE, FORMAT, SCHEMA
from hgldp.collector.log.storage import Transaction
from hgldp.collector.log.table_changes import DELETE, REPLACE, table_changes
from hgldp.collector.log.takeover.era import ERA
from hgldp.errors import DamagedLog, StorageFailed

SECRET_BYTES = 16
PRUNED_AT_ONCE, PRUNED_BYTES = 1_000, 8 << 20
WAL_BYTES = 64 << 20
NOTED_EVERY = 64
ADD_TO_DAY = "INSERT INTO days VALUES (?,?,?) ON CONFLICT DO UPDATE SET reports = reports + excluded.reports"


class SQLiteStorage(FolderReading):
    """A folder of another format or a damaged one is refused before anything in it changes.

    `commit` is an attribute so that tests can make it fail.
    """

    def __init__(self, folder: Path, busy_milliseconds: int = 2_000) -> None:
        self._folder, self._path, self._busy = folder, folder / FILE, busy_milliseconds / 1000
        try:
            self._examine()
            self._writer = self._connect()
            try:
                self._prepare()
            except BaseException:
                self._writer.close()
                raise
        except sqlite3.Error as failure:
            raise StorageFailed(reason_of(failure)) from failure
        self._files = [(path, _identity(path)) for path in (str(self._path), f"{self._path}-wal")]
        self._mark = EndMarkFile(folder)
        self._wal_may_hold_deleted = True  # perhaps by a process that was killed
        self.commit: Callable[[], object] = self._writer.commit

    def _connect(self) -> sqlite3.Connection:
        return sqlite3.connect(self._path, timeout=self._busy, isolation_level=None, check_same_thread=False)

    @contextmanager
    def _reader(self) -> Iterator[sqlite3.Connection]:
        with closing(self._connect()) as reader:
            yield reader

    def _examine(self) -> None:
        """Read-only, so that whatever is wrong stays as it was found."""
        mark = read_end_mark(self._folder)
        if not self._path.exists():
            check_end(mark, 0, 0, None)
            return
        with closing(read_only(self._folder, self._busy)) as reader:
            found = reader.execute("PRAGMA user_version").fetchone()[0]
            if found not in (0, FORMAT):
                raise DamagedLog(other_format(found, self._folder))
            if not found:
                check_end(mark, 0, 0, None)
            else:
                position, _, reports = log_end(reader)
                chain = reader.execute("SELECT chain FROM log WHERE position = ?", (position,)).fetchone()
                check_end(mark, position, reports, chain[0] if chain else None)

    def _prepare(self) -> None:
        writer = self._writer
        fresh = not writer.execute("PRAGMA user_version").fetchone()[0]
        if fresh:
            writer.execute("PRAGMA auto_vacuum = INCREMENTAL")
        writer.execute("PRAGMA journal_mode = WAL")
        writer.execute("PRAGMA synchronous = FULL")
        writer.execute("PRAGMA secure_delete = ON")  # overwrite what is deleted, such as the raw items of a warm-up
        writer.execute(f"PRAGMA journal_size_limit = {WAL_BYTES}")
        if fresh:
            facts = f"('secret', x'{os.urandom(SECRET_BYTES).hex()}'), ('end', '0 0 0'), ('era', {ERA})"
            start = f"{SCHEMA} INSERT INTO service VALUES {facts}; PRAGMA user_version = {FORMAT};"  # noqa: S608
            writer.executescript(f"BEGIN IMMEDIATE; {start} COMMIT;")
        writer.executescript(ADDED)
        if not writer.execute("SELECT 1 FROM pragma_table_info('ids') WHERE name = 'digest'").fetchone():
            writer.execute(ADDED_TO_IDS)
        self.secret: bytes = writer.execute("SELECT value FROM service WHERE name = 'secret'").fetchone()[0]
        self._end, self._since_noted = log_end(writer), NOTED_EVERY  # how many entries were not noted, nobody knows

    def write(self, transaction: Transaction) -> None:
        """Write everything durably, or raise StorageFailed and write nothing."""
        entries, end = transaction.entries, self._end
        if entries:
            end = entries[-1].position, entries[-1].batch, end[2] + sum(entry.reports for entry in entries)
        notes = self._since_noted + len(entries) > NOTED_EVERY
        with self._writing():
            self._insert(transaction)
            if notes:
                self._note(end)
        self._wal_may_hold_deleted |= bool(transaction.deleted)
        self._end, self._since_noted = end, 0 if notes else self._since_noted + len(entries)
        if entries:
            self._mark.write(EndMark(end[0], end[2], entries[-1].time, entries[-1].chain))

    def _note(self, end: tuple[int, int, int]) -> None:
        """Where the log ends. Not at every commit: that would be one more page to write, and a start reads the rest."""
        self._set("end", " ".join(map(str, end)))

    def without_syncing(self) -> None:
        """For a database that is not in use yet, and synced as a whole at its end."""
        self._writer.execute("PRAGMA synchronous = OFF")

    def gather(self) -> None:
        """Put everything into the one file, for whoever will move it; StorageFailed if that cannot be done."""
        try:
            busy = self._writer.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
        except sqlite3.Error as failure:
            raise StorageFailed(reason_of(failure)) from failure
        if busy:
            raise StorageFailed("the database is being read")

    def probe(self) -> None:
        """Raise StorageFailed unless something can be written durably now."""
        with self._writing():
            self._set("probe", os.urandom(8))

    def _writing(self, *, begin: bool = True) -> "_Writing":
        """SQLite would go on writing into files that were moved or removed, and nobody would find that again."""
        for path, found in self._files:
            if _identity(path) != found:
                raise StorageFailed(f"{FILE} or its write-ahead log was moved, removed or replaced while it was in use")
        return _Writing(self._writer, self.commit, begin=begin)

    def _set(self, name: str, value: object) -> None:
        self._writer.execute("REPLACE INTO service VALUES (?, ?)", (name, value))

    def _insert(self, transaction: Transaction) -> None:
        for verb, table, values, where in table_changes(transaction):
            marks = ",".join("?" * len(values[0]))
            if verb == DELETE:
                sql = f"DELETE FROM {table} WHERE {' AND '.join(f'{name} = ?' for name in where)}"  # noqa: S608
            else:
                sql = f"{'REPLACE' if verb == REPLACE else 'INSERT'} INTO {table} VALUES ({marks})"  # noqa: S608
            self._writer.executemany(sql, values)
        if transaction.days:
            self._writer.executemany(ADD_TO_DAY, [(*key, reports) for key, reports in transaction.days.items()])
        if transaction.tasks:
            self._set("last task", max(row.number for row in transaction.tasks))
        if transaction.era is not None:
            self._set("era", transaction.era)

    def prune(self, task: int, upto: int, before: float) -> int:
        """Delete some of the oldest entries of a task: up to a position, and older than a time. Returns how many."""
        with self._writing():
            oldest = self._writer.execute(
                "SELECT position, time, chain, length(ids) + length(counts) + length(symbols) FROM log "
                "WHERE task = ? AND position <= ? ORDER BY position LIMIT ?",
                (task, upto, PRUNED_AT_ONCE),
            )
            count, size, last = 0, 0, None
            for position, time, chain, length in oldest:
                if time >= before or size > PRUNED_BYTES:
                    break
                count, size, last = count + 1, size + length, (task, position, chain)
            if last is not None:
                self._note(self._end)  # its reports are counted, though nobody can add them up any more
                self._writer.execute("DELETE FROM log WHERE task = ? AND position <= ?", last[:2])
                self._writer.execute("REPLACE INTO pruned VALUES (?,?,?)", last)
        return count

    def expire(self, task: int, before: float) -> bool:
        """Delete some of what was published before a time and a milestone stands for; False if nothing was left."""
        with self._writing():
            return milestones.expire(self._writer, task, before)

    def tidy(self, *, spare: bool = True) -> bool:
        """Give some unused space back, and delete some of what deleted tasks left. False when nothing is left to do.

        With `spare`, a quarter of the file may be unused: a running collector will need it again.
        """
        with self._writing(begin=False):
            deleted = leftovers.delete_some(self._writer, lambda: self._note(self._end))
            self._wal_may_hold_deleted |= deleted
            if deleted or leftovers.give_back_some(self._writer, spare=spare):
                return True
            if self._wal_may_hold_deleted:
                self._wal_may_hold_deleted = not leftovers.empty_wal(self._writer)
        return False

    def free_bytes(self) -> int:
        """How much of the disk is free, for whoever is not root."""
        try:
            return shutil.disk_usage(self._folder).free
        except OSError as failure:
            raise StorageFailed(f"nobody can tell how full the disk is: {failure.strerror}") from failure

    def size(self) -> int:
        """Bytes of all files of the database."""
        return sum(each.stat().st_size for each in self._folder.glob(f"{FILE}*"))

    def close(self) -> None:
        """Close the database."""
        self._writer.close()
        self._mark.close()


def _identity(path: str) -> tuple[int, int] | None:
    """Which file is at a path; None if there is none. Asked before every commit, so without an object for the path."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino


class _Writing:
    """One transaction: committed at the end, or rolled back and reported as StorageFailed."""

    def __init__(self, writer: sqlite3.Connection, commit: Callable[[], object], *, begin: bool = True) -> None:
        self._writer, self._commit, self._begin = writer, commit, begin

    def __enter__(self) -> None:
        if self._begin:
            try:
                self._writer.execute("BEGIN IMMEDIATE")
            except sqlite3.Error as failure:
                raise StorageFailed(reason_of(failure)) from failure

    def __exit__(self, kind: object, failure: BaseException | None, trace: object) -> None:
        if failure is None:
            try:
                if self._writer.in_transaction:
                    self._commit()
            except sqlite3.Error as late:
                failure = late
        if isinstance(failure, sqlite3.Error):
            with suppress(sqlite3.Error):
                self._writer.rollback()
            raise StorageFailed(reason_of(failure)) from failure
        if isinstance(failure, Exception):
            self._writer.rollback()
