"""The database: its format, whether its pages are sound, and whether the log is whole and as it was written."""

import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

from hgldp.cli.commands.doctor.finding import OK, Finding, ok, problem, warning
from hgldp.cli.units import counted
from hgldp.collector.log.end_mark import check_end, read_end_mark
from hgldp.collector.log.entry import Entry, start_of_chain
from hgldp.collector.log.reading import log_end
from hgldp.collector.log.restore import is_half_restored
from hgldp.collector.log.rows import Row, read_milestone, read_piece
from hgldp.collector.log.schema import FILE, FORMAT
from hgldp.errors import DamagedLog

MOST_SECONDS, STEPS = 60.0, 100_000
END = "end of the log"
RESTORE = "restore a backup: hgldp restore"
REPLAY = "run hgldp replay, which says more; if it fails too, restore a backup"


def check_log(folder: Path) -> Iterator[Finding]:
    """Nothing if there is no folder."""
    try:
        if is_half_restored(folder):
            yield problem("database", "a restore into this folder was cut off", "run hgldp restore again")
        elif (folder / FILE).is_file():
            yield from _check_database(folder)
        elif folder.is_dir():
            yield ok("database", "none yet; the first start makes it")
    except OSError as failure:
        yield problem("database", f"it cannot be read ({failure.strerror})", "run this as the user of the collector")


def _check_database(folder: Path) -> Iterator[Finding]:
    try:
        with closing(_open_to_read(folder / FILE)) as database:
            known = _format(database, folder)
            yield known
            yield _pages(database)
            if known.verdict == OK:
                yield _end(database, folder)
                yield _chains(database)
                yield from _hashed(database, "upload ids", "ids", read_piece)
                yield from _hashed(database, "milestones", "milestones", read_milestone)
    except sqlite3.Error as failure:
        yield problem("database", f"it cannot be read ({failure})", REPLAY)


def _open_to_read(path: Path) -> sqlite3.Connection:
    """Without leaving files behind: a database that was closed properly is opened as one that never changes."""
    closed = not path.with_name(f"{path.name}-wal").exists()
    uri = f"{path.resolve().as_uri()}?{'immutable=1' if closed else 'mode=ro'}"
    return sqlite3.connect(uri, uri=True, timeout=5)


def _format(database: sqlite3.Connection, folder: Path) -> Finding:
    found = database.execute("PRAGMA user_version").fetchone()[0]
    if found == FORMAT:
        return ok("format", f"{found}")
    if found > FORMAT:
        return problem("format", f"{found}, from a newer version", f"install that version; this one reads {FORMAT}")
    return problem("format", f"{found}, from an older version", f"run hgldp migrate --data {folder} once")


def _pages(database: sqlite3.Connection) -> Finding:
    """SQLite's own quick check, for at most a minute."""
    end = time.monotonic() + MOST_SECONDS
    database.set_progress_handler(lambda: int(time.monotonic() > end), STEPS)
    try:
        (said,) = database.execute("PRAGMA quick_check(1)").fetchone()
    except sqlite3.OperationalError as failure:
        if "interrupted" not in str(failure):
            raise
        return warning(
            "database", f"not checked to the end in {MOST_SECONDS:.0f} s", "run hgldp replay, which checks all of it"
        )
    finally:
        database.set_progress_handler(None, 0)
    return ok("database", "its pages are sound") if said == "ok" else problem("database", str(said), REPLAY)


def _end(database: sqlite3.Connection, folder: Path) -> Finding:
    """Whether the log reaches what was acknowledged last."""
    mark = read_end_mark(folder)  # before the log: a running collector moves both on
    database.execute("BEGIN")
    position, _, reports = log_end(database)
    chain = database.execute("SELECT chain FROM log WHERE position = ?", (position,)).fetchone()
    try:
        check_end(mark, position, reports, chain[0] if chain else None)
    except DamagedLog as damage:
        do = "restore a backup, or go on without them: hgldp doctor --accept-loss"
        return problem(END, str(damage).partition(". ")[0], do)
    return ok(END, f"entry {position:,}, {counted(reports, 'report')} so far")


def _hashed(database: sqlite3.Connection, check: str, table: str, read: Callable[[Row], object]) -> Iterator[Finding]:
    """Whether every row is the one that was written, by its hash; nothing if there are none."""
    checked = 0
    if not database.execute("SELECT 1 FROM pragma_table_info(?) WHERE name = 'digest'", (table,)).fetchone():
        return
    for row in database.execute(f"SELECT * FROM {table}"):  # noqa: S608
        try:
            read(row)
        except DamagedLog as damage:
            yield problem(check, str(damage), RESTORE)
            return
        checked += 1
    if checked:
        yield ok(check, f"{checked:,} rows are as they were written")


def _chains(database: sqlite3.Connection) -> Finding:
    """Whether every entry is the one that was written, for at most a minute."""
    end, checked = time.monotonic() + MOST_SECONDS, 0
    chains = {number: start_of_chain(task_id) for number, task_id in database.execute("SELECT number, id FROM tasks")}
    chains |= dict(database.execute("SELECT task, chain FROM pruned").fetchall())
    for row in database.execute("SELECT * FROM log ORDER BY position"):
        entry = Entry(*row)
        if entry.task in chains:
            if not entry.follows(chains[entry.task]):
                return problem("chain of the log", f"entry {entry.position:,} is not the one that was written", REPLAY)
            chains[entry.task], checked = entry.chain, checked + 1
        if time.monotonic() > end:
            found = f"{counted(checked, 'entry')} checked in {MOST_SECONDS:.0f} s, and all are as they were written"
            return warning("chain of the log", found, "run hgldp replay, which checks the rest too")
    return ok("chain of the log", f"{counted(checked, 'entry')} checked: as written")
