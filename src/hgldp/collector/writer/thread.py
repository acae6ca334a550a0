"""The thread around the writer: take a batch, settle it, replace the views, answer those who wait."""

import logging
import threading
from collections.abc import Iterable, Mapping
from contextlib import suppress

from hgldp.collector.log.recovery import Progress
from hgldp.collector.log.storage import Storage
from hgldp.collector.log.task_copy import TaskCopy
from hgldp.collector.problems import Problem, Refused
from hgldp.collector.settings import Limits
from hgldp.collector.timings import Timings
from hgldp.collector.writer.command import Command
from hgldp.collector.writer.held import Held
from hgldp.collector.writer.pending import PendingUpload
from hgldp.collector.writer.publishing import Publishing, ShowsTasks
from hgldp.collector.writer.queue import RETRY_SECONDS, Backlog, UploadQueue
from hgldp.collector.writer.workshop import Job, Workshop
from hgldp.collector.writer.writer import Writer
from hgldp.errors import StorageFailed
from hgldp.system.clock import Clock

LONGEST_WAIT, FAILING_WAIT = 1.0, 0.25
BUSY_SECONDS = 20.0
log = logging.getLogger("hgldp.collector")


class WriterThread(ShowsTasks):
    """Without `start`, `step` is called by hand. `commits` counts the batches that were made durable since then."""

    def __init__(self, storage: Storage, clock: Clock, limits: Limits, progress: Progress | None = None) -> None:
        self._workshop = Workshop()
        self._writer = Writer(storage, clock, limits, self._workshop, progress)
        self._queue = UploadQueue(limits)
        self._held = Held(limits)
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._broken = False
        self.commits = 0
        self._shown = Publishing(self._queue, clock, limits, self._writer.counted_today)
        self._shown.publish(self._writer.views())

    def start(self) -> None:
        """Start working, in a separate thread."""
        self._workshop.open(self._queue.wake)
        self._thread = threading.Thread(target=self._run, name="hgldp-writer", daemon=True)
        self._thread.start()

    @property
    def is_running(self) -> bool:
        """Whether it has a thread, and need not be stepped by hand."""
        return self._thread is not None

    def stop(self) -> None:
        """Take nothing more, and finish what is queued."""
        self._queue.close()
        if self._thread is not None:
            self._thread.join()
        while self.step() or self._held:
            for job in list(self._busy().values()):
                job.done.wait()
        with suppress(StorageFailed):
            self._writer.put_down()
        self._workshop.close()

    @property
    def backlog(self) -> Backlog:
        """What waits for the writer, or for a task that ends an epoch."""
        queued = self._queue.backlog
        return queued._replace(uploads=queued.uploads + len(self._held))

    @property
    def timings(self) -> Timings:
        """How long commits, seals and tops took."""
        return self._writer.timings

    @property
    def ready(self) -> bool:
        """Whether uploads are taken, and the last thing to be written could be."""
        return not (self._broken or self._writer.failing or self._queue.closed)

    def copy_of(self, task: int) -> TaskCopy:
        """A task as it is now, for questions that take their time."""
        while True:
            with self._lock:
                busy = self._busy().get(task)
                if self._broken:
                    self._queue.wake()
                    raise Refused(Problem.INTERNAL)
                if busy is None:
                    return self._writer.copy_of(task)
            busy.done.wait()

    def _busy(self) -> Mapping[int, Job]:
        """The jobs beside the writer. What one of them raised makes the next step read the log again."""
        try:
            return self._writer.busy()
        except Exception as unforeseen:  # noqa: BLE001 - whoever asks, it is the writer's to mend
            self._recover(unforeseen, ())
            return {}

    def compact(self, *, all_reports: bool) -> None:
        """Delete now what need not be kept, however long it takes.

        Not for a collector that serves: everybody else waits meanwhile. There `tidy_up` deletes a little at a time.
        """
        with self._lock:
            self._writer.compact(all_reports=all_reports)

    def do(self, command: Command, seconds: float | None = BUSY_SECONDS) -> None:
        """Carry a command out; on return it is durable and the views show it.

        A task that ends an epoch may be busy for long: after `seconds` nobody waits, but the command stays queued.
        """
        self._queue.put_command(command)
        if self._thread is None:
            self.step()
        if not command.done.wait(seconds):
            raise Refused(Problem.TASK_BUSY, retry_after=RETRY_SECONDS)
        if command.failure is not None:
            raise command.failure

    def _run(self) -> None:
        while self.step() or not self._queue.closed:
            with self._lock:
                due = self._writer.seconds_until_due()
            soonest = LONGEST_WAIT if due is None else min(due, LONGEST_WAIT)
            self._queue.wait(max(soonest, FAILING_WAIT) if self._writer.failing or self._broken else soonest)

    def step(self) -> bool:
        """Settle one batch and whatever is due by the clock; False if nothing was queued.

        Tops are computed after every request has been answered: in a large domain they take time.
        """
        uploads: list[PendingUpload] = []
        commands: list[Command] = []
        taken = False
        try:
            with self._lock:
                busy = self._busy()
                uploads, commands = self._next(busy)
                taken = bool(uploads or commands)
                if busy:
                    uploads, commands = self._held.hold(uploads, commands, busy)
                self._settle(uploads, commands)
                self._shown.publish(self._writer.take_changed())
        except Exception as unforeseen:  # noqa: BLE001 - whatever it was, everybody gets an answer
            self._recover(unforeseen, commands)
        self._answer(uploads, commands)
        try:
            with self._lock:
                self._shown.publish(self._writer.renew_tops())
                if not len(self._queue):
                    self._writer.tidy_up()
        except Exception as unforeseen:  # noqa: BLE001 - and the writer goes on
            self._recover(unforeseen, ())
        return taken

    def _next(self, busy: Mapping[int, Job]) -> tuple[list[PendingUpload], list[Command]]:
        """What one commit may hold. What was held for a task that is free again comes before the queue."""
        if self._held:
            uploads, commands = self._held.release(busy)
            if uploads or commands:
                self._queue.wake()
                return uploads, commands
        return self._queue.take()

    def _settle(self, uploads: list[PendingUpload], commands: list[Command]) -> None:
        if self._broken:
            self._writer.reload()
            self._broken = False
        failed_before = self._writer.failing
        try:
            if uploads or commands or self._writer.is_due():
                self._writer.write(uploads, commands)
                self.commits += 1
            if not len(self._queue):
                self._writer.flush()
        except StorageFailed as failure:
            if not failed_before:
                log.warning("storage failed: %s", failure)
        self._shown.keep_only(self._writer.numbers)

    def _recover(self, unforeseen: Exception, commands: Iterable[Command]) -> None:
        """After an error in our own code, only the log can be trusted: the next step reads it again."""
        log.error("writer failed: %s", type(unforeseen).__name__, exc_info=unforeseen)
        for command in commands:
            command.failure = command.failure or Refused(Problem.INTERNAL)
        self._broken = True

    def _answer(self, uploads: list[PendingUpload], commands: list[Command]) -> None:
        self._shown.answer(uploads)
        for command in commands:
            if command.after is not None:
                command.after()
            command.done.set()
