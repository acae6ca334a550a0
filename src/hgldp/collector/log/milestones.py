"""Where a task's log can begin again: states from which everything later still follows when what came before is gone.

Only a task that limits how long its results are kept has milestones, about nine at a time. Results that are older go,
with all that only they need, a little at a time. The first step says with which epoch begins what is kept: from then on
nothing reads what is before it, so that the rest may go in any number of steps.
"""

import sqlite3
from collections.abc import Sequence

from hgldp.collector.log import rows
from hgldp.collector.log.storage import ResultRow
from hgldp.collector.views import RankedItem, TaskTerms
from hgldp.model.bulletins import AnyBulletin
from hgldp.schemes.base import RETAINED

DAY, IN_A_LIMIT = 86_400.0, 8
RESULTS_BEFORE, AT_ONCE = 2, 100


def is_due(terms: TaskTerms, last: float | None, now: float) -> bool:
    """Whether a seal makes a milestone, the last one being of some time: after an eighth of the limit.

    A clock that was set back makes one too: the last one may be of a time that is far away.

    >>> [is_due(TaskTerms("words", results_kept_days=8), last, 2 * DAY) for last in (None, 0.0, 1.5 * DAY, 3 * DAY)]
    [True, True, False, True]
    """
    if not terms.results_kept_days:
        return False
    return last is None or not 0 <= now - last < terms.results_kept_days * DAY / IN_A_LIMIT


def bulletins_from(epoch: int) -> int:
    """The oldest bulletin that stays before a milestone: reports that answer it may still be counted."""
    return max(0, epoch - RETAINED + 1)


def results_from(epoch: int) -> int:
    """The oldest result that stays before a milestone: changes of rank refer to it."""
    return max(0, epoch - RESULTS_BEFORE)


def hash_of_shown(bulletins: Sequence[AnyBulletin], last: ResultRow | None, before: Sequence[RankedItem]) -> bytes:
    """Of what stays from before a milestone: the bulletins, the last result, and the items of the one before it."""
    result = () if last is None else rows.result_values(last)
    return rows.hash_of((*(each.version for each in bulletins), *result, rows.items_as_text(before)))


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
    for table in ("milestones", "takeovers"):
        writer.execute(f"DELETE FROM {table} WHERE task = ? AND epoch < ?", (task, found))  # noqa: S608
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
