"""The gate of each task: from which epoch on its bulletins may be answered, and who may move it."""

from hgldp.collector.log.postgres.database import Connection
from hgldp.collector.log.postgres.version import check_version

GATE = 0x4847
SHUT = 1 << 62


def hold_open(writer: Connection, tasks: list[int]) -> dict[int, int]:
    """Hold the gates of these tasks, together with others, until the commit; where each of them begins.

    The gates are read after the locks are held: whoever moved one meanwhile has committed that.
    """
    writer.execute("SELECT pg_advisory_xact_lock_shared(%s, unnest(%s::int[]))", (GATE, tasks))
    gates = writer.execute("SELECT task, open_from FROM gates WHERE task = ANY(%s)", (tasks,)).fetchall()
    check_version(writer)
    return {int(task): int(epoch) for task, epoch in gates}


def hold_alone(writer: Connection, task: int) -> None:
    """Wait until nobody holds the gate of a task, and hold it alone until the commit."""
    writer.execute("SELECT pg_advisory_xact_lock(%s, %s)", (GATE, task))
