"""The bounded queue between the event loop and the one writer."""

import threading
from collections import deque
from dataclasses import dataclass, field

from hgldp.collector.arrival import Arrival
from hgldp.collector.limits import Limits
from hgldp.collector.problems import Problem, Refused
from hgldp.collector.task_state import TaskState

CREATE, SEAL, CLOSE = "create", "seal", "close"
RETRY_SECONDS = 1


@dataclass
class Command:
    """Something that a person asked for: it waits its turn among the uploads."""

    kind: str
    task: int = 0
    state: TaskState | None = None
    failure: Exception | None = None
    done: threading.Event = field(default_factory=threading.Event)


class Inbox:
    """One thread puts uploads, one takes; commands come from any thread. Neither side ever waits for the other."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._uploads: deque[Arrival] = deque()
        self._commands: deque[Command] = deque()
        self._bytes_in = self._bytes_out = 0
        self._wake = threading.Condition()
        self._called = self._ready = False
        self.closed = False

    def __len__(self) -> int:
        return len(self._uploads)

    def put(self, arrival: Arrival) -> None:
        """Queue an upload, or refuse it at once: the answer to too much is 503, never memory.

        The writer is called once, and from a loop only after what came in with the upload: that is one group then.
        """
        if self.closed:
            raise Refused(Problem.SHUTTING_DOWN, retry_after=RETRY_SECONDS)
        waiting = self._bytes_in - self._bytes_out
        if len(self._uploads) >= self._limits.queue_uploads or waiting + arrival.size > self._limits.queue_bytes:
            raise Refused(Problem.QUEUE_FULL, retry_after=RETRY_SECONDS)
        self._bytes_in += arrival.size
        self._uploads.append(arrival)
        if not self._called:
            self._called = True
            if arrival.loop is None:
                self.wake()
            else:
                arrival.loop.call_soon(self.wake)

    def put_command(self, command: Command) -> None:
        """Queue a command."""
        if self.closed:
            raise Refused(Problem.SHUTTING_DOWN, retry_after=RETRY_SECONDS)
        self._commands.append(command)
        self.wake()

    def take(self) -> tuple[list[Arrival], list[Command]]:
        """What one commit may hold, in order of arrival."""
        self._called = False
        uploads: list[Arrival] = []
        size = 0
        for _ in range(min(len(self._uploads), self._limits.group_uploads)):
            arrival = self._uploads.popleft()
            uploads.append(arrival)
            size += arrival.size
            if size >= self._limits.group_bytes:
                break
        self._bytes_out += size
        if size >= self._limits.group_bytes or len(uploads) == self._limits.group_uploads:
            self._ready = True
        commands = [self._commands.popleft() for _ in range(len(self._commands))]
        return uploads, commands

    def wait(self, seconds: float) -> None:
        """Until the writer is called, or so many seconds."""
        with self._wake:
            if not self._ready and not self.closed:
                self._wake.wait(seconds)
            self._ready = False

    def wake(self) -> None:
        """Let the writer look."""
        with self._wake:
            self._ready = True
            self._wake.notify()

    def close(self) -> None:
        """Take nothing more."""
        self.closed = True
        self.wake()
