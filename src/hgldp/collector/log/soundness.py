"""Whether a database is as it was written: its pages, the chain of its log, and the rows that carry a hash."""

import sqlite3
import struct
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from hgldp.collector.log.entry import Entry, start_of_chain
from hgldp.collector.log.reading import read_only, reason_of
from hgldp.collector.log.rows import Row, read_milestone, read_piece, read_snapshot, read_takeover, read_warmup
from hgldp.errors import DamagedLog

STEPS = 100_000
EVER = float("inf")
# What readers of rows raise if a row holds something else than a collector writes.
WRONG_FORM = (ValueError, TypeError, LookupError, ArithmeticError, AttributeError, RecursionError, struct.error)
HASHED: dict[str, Callable[[Row], object]] = {
    "ids": read_piece,
    "milestones": read_milestone,
    "snapshots": read_snapshot,
    "takeovers": read_takeover,
    "warmups": read_warmup,
}


@dataclass(frozen=True)
class Checked:
    """How many were checked, and what is wrong with the first that is not as it was written (empty: nothing)."""

    count: int
    wrong: str = ""
    finished: bool = True


def refuse_unsound(folder: Path) -> None:
    """Read all of it; a DamagedLog says what is wrong first."""
    try:
        with closing(read_only(folder)) as database:
            for check in (check_pages, check_chains):
                _refuse(check(database))
            for table in HASHED:
                _refuse(check_hashes(database, table))
    except sqlite3.Error as failure:
        _refuse(Checked(0, reason_of(failure)))
    except WRONG_FORM as failure:
        _refuse(Checked(0, f"a row is of another form ({type(failure).__name__})"))


def _refuse(found: Checked) -> None:
    if found.wrong:
        raise DamagedLog(f"the database must be as a collector wrote it, but it is damaged: {found.wrong}")


def check_pages(database: sqlite3.Connection, most_seconds: float = EVER) -> Checked:
    """SQLite's own quick check."""
    end = time.monotonic() + most_seconds
    database.set_progress_handler(lambda: int(time.monotonic() > end), STEPS)
    try:
        (said,) = database.execute("PRAGMA quick_check(1)").fetchone()
    except sqlite3.OperationalError as failure:
        if "interrupted" not in str(failure):
            raise
        if time.monotonic() <= end:  # SQLite forgets which exception a signal raised while it worked
            raise KeyboardInterrupt from None
        return Checked(0, finished=False)
    finally:
        database.set_progress_handler(None, 0)
    return Checked(1, "" if said == "ok" else " ".join(str(said).split()))


def check_chains(database: sqlite3.Connection, most_seconds: float = EVER) -> Checked:
    """Whether every entry of the log is the one that was written."""
    end, checked = time.monotonic() + most_seconds, 0
    chains = {number: start_of_chain(task_id) for number, task_id in database.execute("SELECT number, id FROM tasks")}
    chains |= dict(database.execute("SELECT task, chain FROM pruned").fetchall())
    for row in database.execute("SELECT * FROM log ORDER BY position"):
        entry = Entry(*row)
        if entry.task in chains:
            if not entry.follows(chains[entry.task]):
                return Checked(checked, f"entry {entry.position:,} is not the one that was written")
            chains[entry.task], checked = entry.chain, checked + 1
        if time.monotonic() > end:
            return Checked(checked, finished=False)
    return Checked(checked)


def check_hashes(database: sqlite3.Connection, table: str) -> Checked:
    """Whether every row of a table is the one that was written; older folders have no hashes in some tables."""
    checked = 0
    if not database.execute("SELECT 1 FROM pragma_table_info(?) WHERE name = 'digest'", (table,)).fetchone():
        return Checked(0)
    for row in database.execute(f"SELECT * FROM {table}"):  # noqa: S608
        try:
            HASHED[table](row)
        except DamagedLog as damage:
            return Checked(checked, str(damage))
        checked += 1
    return Checked(checked)
