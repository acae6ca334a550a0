"""What deleted tasks have left behind, and space that nothing needs: some at a time, so that no upload waits long."""

import sqlite3
from collections.abc import Callable

AT_ONCE, BYTES_AT_ONCE = 200, 8 << 20
SPARE_PAGES, GIVEN_BACK = 4_096, 1_024
SIZES = {
    "log": "length(ids) + length(counts) + length(symbols)",
    "bulletins": "length(data)",
    "results": "length(lines)",
    "kept": "length(opened)",
    "milestones": "length(state)",
    "takeovers": "length(state)",
    "kept_from": "1",
    "snapshots": "length(state)",
    "pruned": "1",
    "ids": "length(data)",
    "days": "1",
    "warmups": "length(given)",
}
OF_A_DELETED_TASK = """
WITH RECURSIVE of_task(number) AS (
  SELECT min(task) FROM {table}
  UNION ALL SELECT (SELECT min(task) FROM {table} WHERE task > of_task.number) FROM of_task WHERE number IS NOT NULL
)
SELECT number FROM of_task WHERE number IS NOT NULL AND number NOT IN (SELECT number FROM tasks) LIMIT 1
"""


def delete_some(writer: sqlite3.Connection, note_end: Callable[[], None]) -> bool:
    """Of what deleted tasks have left; False if nothing is left. The tables are not read through for that.

    Calls `note_end` before anything is deleted from the log.
    """
    for table, size in SIZES.items():
        found = writer.execute(OF_A_DELETED_TASK.format(table=table)).fetchone()
        if found is None:
            continue
        deleted, room = [], BYTES_AT_ONCE
        some = f"SELECT rowid, {size} FROM {table} WHERE task = ? LIMIT {AT_ONCE}"  # noqa: S608
        for row, length in writer.execute(some, found):
            if room <= 0:
                break
            deleted.append((row,))
            room -= length
        writer.execute("BEGIN IMMEDIATE")
        if table == "log":
            note_end()
        writer.executemany(f"DELETE FROM {table} WHERE rowid = ?", deleted)  # noqa: S608
        return True
    return False


def empty_wal(writer: sqlite3.Connection) -> bool:
    """Empty the write-ahead log of pages as they were before. False, at once, if somebody is reading from it."""
    patience = writer.execute("PRAGMA busy_timeout").fetchone()[0]
    writer.execute("PRAGMA busy_timeout = 0")
    try:
        return not writer.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
    finally:
        writer.execute(f"PRAGMA busy_timeout = {patience}")


def give_back_some(writer: sqlite3.Connection, *, spare: bool) -> bool:
    """Of the space that nothing needs; False if there is little. With `spare`, a quarter of the file stays unused."""
    writer.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
    free, pages = (writer.execute(f"PRAGMA {name}").fetchone()[0] for name in ("freelist_count", "page_count"))
    if free <= (max(SPARE_PAGES, pages // 4) if spare else 0):
        return False
    writer.executescript(f"PRAGMA incremental_vacuum({GIVEN_BACK});")  # `execute` would stop after one page
    return True
