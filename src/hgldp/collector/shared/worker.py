"""One collector of several that share a store: what `WriterThread` is for a collector with a folder of its own."""

import asyncio
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress

from hgldp.collector.log.postgres.inbox import Inbox
from hgldp.collector.log.postgres.lease import Lease
from hgldp.collector.log.postgres.store import PostgresStorage
from hgldp.collector.log.recovery import Progress
from hgldp.collector.log.storage import Transaction
from hgldp.collector.log.task_copy import TaskCopy
from hgldp.collector.log.task_state import TaskState
from hgldp.collector.problems import Problem, Refused
from hgldp.collector.settings import Limits
from hgldp.collector.shared.intake import SharedIntake, refusal
from hgldp.collector.shared.keeper import Keeper
from hgldp.collector.shared.listener import Listener
from hgldp.collector.shared.news import Submit
from hgldp.collector.shared.office import SharedOffice
from hgldp.collector.shared.presence import Presence
from hgldp.collector.shared.writer import SharedWriter
from hgldp.collector.timings import Timings
from hgldp.collector.views import Receipt
from hgldp.collector.writer.command import DELETE, Command
from hgldp.collector.writer.publishing import Publishing, ShowsTasks
from hgldp.collector.writer.queue import RETRY_SECONDS, Backlog, UploadQueue
from hgldp.collector.writer.workshop import Job, Workshop
from hgldp.errors import StorageFailed
from hgldp.system.clock import Clock

BUSY_SECONDS, LOOK_SECONDS = 20.0, 0.05


class Worker(ShowsTasks):
    """Uploads go into the inbox of the store in one thread; another follows the log, or writes it as the sealer."""

    def __init__(
        self,
        storage: PostgresStorage,
        lease: Lease,
        clock: Clock,
        limits: Limits,
        office: SharedOffice,
        progress: Progress | None = None,
        chores: Sequence[Callable[[], None]] = (),
    ) -> None:
        self._storage, self._lock, self.office = storage, threading.Lock(), office
        self._workshop = Workshop()
        inbox = Inbox(storage.database, lease)
        self._writer = SharedWriter(storage, inbox, clock, limits, self._workshop, progress)
        self._queue = UploadQueue(limits)
        self._shown = Publishing(self._queue, clock, limits, self._writer.counted_today, self._wait_for_news)
        self._keeper = Keeper(lease, self._writer, self._shown, clock, limits, self._lock)
        self._presence = Presence(storage.database, lease.holder, self._shown.share_among)
        counts = self._writer.upload_counts
        self._intake = SharedIntake(self._queue, inbox, self._shown, counts, clock, self._keeper.wake)
        self._keeper.chores = [self._intake.recheck, self._presence.look, office.look, *chores]
        self._timings = Timings(self._intake.put_seconds, self._writer.timings.seal, self._writer.timings.top)
        self._listener = Listener(storage.database.url, self._keeper.wake)
        self._shown.publish(self._writer.views())

    @property
    def when_tasks_change(self) -> Callable[[], None]:
        """Called in the keeper's thread when the views show a task that was created, changed or deleted."""
        return self._keeper.when_tasks_change

    @when_tasks_change.setter
    def when_tasks_change(self, function: Callable[[], None]) -> None:
        self._keeper.when_tasks_change = function

    def _wait_for_news(self, submit: Submit, size: int) -> "asyncio.Future[Receipt]":
        return self._keeper.news.wait_for(submit, size)

    def start(self) -> None:
        """Start working, in separate threads."""
        self._workshop.open(self._keeper.wake)
        self._intake.start()
        self._keeper.start()
        self._listener.start()

    @property
    def is_running(self) -> bool:
        """Whether it has threads, and need not be stepped by hand."""
        return self._keeper.is_running

    def stop(self) -> None:
        """Take nothing more, finish what is queued, and let another be the sealer."""
        self._intake.stop()
        self._listener.stop()
        self._keeper.stop()
        with suppress(StorageFailed):
            self._presence.leave()
        self._workshop.close()

    def step(self) -> bool:
        """Without threads: settle one batch by hand, and seal or follow; False if nothing was queued."""
        taken = self._intake.step()
        while self._keeper.step():
            pass
        return taken

    @property
    def backlog(self) -> Backlog:
        """What waits for its commit."""
        return self._queue.backlog

    @property
    def commits(self) -> int:
        """How many batches were made durable since the start."""
        return self._intake.commits

    @property
    def store_numbers(self) -> dict[str, float]:
        """Whether this collector is the sealer, and how much waits for whoever is."""
        return {"sealing": int(self._keeper.seals), "inbox_bytes": self._intake.inbox_bytes}

    @property
    def timings(self) -> Timings:
        """How long uploads took to be durable, and how long seals and tops took."""
        return self._timings

    @property
    def ready(self) -> bool:
        """Whether uploads are taken, and the last ones could be written in time."""
        return not (self._intake.failing or self._intake.is_stuck or self._keeper.failing or self._queue.closed)

    def copy_of(self, task: int) -> TaskCopy:
        """A task as it is now, for questions that take their time."""
        while True:
            with self._lock:
                busy = self._busy().get(task)
                if busy is None:
                    return self._writer.copy_of(task)
            busy.done.wait()

    def _busy(self) -> Mapping[int, Job]:
        try:
            return self._writer.busy()
        except Exception as unforeseen:
            self._keeper.read_again(unforeseen)
            raise Refused(Problem.INTERNAL) from unforeseen

    def compact(self, *, all_reports: bool) -> None:
        """Not here: the sealer deletes what need not be kept, a little at a time."""
        del all_reports
        raise StorageFailed("hgldp compact must be run on a folder: in a shared store the sealer deletes what may go")

    def do(self, command: Command, seconds: float | None = BUSY_SECONDS) -> None:
        """Carry a command out; on return it is durable, and if all is well the views of this collector show it."""
        patience = BUSY_SECONDS if seconds is None else seconds
        if self._queue.closed:
            raise Refused(Problem.SHUTTING_DOWN, retry_after=RETRY_SECONDS)
        try:
            self._carry_out(command, patience)
        except StorageFailed as failure:
            raise refusal(failure) from failure
        self._keeper.catch_up(patience)  # a new key is told only once: whatever becomes of this

    def _carry_out(self, command: Command, seconds: float) -> None:
        if command.created is not None:
            self._create(command.created)
        elif command.changes:
            self._change(command.task, command.changes)
        elif command.kind == DELETE:
            self._storage.write_tasks(Transaction(deleted=[command.task]))
        else:
            self._ask_the_sealer(command, seconds)

    def _create(self, state: TaskState) -> None:
        """After a failure nobody knows whether it was committed. Its key is in no other row."""
        transaction = Transaction(tasks=[state.row])
        transaction.extend(state.derived)
        try:
            self._storage.write_tasks(transaction)
        except StorageFailed:
            found = next((row for row in self._storage.tasks() if row.id == state.row.id), None)
            if found is None:
                raise
            if found.write_digest != state.row.write_digest:
                raise Refused(Problem.TASK_EXISTS, "another collector has just created it") from None

    def _change(self, task: int, changes: Mapping[str, object]) -> None:
        """After a failure nobody knows whether it was committed."""
        try:
            is_known = self._storage.change_task(task, changes)
        except StorageFailed:
            found = self._storage.task(task)
            if found is None or any(getattr(found, name) != value for name, value in changes.items()):
                raise
        else:
            if not is_known:
                raise Refused(Problem.UNKNOWN_TASK)

    def _ask_the_sealer(self, command: Command, seconds: float) -> None:
        number, until = self._storage.request(command.task, command.kind), time.monotonic() + seconds
        self._keeper.wake()
        while not self._storage.is_answered(number):
            if not self._keeper.is_running:
                self._keeper.step()
            elif time.monotonic() > until:
                raise Refused(Problem.TASK_BUSY, retry_after=RETRY_SECONDS)
            else:
                time.sleep(LOOK_SECONDS)
