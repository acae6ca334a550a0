"""One class, one verb: `Reporter(…).report(item)`."""

import asyncio
import os
import re
import ssl
import time
from pathlib import Path
from types import TracebackType
from typing import TypeVar

from hgldp.client.background import Background
from hgldp.client.environment import Environment
from hgldp.client.pace import Pace
from hgldp.client.sending.outbox import Sent
from hgldp.client.sending.transport import Transport
from hgldp.client.spending.ceilings import Ceilings
from hgldp.client.status import Outcome, Spent, Status
from hgldp.client.worker import Worker
from hgldp.errors import FolderInUse, FolderLost, InvalidField
from hgldp.model.weights import Epsilon
from hgldp.system.folder_lock import FolderLock
from hgldp.system.http import Address

_KEY = re.compile(r"[A-Za-z0-9_-]{43}")
_TASK = re.compile(r"[0-9a-f]{64}")
LONGEST_SHOWN = 100
RETRY = 0.05
SHARED = (
    "a Reporter is one person's device. In a web server with several workers, take hgldp.client.People. Under a "
    "development reloader, make the Reporter only in the process that serves: the one that watches the files must "
    "not make one too. If this process has made one for the folder already, use that one"
)
T = TypeVar("T")


class Reporter:
    """Randomises events on this device and sends the results, in a background thread (docs/client.md).

    `url`, `task_id` and `write_key` are what `hgldp task create` printed. The id is the task's hash, so no server can
    put another task in its place. `folder` holds the ledger and the queue; it belongs to one task, one process and one
    person. A web server takes `People` in its place.
    `max_epsilon`, `reports_per_day` and `accepted` are this client's own ceilings: a task above them is refused, and
    nothing is sent. `max_total_epsilon` ends all reports when they have cost that much together.
    """

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
        self._task = checked_task(task_id)
        check_write_key(write_key)
        ceilings = Ceilings(max_epsilon, reports_per_day, accepted, most_batch, max_total_epsilon)
        pace = of_kind("pace", pace, Pace) or Pace()
        environment = of_kind("environment", environment, Environment) or Environment()
        address = Address.of(url, allow_plain_http=allow_plain_http)
        transport = Transport(address, pace.timeout, pace.deadline, of_kind("tls", tls, ssl.SSLContext), write_key)
        path = made_folder(folder)
        self._process = os.getpid()
        self._lock = _locked(path, pace.take_over)
        try:
            self._worker = Worker(path, self._task, write_key, ceilings, pace, environment, transport, self._lock)
            self._background = Background(self._worker, pace, paused=self._worker.ledger.page.opted_out)
        except BaseException:
            self._lock.release()
            raise

    def __repr__(self) -> str:
        return f"Reporter(task {self._task[:8]}, {self.status().state})"

    def report(self, item: object) -> Outcome:
        """Hand over one event, once. This touches neither disk nor network; any thread or coroutine may call it.

        The outcome is true if the event was taken. No outcome is a reason to report the same event again.
        """
        background, worker = self._background, self._worker
        if self._foreign or background.closed:
            return Outcome.CLOSED
        if background.paused:
            return worker.inbox.drop(Outcome.OPTED_OUT)
        if background.broken:
            return worker.inbox.drop(Outcome.BROKEN)
        outcome = worker.take(item)
        if outcome:
            background.arrived()
        return outcome

    def flush(self, wait: float = 10.0) -> bool:
        """Randomise and send now what is waiting, without renewing the bulletin. True if nothing is left."""
        return not self._foreign and self._background.flush(wait)

    def close(self, wait: float = 5.0) -> None:
        """Flush for up to `wait` seconds, then stop. What is still queued stays on disk for the next run."""
        if not self._foreign and not self._background.closed:
            self._background.flush(wait)
            self._background.stop()
        self._lock.release()

    def what_was_sent(self) -> tuple[Sent, ...]:
        """The latest uploads that left this device, byte for byte, oldest first."""
        return self._worker.sent.latest

    def spent(self) -> Spent:
        """What the ledger says this device has spent, in reports and in ε."""
        agreed = self._worker.agreement.agreed
        return self._worker.ledger.spent(None if agreed is None else agreed.task.budget.per_report)

    def status(self) -> Status:
        """How the reporter is doing, for logs and settings pages; it holds no item."""
        background = self._background
        state = "closed" if background.closed or self._foreign else "opted out" if background.paused else None
        return self._worker.status(state or ("broken" if background.broken else None), background.trouble)

    def opt_out(self) -> None:
        """Delete the queue, the list of uploads, the task and the bulletin, and refuse all events, even after restarts.

        The ledger stays, or opting in again would grant a new budget; and so does a bulletin that has to stay. This
        stops one task only: an application with several reporters calls it on each.
        """
        self._check_process()
        self._background.paused = True
        self._background.ask(self._worker.opt_out)

    def opt_in(self) -> None:
        """Take events again, within what the ledger has left."""
        self._check_process()
        self._background.ask(self._opt_in)

    async def aflush(self, wait: float = 10.0) -> bool:
        """`flush` for coroutines."""
        return await asyncio.to_thread(self.flush, wait)

    async def aclose(self, wait: float = 5.0) -> None:
        """`close` for coroutines."""
        await asyncio.to_thread(self.close, wait)

    def __enter__(self) -> "Reporter":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    async def __aenter__(self) -> "Reporter":
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        await self.aclose()

    def _opt_in(self) -> None:
        self._worker.opt_in()
        self._background.paused = False

    def _check_process(self) -> None:
        """A forked child knows only what was spent before the fork: it must not write the ledger."""
        if self._foreign:
            raise FolderLost

    @property
    def _foreign(self) -> bool:
        """True in a forked child: it has no background thread, and the folder is its parent's."""
        return os.getpid() != self._process


def of_kind(field: str, value: T | None, kind: type[T]) -> T | None:
    """Refuse a wrong kind here; otherwise it would fail later, in the background thread."""
    if value is not None and not isinstance(value, kind):
        raise InvalidField(field, f"must be a {kind.__name__} or None", type(value).__name__)
    return value


def checked_task(task_id: str | bytes) -> str:
    """The id of a task as digits; a write key in its place is not repeated."""
    digits = task_id.hex() if isinstance(task_id, bytes) else task_id
    if not isinstance(digits, str) or not _TASK.fullmatch(digits):
        swapped = isinstance(digits, str) and _KEY.fullmatch(digits)
        shown = "what may be a write key (withheld)" if swapped else repr(task_id)[:LONGEST_SHOWN]
        raise InvalidField("task_id", "must be 64 lower-case hexadecimal digits", shown)
    return digits


def check_write_key(write_key: str) -> None:
    """A collector's write keys are 32 bytes in base64url without padding."""
    if not isinstance(write_key, str):
        raise InvalidField("write_key", "must be a text", type(write_key).__name__)
    if not _KEY.fullmatch(write_key):
        rule = "must be 43 letters, digits, - and _, as the collector made it"
        raise InvalidField("write_key", rule, f"{len(write_key)} characters (withheld)")


def _locked(path: Path, wait: float) -> FolderLock:
    """The lock on the folder. A development server may start a new process while the old one still ends."""
    end = time.monotonic() + wait
    while True:
        try:
            return FolderLock(path)
        except FolderInUse:
            if time.monotonic() >= end:
                raise FolderInUse(path, SHARED) from None
            time.sleep(min(wait, RETRY))


def made_folder(folder: str | Path) -> Path:
    """The folder, made if it is not there."""
    if not isinstance(folder, str | Path):
        raise InvalidField("folder", "must be the path of a folder", type(folder).__name__)
    path = Path(folder).absolute()
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as failure:
        raise InvalidField("folder", "must be a folder that can be written", f"{path} ({failure.strerror})") from None
    return path
