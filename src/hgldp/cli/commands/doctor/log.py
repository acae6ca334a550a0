"""The database: its format, whether its pages are sound, and whether the log is whole and as it was written."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from hgldp.cli.commands.doctor.finding import OK, Finding, ok, problem, warning
from hgldp.cli.units import counted
from hgldp.collector.log.end_mark import check_end, read_end_mark
from hgldp.collector.log.reading import log_end
from hgldp.collector.log.restore import is_half_restored
from hgldp.collector.log.schema import FILE, FORMAT
from hgldp.collector.log.soundness import WRONG_FORM, check_chains, check_hashes, check_pages
from hgldp.errors import DamagedLog

MOST_SECONDS = 60.0
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
                yield from _hashed(database, "upload ids", "ids")
                yield from _hashed(database, "milestones", "milestones")
                yield from _hashed(database, "takeovers", "takeovers")
                yield from _hashed(database, "warm-ups", "warmups")
    except sqlite3.Error as failure:
        yield problem("database", f"it cannot be read ({failure})", REPLAY)
    except WRONG_FORM as failure:
        yield problem("database", f"something in it is of another form ({type(failure).__name__})", RESTORE)


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
    """For at most a minute."""
    found = check_pages(database, MOST_SECONDS)
    if not found.finished:
        says = f"not checked to the end in {MOST_SECONDS:.0f} s"
        return warning("database", says, "run hgldp replay, which checks all of it")
    return problem("database", found.wrong, REPLAY) if found.wrong else ok("database", "its pages are sound")


def _end(database: sqlite3.Connection, folder: Path) -> Finding:
    """Whether the log reaches what was acknowledged last."""
    try:
        mark = read_end_mark(folder)  # before the log: a running collector moves both on
        database.execute("BEGIN")
        position, _, reports = log_end(database)
        chain = database.execute("SELECT chain FROM log WHERE position = ?", (position,)).fetchone()
        check_end(mark, position, reports, chain[0] if chain else None)
    except DamagedLog as damage:
        do = "restore a backup, or go on without them: hgldp doctor --accept-loss"
        return problem(END, str(damage).partition(". ")[0], do)
    return ok(END, f"entry {position:,}, {counted(reports, 'report')} so far")


def _hashed(database: sqlite3.Connection, check: str, table: str) -> Iterator[Finding]:
    """Nothing if there are no rows."""
    found = check_hashes(database, table)
    if found.wrong:
        yield problem(check, found.wrong, RESTORE)
    elif found.count:
        yield ok(check, f"{found.count:,} rows are as they were written")


def _chains(database: sqlite3.Connection) -> Finding:
    """For at most a minute."""
    found = check_chains(database, MOST_SECONDS)
    if found.wrong:
        return problem("chain of the log", found.wrong, REPLAY)
    checked = f"{counted(found.count, 'entry')} checked"
    if not found.finished:
        says = f"{checked} in {MOST_SECONDS:.0f} s, and all are as they were written"
        return warning("chain of the log", says, "run hgldp replay, which checks the rest too")
    return ok("chain of the log", f"{checked}: as written")
