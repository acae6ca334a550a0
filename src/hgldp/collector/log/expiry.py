"""Results that are older than their task wants them kept go, with all that only they need, a little at a time.

The first step says with which epoch begins what is kept, in one transaction: from then on nothing reads what is before
it, so that the rest may go in any number of steps.
"""

import sqlite3

from hgldp.collector.log.milestones import bulletins_from, results_from

AT_ONCE = 100


def expire(writer: sqlite3.Connection, task: int, before: float) -> bool:
    """One step, inside a transaction. False if there was nothing to do."""
    return _begin_later(writer, task, before) or _delete_some(writer, task)


def _begin_later(writer: sqlite3.Connection, task: int, before: float) -> bool:
    """At the newest milestone that is older than a time, if all reports that were counted before it are gone."""
    found = writer.execute(
        "SELECT MAX(epoch) FROM milestones JOIN pruned USING (task) "
        "WHERE task = ? AND time < ? AND milestones.position <= pruned.position",
        (task, before),
    ).fetchone()[0]
    if found is None or found <= _kept_from(writer, task):
        return False
    writer.execute("REPLACE INTO kept_from VALUES (?,?)", (task, found))
    writer.execute("DELETE FROM milestones WHERE task = ? AND epoch < ?", (task, found))
    return True


def _delete_some(writer: sqlite3.Connection, task: int) -> bool:
    """Of what is before the first epoch that is kept."""
    first = _kept_from(writer, task)
    for table, needed in (("kept", first), ("results", results_from(first)), ("bulletins", bulletins_from(first))):
        some = f"SELECT rowid FROM {table} WHERE task = ? AND epoch < ? ORDER BY epoch LIMIT {AT_ONCE}"  # noqa: S608
        if writer.execute(f"DELETE FROM {table} WHERE rowid IN ({some})", (task, needed)).rowcount:  # noqa: S608
            return True
    return False


def _kept_from(writer: sqlite3.Connection, task: int) -> int:
    found = writer.execute("SELECT epoch FROM kept_from WHERE task = ?", (task,)).fetchone()
    return int(found[0]) if found else 0
