"""Who puts the inbox into the log: one collector at a time, for as long as it renews its claim every few seconds.

A lock that belongs to a session would be lost behind a transaction pooler. So the sealer is a row with a fencing
number: whoever takes over raises it, and a sealer that was held up finds another number than its own and writes
nothing. Only the database's clock counts.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from hgldp.collector.log.postgres.database import Connection, Database
from hgldp.collector.log.takeover.era import ERA
from hgldp.errors import StorageFailed

SEALING = 0x48475345
LEASE_SECONDS = 5.0


class LeaseLost(StorageFailed):
    """Another collector has become the sealer."""


class Lease:
    """`fence` is the number of this collector while it is the sealer, as far as it knows; else None."""

    def __init__(self, database: Database, holder: str, seconds: float = LEASE_SECONDS) -> None:
        self._database, self.holder, self._seconds = database, holder, seconds
        self.fence: int | None = None

    def acquire(self, *, from_earlier_version: bool = False) -> bool:
        """Become the sealer if there is none, or, if wanted, if the sealer is of an earlier version."""
        with self._database.transaction() as writer:
            free = writer.execute("SELECT pg_try_advisory_xact_lock(%s)", (SEALING,)).fetchone()
            if not (free and free[0]):
                return False
            found = writer.execute(
                "UPDATE sealer SET fence = fence + 1, holder = %s, era = %s, "
                "until = clock_timestamp() + make_interval(secs => %s) "
                "WHERE (until < clock_timestamp() OR (%s AND era < %s)) "
                "AND (SELECT value::int FROM service WHERE name = 'era') <= %s RETURNING fence",
                (self.holder, ERA, self._seconds, from_earlier_version, ERA, ERA),
            ).fetchone()
        self.fence = None if found is None else int(found[0])
        return found is not None

    def check(self, writer: Connection) -> None:
        """Inside a transaction that only the sealer may commit: still the sealer, and for some seconds more."""
        held = writer.execute(
            "UPDATE sealer SET until = clock_timestamp() + make_interval(secs => %s) WHERE fence = %s",
            (self._seconds, self.fence),
        )
        if not held.rowcount:
            self.fence = None
            raise LeaseLost("another collector has become the sealer")

    def renew(self) -> None:
        """Say that this collector is still there."""
        with self._database.transaction() as writer:
            self.check(writer)

    @contextmanager
    def kept(self) -> Iterator[None]:
        """Renewed every second, in a thread, as long as the block lasts."""
        ended = threading.Event()

        def renew() -> None:
            while not ended.wait(1.0):
                with suppress(StorageFailed):
                    self.renew()

        thread = threading.Thread(target=renew, name="hgldp-lease", daemon=True)
        thread.start()
        try:
            yield
        finally:
            ended.set()
            thread.join()

    def close(self) -> None:
        """Close its own connections."""
        self._database.close()

    def release(self) -> None:
        """Let another take over at once."""
        fence, self.fence = self.fence, None
        if fence is not None:
            with self._database.connection() as writer:
                writer.execute("UPDATE sealer SET until = 'epoch' WHERE fence = %s", (fence,))
