"""What nobody needs any more in the shared store: what deleted tasks left, and ids of uploads that cannot come again.

Looking for it holds no lock, and follows the indexes from task to task: the tables are not read through for that.
"""

from typing import NamedTuple

from hgldp.collector.log.postgres.database import Connection
from hgldp.collector.log.postgres.gates import SHUT

OF_A_TASK = (
    *("log", "bulletins", "results", "kept", "milestones", "takeovers", "kept_from", "snapshots", "pruned", "days"),
    *("warmups", "inbox", "upload_ids", "gates", "requests"),
)
# What the planner believes of a table may be from before most of it was deleted.
BY_INDEX = "SET LOCAL enable_seqscan = off"
OF_A_DELETED_TASK = """
WITH RECURSIVE of_task(number) AS (
  SELECT min(task) FROM {table}
  UNION ALL SELECT (SELECT min(task) FROM {table} WHERE task > of_task.number) FROM of_task WHERE number IS NOT NULL
)
SELECT number FROM of_task WHERE number IS NOT NULL AND number NOT IN (SELECT number FROM tasks) LIMIT 1
"""
# Of a task that has ended they stay: the same upload may come again.
OF_A_CLOSED_GATE = """
SELECT task, open_from FROM gates WHERE open_from < %s
AND (SELECT min(epoch) FROM upload_ids WHERE upload_ids.task = gates.task) < open_from LIMIT 1
"""
AT_ONCE, IDS_AT_ONCE = 200, 20_000


class Leftover(NamedTuple):
    """Rows of one table that may go."""

    table: str
    where: str
    values: tuple[object, ...]


def find_leftover(reader: Connection) -> Leftover | None:
    """The first that there is."""
    reader.execute(BY_INDEX)
    for table in OF_A_TASK:
        found = reader.execute(OF_A_DELETED_TASK.format(table=table).encode()).fetchone()
        if found is not None:
            return Leftover(table, "task = %s", found)
    closed = reader.execute(OF_A_CLOSED_GATE, (SHUT,)).fetchone()
    return None if closed is None else Leftover("upload_ids", "task = %s AND epoch < %s", closed)


def delete_some(writer: Connection, found: Leftover) -> None:
    """As much as takes little time: rows of some tables may have megabytes."""
    writer.execute(BY_INDEX)
    delete(writer, *found, IDS_AT_ONCE if found.table == "upload_ids" else AT_ONCE)


def delete(writer: Connection, table: str, where: str, values: tuple[object, ...], most: int) -> int:
    """Some rows; returns how many."""
    some = f"SELECT ctid FROM {table} WHERE {where} LIMIT {most}"  # noqa: S608
    return writer.execute(f"DELETE FROM {table} WHERE ctid = ANY(ARRAY({some}))".encode(), values).rowcount  # noqa: S608
