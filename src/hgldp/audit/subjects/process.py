"""A command that is spoken to line by line, and ended if it does not listen or answer in time, or says too much.

It runs in a session of its own, so that whatever it started ends with it. No call here waits for a pipe without a
limit: another process may hold the other end for ever.
"""

import os
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import suppress
from select import POLLIN, POLLOUT, poll
from signal import SIGKILL
from time import monotonic

from hgldp.audit.subjects.base import ClientFailed
from hgldp.errors import InvalidField

PROTOCOL = "hgldp-audit 1"
PATIENCE = 60.0
GRACE = 5.0
LONGEST_LINE = 1 << 20
CHUNK = 1 << 16
ENDED = "it ended, or closed its standard output"
SURPLUS = "it wrote more lines than it was asked for, so nobody knows which line belongs to which draw"


class Process:
    """Lines in, lines out. What the command writes to its standard error goes to ours."""

    def __init__(self, command: Sequence[str], patience: float = PATIENCE) -> None:
        if not command:
            raise InvalidField("command", "must be given", "none")
        self._patience, self._has_failed = patience, False
        ours_to_read, theirs_to_write = os.pipe()
        theirs_to_read, ours_to_write = os.pipe()
        self._input, self._output, self._unread = ours_to_write, ours_to_read, bytearray()
        try:
            self._process = subprocess.Popen(
                command, stdin=theirs_to_read, stdout=theirs_to_write, start_new_session=True
            )
        except OSError as failure:
            self._hang_up()
            raise InvalidField(
                "command", "must be a program that can be started", f"{command[0]} ({failure.strerror})"
            ) from None
        finally:
            os.close(theirs_to_read)
            os.close(theirs_to_write)
        os.set_blocking(self._input, False)
        self._answers, self._both = poll(), poll()
        self._answers.register(self._output, POLLIN)
        self._both.register(self._output, POLLIN)
        self._both.register(self._input, POLLOUT)

    def say(self, *lines: str) -> None:
        """Send some lines at once, within the patience. Whatever can be read before they are sent is surplus."""
        left = memoryview("".join(f"{line}\n" for line in lines).encode("ascii"))
        deadline = monotonic() + self._patience
        while left:
            if self._unread:
                raise self.failed(SURPLUS)
            ready = [pipe for pipe, _ in self._both.poll(_milliseconds(deadline))]
            if not ready:
                raise self.failed(f"it did not read its input within {self._patience:g} seconds")
            if self._output in ready:
                raise self.failed(SURPLUS if self._read() else ENDED)
            try:
                left = left[os.write(self._input, left) :]
            except OSError:
                raise self.failed("it closed its standard input") from None

    def hear(self, count: int) -> Iterator[bytes]:
        """The next lines one by one, without their ends. All the waiting for them is within the patience."""
        patience = self._patience
        for _ in range(count):
            while (end := self._unread.find(b"\n", 0, LONGEST_LINE)) < 0:
                if len(self._unread) >= LONGEST_LINE:
                    raise self.failed(f"a line of it is longer than {LONGEST_LINE:,} bytes")
                asked = monotonic()
                if not self._answers.poll(_milliseconds(asked + patience)):
                    raise self.failed(f"it did not answer within {self._patience:g} seconds")
                patience -= monotonic() - asked
                if not self._read():
                    raise self.failed(ENDED)
            line = bytes(self._unread[:end])
            del self._unread[: end + 1]
            yield line.rstrip(b"\r")

    def finish(self) -> None:
        """Close its input, and give it a moment to end. What it still writes is surplus, however late it comes."""
        if self._has_failed:
            return
        os.close(self._input)
        self._input = -1
        if self._unread or (self._answers.poll(GRACE * 1_000) and self._read()):
            raise self.failed(SURPLUS)

    def failed(self, seen: str) -> ClientFailed:
        """The error to raise about it. It is ended at once, and nothing else is held against it."""
        self._has_failed = True
        self._kill()
        self._hang_up()
        self._process.wait()
        return ClientFailed(f"the client behind the command failed: {seen}")

    def close(self) -> None:
        """End it and all that it started: first by closing its pipes, then by force."""
        if self._has_failed:
            return
        self._hang_up()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(GRACE)
        self._kill()
        self._process.wait()

    def _read(self) -> bool:
        """Take what is there; False at the end of its output."""
        piece = os.read(self._output, CHUNK)
        self._unread += piece
        return bool(piece)

    def _kill(self) -> None:
        with suppress(ProcessLookupError, PermissionError):  # macOS says the latter of a group of dead processes
            os.killpg(self._process.pid, SIGKILL)

    def _hang_up(self) -> None:
        for pipe in (self._input, self._output):
            if pipe >= 0:
                os.close(pipe)
        self._input = self._output = -1


def _milliseconds(deadline: float) -> float:
    """From now to a time, for `poll`, which takes a negative number for no limit."""
    return max(0.0, deadline - monotonic()) * 1_000
