"""Several collectors on one PostgreSQL: each takes uploads in and follows the log; one of them writes it."""

import os
import secrets
import socket
from collections.abc import Callable
from contextlib import ExitStack, suppress
from time import sleep

from hgldp.collector.log.postgres.database import Database
from hgldp.collector.log.postgres.lease import Lease, LeaseLost
from hgldp.collector.log.postgres.store import PostgresStorage
from hgldp.collector.log.recovery import Progress, recover_task
from hgldp.collector.log.storage import TaskRow
from hgldp.collector.log.takeover.era import ERA
from hgldp.collector.log.takeover.take_over import take_over
from hgldp.collector.settings import Limits
from hgldp.collector.shared.clock import DatabaseClock
from hgldp.collector.shared.office import SharedOffice
from hgldp.collector.shared.sessions import SharedSessions
from hgldp.collector.shared.task import PastSharedTask
from hgldp.collector.shared.worker import Worker
from hgldp.errors import DamagedLog, StorageFailed
from hgldp.system.clock import Clock

__all__ = ["Worker", "joined"]
TRY_SECONDS = 0.2


def _take_over(
    storage: PostgresStorage, lease: Lease, entropy: Callable[[int], bytes], progress: Progress | None
) -> None:
    """Of a database whose version derives other numbers: if it is an earlier one, this collector seals from now on."""
    found = storage.era()
    if found > ERA:
        raise DamagedLog(f"the database has the era {found} of a later version, and this one knows {ERA}: install that")

    def recovered(row: TaskRow) -> PastSharedTask:
        with storage.at_one_moment() as moment:
            return recover_task(moment, row, PastSharedTask)

    while storage.era() < ERA:
        if lease.acquire(from_earlier_version=True):
            with lease.kept(), suppress(LeaseLost):
                take_over(storage, entropy, progress, recovered)
        else:
            sleep(TRY_SECONDS)


def joined(
    url: str,
    clock: Clock | None,
    entropy: Callable[[int], bytes],
    limits: Limits,
    progress: Progress | None = None,
    admin: bytes | None = None,
) -> tuple[PostgresStorage, Worker, Clock, SharedSessions]:
    """The store, and this process's part in it. It has not started yet."""
    with ExitStack() as opened:
        database = Database(url)
        opened.callback(database.close)
        name = f"{socket.gethostname()} {secrets.token_hex(4)} {os.getpid()}"  # in containers all have process 1
        lease = Lease(Database(url, most=2), name)
        opened.callback(lease.close)
        opened.callback(_given_up, lease)
        storage = PostgresStorage(database, lease)
        _take_over(storage, lease, entropy, progress)
        own = DatabaseClock(database)
        office = SharedOffice(database, admin, own.now, entropy)
        sessions = SharedSessions(database, storage.secret)
        worker = Worker(storage, lease, clock or own, limits, office, progress, [own.ask, sessions.look])
        opened.pop_all()
    return storage, worker, clock or own, sessions


def _given_up(lease: Lease) -> None:
    """Whoever could not start lets another be the sealer at once."""
    with suppress(StorageFailed):
        lease.release()
