"""The database: its format, and whether its pages are sound. Checks of the log's own chain belong here too."""

import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from hgldp.cli.commands.doctor.finding import Finding, ok, problem, warning
from hgldp.collector.log.schema import FILE, FORMAT

MOST_SECONDS, STEPS = 60.0, 100_000
REPLAY = "hgldp replay says more; restore a backup if it fails"


def check_log(folder: Path) -> Iterator[Finding]:
    """Nothing if there is no database yet."""
    path = folder / FILE
    if not path.is_file():
        if folder.is_dir():
            yield ok("database", "none yet; the first start makes it")
        return
    try:
        with closing(_open_to_read(path)) as database:
            yield _format(database)
            yield _pages(database)
    except sqlite3.Error as failure:
        yield problem("database", f"it cannot be read ({failure})", REPLAY)


def _open_to_read(path: Path) -> sqlite3.Connection:
    """Without leaving files behind: a database that was closed properly is opened as one that never changes."""
    closed = not path.with_name(f"{path.name}-wal").exists()
    uri = f"{path.resolve().as_uri()}?{'immutable=1' if closed else 'mode=ro'}"
    return sqlite3.connect(uri, uri=True, timeout=5)


def _format(database: sqlite3.Connection) -> Finding:
    found = database.execute("PRAGMA user_version").fetchone()[0]
    if found == FORMAT:
        return ok("format", f"{found}")
    if found > FORMAT:
        return problem("format", f"{found}, from a newer version", f"install that version; this one reads {FORMAT}")
    return problem("format", f"{found}, from an older version", "hgldp migrate brings it up to date")


def _pages(database: sqlite3.Connection) -> Finding:
    """SQLite's own quick check, for at most a minute."""
    end = time.monotonic() + MOST_SECONDS
    database.set_progress_handler(lambda: int(time.monotonic() > end), STEPS)
    try:
        (said,) = database.execute("PRAGMA quick_check(1)").fetchone()
    except sqlite3.OperationalError as failure:
        if "interrupted" not in str(failure):
            raise
        return warning("database", f"not checked to the end in {MOST_SECONDS:.0f} s", "hgldp replay checks all of it")
    return ok("database", "its pages are sound") if said == "ok" else problem("database", str(said), REPLAY)
