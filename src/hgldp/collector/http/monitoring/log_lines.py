"""Log lines on their way to standard error: whoever logs never waits, even if nobody reads."""

import logging
import os
import sys
import threading
from collections import deque

MOST_LINES, MOST_BYTES, LONGEST_LINE = 4_096, 1 << 20, 1 << 14
FLUSH_SECONDS = 1.0


class LogLines(logging.Handler):
    """Formats in the caller's thread, and writes in a thread of its own, which nothing waits for.

    Lines that do not fit into the queue are dropped and counted; so are those that cannot be written. It writes past
    Python's buffers, because at the end the interpreter would wait for the lock on them.
    """

    def __init__(self, descriptor: int | None) -> None:
        super().__init__()
        self._descriptor = descriptor
        self._lines: deque[bytes] = deque()
        self._bytes = self.dropped = self._told = 0
        self._changed = threading.Condition()
        self._writing = False
        self._thread: threading.Thread | None = None

    def emit(self, record: logging.LogRecord) -> None:
        """Queue one line."""
        line = self.format(record).encode(errors="backslashreplace")[:LONGEST_LINE] + b"\n"
        with self._changed:
            if len(self._lines) >= MOST_LINES or self._bytes + len(line) > MOST_BYTES:
                self.dropped += 1
                return
            self._lines.append(line)
            self._bytes += len(line)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="hgldp-log", daemon=True)
                self._thread.start()
            self._changed.notify_all()

    def flush(self) -> None:
        """Wait until all is written, but not for long."""
        with self._changed:
            self._changed.wait_for(lambda: not self._lines and not self._writing, FLUSH_SECONDS)

    def _run(self) -> None:
        while True:
            with self._changed:
                self._writing = False
                self._changed.notify_all()
                self._changed.wait_for(lambda: self._lines)
                lines, self._writing = list(self._lines), True
                self._lines.clear()
                self._bytes = 0
                untold, self._told = self.dropped - self._told, self.dropped
            if untold:
                lines.insert(0, self._notice(untold))
            try:
                self._write(b"".join(lines))
            except OSError:
                with self._changed:
                    self.dropped += len(lines)

    def _notice(self, untold: int) -> bytes:
        record = logging.LogRecord(__name__, logging.WARNING, "", 0, "log lines dropped", None, None)
        record.fields = {"lines": untold}
        return self.format(record).encode() + b"\n"

    def _write(self, data: bytes) -> None:
        if self._descriptor is None:
            raise OSError("there is no standard error")
        left = memoryview(data)
        while left:
            left = left[os.write(self._descriptor, left) :]


def standard_error() -> int | None:
    """Its descriptor; None if it is closed."""
    try:
        return sys.stderr.fileno() if sys.stderr else None
    except (OSError, ValueError):
        return None
