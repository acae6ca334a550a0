"""The bounded queue between the event loop and the one writer, and the door of each task before it."""

import asyncio
import threading
from collections import deque
from collections.abc import Callable
from functools import partial
from time import monotonic
from typing import NamedTuple

from hgldp.collector.problems import Problem, Refused
from hgldp.collector.settings import Limits
from hgldp.collector.views import Receipt, TaskView
from hgldp.collector.writer.command import Command
from hgldp.collector.writer.pending import PendingUpload, read_upload
from hgldp.collector.writer.quotas import TaskQuotas

RETRY_SECONDS = 1
Later = Callable[[Callable[[], "asyncio.Future[Receipt]"], int], "asyncio.Future[Receipt]"]


class Backlog(NamedTuple):
    """What waits for the writer, and how long it has left something waiting, at least."""

    uploads: int
    bytes: int
    seconds: float


class UploadQueue:
    """One thread puts uploads, one takes them; commands come from any thread. Neither side ever waits for the other."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._uploads: deque[PendingUpload] = deque()
        self._commands: deque[Command] = deque()
        self._bytes_in = 0
        self._bytes_out = 0
        self._wake = threading.Condition()
        self._called = False
        self._since = 0.0
        self._ready = False
        self.closed = False

    def __len__(self) -> int:
        return len(self._uploads)

    @property
    def backlog(self) -> Backlog:
        """At this moment."""
        uploads = len(self._uploads)
        return Backlog(uploads, self._bytes_in - self._bytes_out, monotonic() - self._since if uploads else 0.0)

    def put(self, upload: PendingUpload) -> None:
        """Queue an upload, or refuse it at once: when too much waits, the answer is 503 and memory does not grow.

        The writer is woken once. From an event loop that happens after everything that arrived in the same turn, so
        that it becomes one batch.
        """
        if self.closed:
            raise Refused(Problem.SHUTTING_DOWN, retry_after=RETRY_SECONDS)
        waiting = self._bytes_in - self._bytes_out
        if len(self._uploads) >= self._limits.queue_uploads or waiting + upload.size > self._limits.queue_bytes:
            raise Refused(Problem.QUEUE_FULL, retry_after=RETRY_SECONDS)
        self._bytes_in += upload.size
        self._uploads.append(upload)
        if not self._called:
            self._called = True
            self._since = monotonic()
            if upload.loop is None:
                self.wake()
            else:
                upload.loop.call_soon(self.wake)

    def put_command(self, command: Command) -> None:
        """Queue a command. What comes before the end, in any thread, is still taken."""
        with self._wake:
            if self.closed:
                raise Refused(Problem.SHUTTING_DOWN, retry_after=RETRY_SECONDS)
            self._commands.append(command)
            self.wake()

    def take(self) -> tuple[list[PendingUpload], list[Command]]:
        """What one commit may hold, in order of arrival."""
        self._called, self._since = False, monotonic()
        uploads: list[PendingUpload] = []
        size = 0
        for _ in range(min(len(self._uploads), self._limits.group_uploads)):
            upload = self._uploads.popleft()
            uploads.append(upload)
            size += upload.size
            if size >= self._limits.group_bytes:
                break
        self._bytes_out += size
        if size >= self._limits.group_bytes or len(uploads) == self._limits.group_uploads:
            self._ready = True
        commands = [self._commands.popleft() for _ in range(len(self._commands))]
        return uploads, commands

    def wait(self, seconds: float) -> None:
        """Wait until the writer is woken, or for at most `seconds`."""
        with self._wake:
            if not self._ready and not self.closed:
                self._wake.wait(seconds)
            self._ready = False

    def wake(self) -> None:
        """Make the writer look."""
        with self._wake:
            self._ready = True
            self._wake.notify()

    def close(self) -> None:
        """Take nothing more."""
        with self._wake:
            self.closed = True
            self.wake()


class Intake:
    """Where the uploads of one task come in. The writer replaces `view` after each commit.

    If it has `quotas`, an upload from outside must come with the address that it came from. With `later`, an upload
    that answers an unknown bulletin is tried again: somebody else may have published it a moment ago.
    """

    def __init__(
        self, view: TaskView, quotas: TaskQuotas | None, queue: UploadQueue, later: Later | None = None
    ) -> None:
        self.view = view
        self.quotas = quotas
        self._queue, self._later = queue, later

    def submit(self, body: bytes, address: str = "") -> "asyncio.Future[Receipt]":
        """On the event loop: refuse a wrong upload at once, else a receipt when it is durable."""
        try:
            return self._submit(body, address)
        except Refused as refused:
            if self._later is None or refused.problem is not Problem.BULLETIN_TOO_OLD:
                raise
        return self._later(partial(self._submit, body, address), len(body))

    def _submit(self, body: bytes, address: str) -> "asyncio.Future[Receipt]":
        upload = read_upload(self.view, body)
        upload.loop = asyncio.get_running_loop()
        upload.future = future = upload.loop.create_future()
        self._put(upload, address)
        return future

    def offer(self, view: TaskView, body: bytes, address: str = "") -> PendingUpload:
        """Without an event loop: the outcome is in the upload after the writer's next step."""
        upload = read_upload(view, body)
        self._put(upload, address)
        return upload

    def _put(self, upload: PendingUpload, address: str) -> None:
        if self.quotas is not None:
            upload.payer = self.quotas.take(upload.count, address)
        try:
            self._queue.put(upload)
        except Refused:
            self.give_back(upload)
            raise

    def give_back(self, upload: PendingUpload) -> None:
        """It was refused, or counted before: it does not count against the quotas."""
        if self.quotas is not None:
            self.quotas.give_back(upload.count, upload.payer)
