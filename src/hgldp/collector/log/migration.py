"""A folder of an earlier version becomes one of this version: its reports are counted again, as it had counted them.

What it published stays as it is. What does not depend on its estimators is checked: the chain of the log, every
bulletin, and when and after how many reports each epoch ended.

The new database is built beside the old one and takes its place in one step. The old one stays in the folder.
"""

import json
import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

from hgldp.collector.log import end_mark, rows
from hgldp.collector.log.entry import Entry
from hgldp.collector.log.reading import read_only, reason_of
from hgldp.collector.log.recovery import read_task_row
from hgldp.collector.log.schema import FILE, FORMAT
from hgldp.collector.log.sqlite import SQLiteStorage
from hgldp.collector.log.storage import BulletinRow, ResultRow, Transaction
from hgldp.collector.log.takeover.past_task import PastTask, PublishedEnd
from hgldp.collector.log.takeover.take_over import take_over
from hgldp.errors import DamagedLog, HgldpError, StorageFailed
from hgldp.system.durable import sync
from hgldp.system.folder_lock import FolderLock

OLD_FORMAT, OLD_ERA = 3, 1
OLD_START = bytes(32)
WORKPLACE, OLD_FILE = "migrating", f"collector.format-{OLD_FORMAT}.sqlite3"
ENTRIES_AT_ONCE, BYTES_AT_ONCE = 1_000, 8 << 20
Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Migrated:
    """What was taken over, and where the old database is; None if there was nothing to do."""

    tasks: int = 0
    entries: int = 0
    reports: int = 0
    old_file: Path | None = None


def migrate(
    folder: Path,
    progress: Progress | None = None,
    *,
    reports_kept_hours: int | None = None,
    entropy: Callable[[int], bytes] = os.urandom,
) -> Migrated:
    """Bring a folder to the format of this version. Its collector must not run.

    The tasks keep their reports for as long as new tasks do, or for `reports_kept_hours`.
    """
    if not (folder / FILE).is_file():
        raise DamagedLog(f"{folder} must hold the data of a collector, but it has no {FILE}")
    lock = FolderLock(folder, "collector.lock")
    try:
        with closing(read_only(folder)) as old:
            found = old.execute("PRAGMA user_version").fetchone()[0]
        if found == FORMAT:
            return Migrated()
        if found != OLD_FORMAT:
            raise DamagedLog(f"{folder} must have format {OLD_FORMAT} or {FORMAT}, but it has format {found}")
        return _migrate(folder, progress or (lambda *_: None), reports_kept_hours, entropy)
    except sqlite3.Error as failure:
        raise StorageFailed(reason_of(failure)) from failure
    finally:
        lock.release()


def _migrate(
    folder: Path, progress: Progress, reports_kept_hours: int | None, entropy: Callable[[int], bytes]
) -> Migrated:
    workplace = folder / WORKPLACE
    shutil.rmtree(workplace, ignore_errors=True)
    workplace.mkdir(mode=0o700)
    _back_up(folder / FILE, folder / OLD_FILE)
    storage = SQLiteStorage(workplace)
    try:
        storage.without_syncing()
        with closing(sqlite3.connect(f"{(folder / OLD_FILE).absolute().as_uri()}?mode=ro", uri=True)) as old:
            done = _Move(old, storage, progress, reports_kept_hours).run()
        take_over(storage, entropy)
        storage.gather()
    finally:
        storage.close()
    for ending in ("-wal", "-shm"):  # empty since the backup: the new database must not find the old one's
        (folder / f"{FILE}{ending}").unlink(missing_ok=True)
    for name in (end_mark.FILE, FILE):
        sync(workplace / name)
        (workplace / name).replace(folder / name)
    shutil.rmtree(workplace)
    sync(folder)
    return replace(done, old_file=folder / OLD_FILE)


def _back_up(database: Path, copy: Path) -> None:
    """The whole old database in one file; an earlier copy, which may be torn, is replaced."""
    draft = copy.with_suffix(".draft")
    draft.unlink(missing_ok=True)
    with closing(sqlite3.connect(database)) as old:
        if old.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]:
            raise StorageFailed("another process is reading the folder: end it first")
        with closing(sqlite3.connect(draft)) as target:
            old.backup(target)
            target.execute("PRAGMA journal_mode = DELETE").fetchall()
    draft.chmod(0o600)
    sync(draft)
    draft.replace(copy)


class _Move:
    """Entry by entry, in the order of the old log."""

    def __init__(
        self, old: sqlite3.Connection, storage: SQLiteStorage, progress: Progress, reports_kept_hours: int | None
    ) -> None:
        self._old, self._storage, self._progress, self._hours = old, storage, progress, reports_kept_hours
        self._states: dict[int, PastTask] = {}
        self._bulletins: dict[tuple[int, int], BulletinRow] = {}
        self._results: dict[tuple[int, int], ResultRow] = {}
        self._done = Migrated()

    def run(self) -> Migrated:
        """All tasks, then all entries, then what has no entries behind it."""
        self._tasks()
        waiting, size = Transaction(), 0
        total = self._old.execute("SELECT COALESCE(MAX(position), 0) FROM log").fetchone()[0]
        for entry in self._entries():
            state = self._states[entry.task]
            try:
                new = entry.chained(state.chain)
                state.count(new)
            except DamagedLog:
                raise
            except (HgldpError, KeyError, ValueError):
                raise DamagedLog(f"entry {entry.position} cannot be counted") from None
            waiting.entries.append(new)
            size += len(entry.ids) + len(entry.symbols)
            self._done = replace(self._done, entries=self._done.entries + 1, reports=self._done.reports + entry.reports)
            if len(waiting.entries) >= ENTRIES_AT_ONCE or size >= BYTES_AT_ONCE:
                self._write(waiting)
                waiting, size = Transaction(), 0
                self._progress(entry.position, total)
        for state in self._states.values():
            state.checkpoint()
        for task, day, reports in self._old.execute("SELECT task, day, reports FROM days"):
            waiting.days[task, day] = reports
        self._write(waiting)
        self._progress(total, total)
        if self._bulletins or self._results:
            raise DamagedLog("something was published that does not follow from the log: see hgldp replay of 0.1.0")
        return self._done

    def _tasks(self) -> None:
        new = Transaction()
        for number, task_id, kept, seed, text, *rest in self._old.execute("SELECT * FROM tasks ORDER BY number"):
            terms = json.loads(text)
            if self._hours is not None:
                terms["reports_kept_hours"] = self._hours
            row = rows.read_task_values((number, task_id, kept, seed, json.dumps(terms), *rest))
            self._states[number] = PastTask.start(row, read_task_row(row), self._storage.secret)
            new.tasks.append(row)
        for found in self._old.execute("SELECT * FROM bulletins"):
            self._bulletins[found[1], found[2]] = BulletinRow(*found)
        for found in self._old.execute("SELECT * FROM results ORDER BY task, epoch"):
            self._results[found[0], found[1]] = rows.read_result(found)
        for number, state in self._states.items():
            if (number, 0) in self._bulletins:
                state.begin_with(self._bulletins[number, 0])
        for (number, epoch), result in self._results.items():
            if number in self._states and (number, epoch + 1) in self._bulletins:
                self._states[number].ends.append(PublishedEnd(result, self._bulletins[number, epoch + 1]))
        new.era = OLD_ERA
        self._write(new)
        self._done = Migrated(len(new.tasks))

    def _entries(self) -> Iterator[Entry]:
        """The old entries, each checked against the one chain that they had."""
        chain, position = OLD_START, 0
        for row in self._old.execute("SELECT * FROM log ORDER BY position"):
            entry = Entry(*row)
            if entry.position != position + 1 or entry.link(chain) != entry.chain:
                raise DamagedLog(f"entry {entry.position} is not the one that was written: the hash chain is broken")
            chain, position = entry.chain, entry.position
            yield entry

    def _write(self, waiting: Transaction) -> None:
        """What was published must follow; what a crash left unwritten is written now."""
        for state in self._states.values():
            for bulletin in state.derived.bulletins:
                self._same(self._bulletins.pop((bulletin.task, bulletin.epoch), bulletin), bulletin)
            for result in state.derived.results:
                self._same(self._results.pop((result.task, result.result.epoch), result), result)
            waiting.extend(state.derived)
            state.derived = Transaction()
        self._storage.write(waiting)

    @staticmethod
    def _same(published: object, derived: object) -> None:
        if published != derived:
            raise DamagedLog("what was published must follow from the log, but the log leads to something else")
