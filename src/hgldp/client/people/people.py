"""One class for a web server: `People(…).report(person, item)`."""

import asyncio
import os
import ssl
from contextlib import suppress
from pathlib import Path
from threading import Lock
from types import TracebackType
from weakref import ref

from hgldp.client.background import Background
from hgldp.client.environment import Environment
from hgldp.client.pace import Pace
from hgldp.client.people.database import Database
from hgldp.client.people.lead import sender_folder
from hgldp.client.people.uploads import SentReport, forget
from hgldp.client.people.worker import PeopleWorker
from hgldp.client.reporter import check_write_key, checked_task, made_folder, of_kind
from hgldp.client.sending.transport import Transport
from hgldp.client.spending.ceilings import Ceilings
from hgldp.client.status import Outcome, Spent, Status
from hgldp.errors import FolderInUse
from hgldp.model.weights import Epsilon
from hgldp.system.folder_lock import FolderLock
from hgldp.system.http import Address

FOR_MANY = Pace(most_waiting=100_000, most_uploads=10_000, most_listed=100)


class People:
    """Keeps one ledger for each signed-in person on a server, and sends the randomised reports of all.

    The server sees the raw events, so people must trust it; what leaves it is private (docs/embedding.md). Everything
    that docs/client.md promises for one device holds for each person. All worker processes of a server may use one
    folder: together they keep to each person's budget, and one of them sends.

    The arguments are those of `Reporter`; the ceilings are for each person. Nothing is started before it is used, so
    it may be made before a server forks its workers.
    """

    _live: tuple[PeopleWorker, Background] | None

    def __init__(
        self,
        url: str,
        task_id: str | bytes,
        write_key: str,
        *,
        folder: str | Path,
        max_epsilon: Epsilon,
        reports_per_day: int = 100,
        accepted: frozenset[str] | None = None,
        most_batch: int = 64,
        max_total_epsilon: Epsilon | None = None,
        pace: Pace | None = None,
        allow_plain_http: bool = False,
        tls: ssl.SSLContext | None = None,
        environment: Environment | None = None,
    ) -> None:
        self._task, self._key = checked_task(task_id), write_key
        check_write_key(write_key)
        self._ceilings = Ceilings(max_epsilon, reports_per_day, accepted, most_batch, max_total_epsilon)
        self._pace = of_kind("pace", pace, Pace) or FOR_MANY
        self._environment = of_kind("environment", environment, Environment) or Environment()
        self._address = Address.of(url, allow_plain_http=allow_plain_http)
        self._tls = of_kind("tls", tls, ssl.SSLContext)
        self._folder = made_folder(folder)
        Database(self._folder, self._task).close()  # whatever is wrong with the folder is said here
        with suppress(FolderInUse):  # another worker sends
            FolderLock(sender_folder(self._folder)).release()
        self._closed = False
        self._forked()
        me = ref(self)
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=lambda: _in_child(me()))

    def __repr__(self) -> str:
        return f"People(task {self._task[:8]})"

    def report(self, person: str, item: object) -> Outcome:
        """Hand over one event of a person, once. It reads one row of the database, and waits for no writer.

        The outcome is true if the event was taken. No outcome is a reason to report the same event again.
        """
        if self._closed:
            return Outcome.CLOSED
        worker, background = self._running()
        key = worker.key_of(person)
        if background.broken:
            return worker.inbox.drop(Outcome.BROKEN)
        outcome = worker.take(key, item)
        if outcome and not self._pace.gather:
            background.arrived()
        return outcome

    def spent(self, person: str) -> Spent:
        """What the person's ledger says was spent, in reports and in ε, by all workers."""
        worker, _ = self._running()
        agreed = worker.agreement.agreed
        return worker.look_up(worker.key_of(person)).spent(None if agreed is None else agreed.task.budget.per_report)

    def cap(self, person: str) -> str:
        """Which limit the person has reached, and the setting that it comes from; empty if none."""
        worker, _ = self._running()
        agreed, found = worker.agreement.agreed, worker.look_up(worker.key_of(person))
        return "" if agreed is None else found.rule_reached(agreed.task, agreed.caps, worker.waiting_of(found.key))

    def what_was_sent(self, person: str) -> tuple[SentReport, ...]:
        """The latest reports about a person that left, oldest first."""
        worker, _ = self._running()
        return worker.uploads.sent(worker.key_of(person))

    def opted_out(self, person: str) -> bool:
        """Whether a person has opted out."""
        worker, _ = self._running()
        return worker.look_up(worker.key_of(person)).page.opted_out

    def opt_out(self, person: str) -> None:
        """Delete what waits of a person and what is listed, and refuse the person's events in all workers, for good.

        The ledger stays, or opting in again would grant a new budget. An upload that has left and that nobody has
        acknowledged yet is not sent again, though it may hold reports of others, which are then lost.
        """
        self._choose(person, out=True)

    def opt_in(self, person: str) -> None:
        """Take events again, within what the ledger has left; or get to know a person before the first event."""
        self._choose(person, out=False)

    def status(self) -> Status:
        """How this process is doing; `queued` counts the uploads of all workers. It holds no item and no person."""
        if self._closed:
            return Status("closed", "", 0, 0, 0, {})
        worker, background = self._running()
        return worker.status("broken" if background.broken else None, background.trouble)

    @property
    def sends(self) -> bool:
        """Whether this process is the one that sends; False before its first round."""
        return self._live is not None and self._live[0].lead.held

    def flush(self, wait: float = 10.0) -> bool:
        """Randomise now what waits in this process, and send the queue if this process sends. True if nothing is left.

        In the other processes the reports are in the database then, and leave at the next tick of the one that sends.
        """
        return not self._closed and self._running()[1].flush(wait)

    def close(self, wait: float = 5.0) -> None:
        """Flush for up to `wait` seconds, then stop. What is still queued, another worker sends, or the next run."""
        live, self._closed = self._live, True
        if live is not None:
            self._live = None
            live[1].flush(wait)
            live[1].stop()

    async def aflush(self, wait: float = 10.0) -> bool:
        """`flush` for coroutines."""
        return await asyncio.to_thread(self.flush, wait)

    async def aclose(self, wait: float = 5.0) -> None:
        """`close` for coroutines."""
        await asyncio.to_thread(self.close, wait)

    def __enter__(self) -> "People":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def _choose(self, person: str, *, out: bool) -> None:
        worker, _ = self._running()
        key, lost = worker.key_of(person), 0
        with worker.database.write() as rows:
            found = worker.read(rows, key)
            if out or found.page.opted_out or not found.page.second:
                found.choose(out=out)
                found.save(rows)
                lost = forget(rows, key) if out else 0
        worker.inbox.drop(Outcome.OPTED_OUT, lost)

    def _running(self) -> tuple[PeopleWorker, Background]:
        """The worker of this process and its thread, started if they are not."""
        live = self._live
        if live is None:
            with self._starting:
                live = self._live = self._live or self._started()
        return live

    def _started(self) -> tuple[PeopleWorker, Background]:
        pace = self._pace
        transport = Transport(self._address, pace.timeout, pace.deadline, self._tls, self._key)
        terms = (self._ceilings, pace, self._environment, transport)
        worker = PeopleWorker(self._folder, self._task, self._key, *terms)
        return worker, Background(worker, pace, paused=False)

    def _forked(self) -> None:
        """Nothing runs here yet; what a parent process started stays its own."""
        self._starting = Lock()
        self._live = None


def _in_child(one: People | None) -> None:
    """A forked child starts its own worker when it is used, and must not hold its parent's lock."""
    if one is not None and one._live is not None:
        one._live[0].abandon()
    if one is not None:
        one._forked()
