"""The shared store: the same tables and reads as in a folder, in PostgreSQL. What is deleted goes in small pieces."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace

from hgldp.collector.log.milestones import bulletins_from, results_from
from hgldp.collector.log.postgres.database import Connection, Database, execute_each, insert_all, one_value
from hgldp.collector.log.postgres.frozen import FrozenDatabase
from hgldp.collector.log.postgres.lease import Lease
from hgldp.collector.log.postgres.leftovers import AT_ONCE, delete, delete_some, find_leftover
from hgldp.collector.log.postgres.migrations import prepare
from hgldp.collector.log.postgres.reading import DatabaseReading
from hgldp.collector.log.postgres.version import check_alone, check_version
from hgldp.collector.log.rows import read_task_values
from hgldp.collector.log.storage import Transaction
from hgldp.collector.log.table_changes import DELETE, REPLACE, table_changes
from hgldp.errors import StorageFailed

CHANNEL = "hgldp"
KEYS = {"tasks": "number", "takeovers": "task", "snapshots": "task", "pruned": "task", "kept_from": "task"}
ROWS_AT_ONCE = 100
PLENTY = 1 << 62


class PostgresStorage(DatabaseReading):
    """`lease` is that of this collector: what only the sealer may write is written only while it is the sealer.

    Without a lease everything is written, whatever the version, as tests and tools need it.
    """

    def __init__(self, database: Database, lease: Lease | None = None) -> None:
        prepare(database)
        self.database, self.lease = database, lease
        found = self._read("SELECT value FROM service WHERE name = 'secret'")
        self.secret: bytes = bytes.fromhex(found[0][0])

    @contextmanager
    def _reader(self) -> Iterator[Connection]:
        with self.database.reading() as reader:
            yield reader

    def last_number(self) -> int:
        """One less than a number that no other task will get, whichever collector creates it."""
        with self.database.connection() as writer:
            return int(one_value(writer, "SELECT nextval('task_numbers') - 1", ()))

    @contextmanager
    def at_one_moment(self) -> Iterator[FrozenDatabase]:
        """Reads that see nothing of what others write meanwhile."""
        frozen = FrozenDatabase(self.database, self.secret)
        try:
            yield frozen
        finally:
            frozen.close()

    def task_changes(self) -> int:
        """How often tasks were created, changed or deleted. Another version's database is refused."""
        with self._reader() as reader:
            check_version(reader)
            return int(one_value(reader, "SELECT changes FROM sealer"))

    def latest_epochs(self, tasks: Iterable[int]) -> dict[int, int]:
        """The epoch of the newest bulletin that is written, of each of these tasks that has one."""
        sql = "SELECT number, (SELECT MAX(epoch) FROM bulletins WHERE task = number) FROM tasks WHERE number = ANY(?)"
        return {number: epoch for number, epoch in self._read(sql, list(tasks)) if epoch is not None}

    def requests(self) -> list[tuple[int, int, int]]:
        """What operators want to be ended, as (number, task, kind), the oldest first."""
        return self._read("SELECT number, task, kind FROM requests ORDER BY number LIMIT 100")

    def request(self, task: int, kind: int) -> int:
        """Ask the sealer to end an epoch or a task; the number of the request."""
        with self.database.connection() as writer:
            sql = "INSERT INTO requests (task, kind) VALUES (%s, %s) RETURNING number"
            return int(one_value(writer, sql, (task, kind)))

    def is_answered(self, number: int) -> bool:
        """Whether a request was carried out, or its task is gone."""
        return not self._read("SELECT 1 FROM requests WHERE number = ?", number)

    def write(self, transaction: Transaction) -> None:
        """Write everything durably, or raise StorageFailed and write nothing."""
        with self.database.transaction() as writer:
            if self.lease is not None:
                self.lease.check(writer)
                check_version(writer, may_be_earlier=True)
            self._carry_out(writer, transaction)

    def write_tasks(self, transaction: Transaction) -> None:
        """New, changed and deleted tasks, which any collector may write."""
        with self.database.transaction() as writer:
            check_alone(writer)  # first, as the sealer does: nobody waits in a circle
            self._carry_out(writer, transaction)

    def change_task(self, number: int, changes: Mapping[str, object]) -> bool:
        """Give a task new values; two collectors that change it at once change it one after the other."""
        with self.database.transaction() as writer:
            check_alone(writer)
            found = writer.execute("SELECT * FROM tasks WHERE number = %s", (number,), binary=True).fetchone()
            if found is None:
                return False
            row = replace(read_task_values(found), **changes)  # type: ignore[arg-type]
            self._carry_out(writer, Transaction(changed=[row]))
        return True

    def _carry_out(self, writer: Connection, transaction: Transaction) -> None:
        for verb, table, values, where in table_changes(transaction):
            if verb == DELETE:
                mark = " AND ".join(f"{name} = %s" for name in where)
                execute_each(writer, f"DELETE FROM {table} WHERE {mark}", values)  # noqa: S608
                continue
            if verb == REPLACE:
                sql = f"DELETE FROM {table} WHERE {KEYS[table]} = %s"  # noqa: S608
                execute_each(writer, sql, [row[:1] for row in values])
            insert_all(writer, table, values)
        insert_all(writer, "gates", [(row.number, 0) for row in transaction.tasks])
        execute_each(writer, "DELETE FROM gates WHERE task = %s", [(number,) for number in transaction.deleted])
        execute_each(
            writer,
            "INSERT INTO days VALUES (%s,%s,%s) ON CONFLICT (task, day) "
            "DO UPDATE SET reports = days.reports + excluded.reports",
            [(*key, reports) for key, reports in transaction.days.items()],
        )
        if transaction.taken:
            gone = writer.execute("DELETE FROM inbox WHERE number = ANY(%s)", (transaction.taken,)).rowcount
            if gone != len(transaction.taken):
                raise StorageFailed("a row of the inbox is in the log already: nothing was written")
        if transaction.answered:
            writer.execute("DELETE FROM requests WHERE number = ANY(%s)", (transaction.answered,))
        if transaction.era is not None:
            writer.execute("UPDATE service SET value = %s WHERE name = 'era'", (str(transaction.era),))
        self._note(writer, transaction)

    def _note(self, writer: Connection, transaction: Transaction) -> None:
        """Where the log ends, and that tasks have changed; whoever listens is told."""
        if transaction.entries:
            last = transaction.entries[-1]
            writer.execute("UPDATE sealer SET position = %s, batch = %s", (last.position, last.batch))
        if transaction.tasks or transaction.changed or transaction.deleted:
            writer.execute("UPDATE sealer SET changes = changes + 1")
            writer.execute("SELECT pg_notify(%s, 'tasks')", (CHANNEL,))
        if transaction.bulletins:
            writer.execute("SELECT pg_notify(%s, 'bulletins')", (CHANNEL,))

    def probe(self) -> None:
        """Raise StorageFailed unless something can be written durably now."""
        with self.database.connection() as writer:
            writer.execute("UPDATE sealer SET changes = changes")

    def _check_lease(self, writer: Connection) -> None:
        if self.lease is not None:
            self.lease.check(writer)

    def prune(self, task: int, upto: int, before: float) -> int:
        """Delete some of the oldest entries of a task: up to a position, and older than a time. Returns how many."""
        with self.database.transaction() as writer:
            self._check_lease(writer)
            oldest = writer.execute(
                "SELECT position, time, chain FROM log WHERE task = %s AND position <= %s ORDER BY position LIMIT %s",
                (task, upto, AT_ONCE),
            ).fetchall()
            gone = []
            for position, time, chain in oldest:
                if float(time) >= before:
                    break
                gone.append((task, position, chain))
            if gone:
                sql = "DELETE FROM log WHERE task = %s AND position <= %s"
                if writer.execute(sql, gone[-1][:2]).rowcount != len(gone):
                    raise StorageFailed("the clocks disagree about the age of a report: nothing was deleted")
                writer.execute("DELETE FROM pruned WHERE task = %s", (task,))
                writer.execute("INSERT INTO pruned VALUES (%s,%s,%s)", gone[-1])
        return len(gone)

    def expire(self, task: int, before: float) -> bool:
        """Delete some of what was published before a time and a milestone stands for; False if nothing was left."""
        with self.database.transaction() as writer:
            self._check_lease(writer)
            return self._begin_later(writer, task, before) or self._delete_some(writer, task)

    def _begin_later(self, writer: Connection, task: int, before: float) -> bool:
        """As in a folder (milestones.py)."""
        found = one_value(
            writer,
            "SELECT MAX(epoch) FROM milestones JOIN pruned USING (task) "
            "WHERE task = %s AND time < %s AND milestones.position <= pruned.position",
            (task, before),
        )
        if found is None or int(found) <= self._kept_from(writer, task):
            return False
        writer.execute("DELETE FROM kept_from WHERE task = %s", (task,))
        writer.execute("INSERT INTO kept_from VALUES (%s,%s)", (task, found))
        for table in ("milestones", "takeovers"):
            writer.execute(f"DELETE FROM {table} WHERE task = %s AND epoch < %s".encode(), (task, found))  # noqa: S608
        return True

    def _delete_some(self, writer: Connection, task: int) -> bool:
        first = self._kept_from(writer, task)
        for table, needed in (("kept", first), ("results", results_from(first)), ("bulletins", bulletins_from(first))):
            if delete(writer, table, "task = %s AND epoch < %s", (task, needed), ROWS_AT_ONCE):
                return True
        return False

    def _kept_from(self, writer: Connection, task: int) -> int:
        return int(one_value(writer, "SELECT MAX(epoch) FROM kept_from WHERE task = %s", (task,)) or 0)

    def tidy(self, *, spare: bool = True) -> bool:
        """Delete some of what deleted tasks left, and of the ids of uploads that could not come again.

        PostgreSQL gives the space back by itself.
        """
        del spare
        with self.database.reading() as reader:
            found = find_leftover(reader)
        if found is None:
            return False
        with self.database.transaction() as writer:
            self._check_lease(writer)
            delete_some(writer, found)
        return True

    def free_bytes(self) -> int:
        """Nobody can tell from here how full the disk of the database is."""
        return PLENTY

    def close(self) -> None:
        """Close the connections."""
        self.database.close()
        if self.lease is not None:
            self.lease.close()
