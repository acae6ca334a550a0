"""A command that is spoken to line by line, and ended if it does not answer in time."""

import subprocess
from collections.abc import Sequence
from threading import Event, Thread
from time import monotonic

from hgldp.audit.subjects.base import ClientFailed
from hgldp.errors import InvalidField

PROTOCOL = "hgldp-audit 1"
PATIENCE = 60.0
LONGEST_LINE = 1 << 20


class Process:
    """Lines in, lines out. What the command writes to its standard error goes to ours."""

    def __init__(self, command: Sequence[str], patience: float = PATIENCE) -> None:
        if not command:
            raise InvalidField("command", "must be given", "none")
        self._patience = patience
        self._ended_by_us = False
        try:
            self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=1 << 20)
        except OSError as failure:
            raise InvalidField(
                "command", "must be a program that can be started", f"{command[0]} ({failure.strerror})"
            ) from None
        self._deadline: float | None = None
        self._closed = Event()
        Thread(target=self._watch, daemon=True).start()

    def say(self, *lines: str) -> None:
        """Send some lines at once."""
        if self._process.stdin is None:
            raise ClientFailed("the command must have a standard input")
        try:
            self._process.stdin.write("".join(f"{line}\n" for line in lines).encode("ascii"))
            self._process.stdin.flush()
        except OSError:
            raise ClientFailed(self._end("it closed its standard input")) from None

    def hear(self, count: int) -> list[bytes]:
        """The next lines, without their ends; all of them within the patience."""
        if self._process.stdout is None:
            raise ClientFailed("the command must have a standard output")
        self._deadline = monotonic() + self._patience
        try:
            lines = []
            for _ in range(count):
                line = self._process.stdout.readline(LONGEST_LINE)
                if not line.endswith(b"\n"):
                    raise ClientFailed(self._end("it ended, or a line of it is too long"))
                lines.append(line.rstrip(b"\r\n"))
            return lines
        finally:
            self._deadline = None

    def close(self) -> None:
        """End it: first by closing its input, then by force."""
        self._closed.set()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                try:
                    pipe.close()
                except OSError:
                    continue
        try:
            self._process.wait(5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _watch(self) -> None:
        """End a command that is overdue. One thread looks now and then: a timer for each answer would take longer."""
        while not self._closed.wait(min(1.0, self._patience / 4)):
            deadline = self._deadline
            if deadline is not None and monotonic() > deadline:
                self._ended_by_us = True
                self._process.kill()
                return

    def _end(self, seen: str) -> str:
        if self._ended_by_us:
            seen = f"it did not answer within {self._patience:g} seconds"
        return f"the client behind the command failed: {seen}"
