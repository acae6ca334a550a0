"""Between a connection and its socket: the head of an answer leaves with its body, and refusals are noticed."""

from collections.abc import Callable
from typing import Any

HEAD, LENGTH, REFUSED = b"HTTP/1.1 ", b"content-length: ", (b"HTTP/1.1 4", b"HTTP/1.1 5")
LARGE = 1 << 16


class WatchedTransport:
    """Holds a head that announces how long its body is, and writes both at once: one call of the system, not two.

    A large piece is not copied for that.
    A head without a length may come long before the first part of its body, so it goes out as it comes. Tells when the
    head is that of a refusal. All else goes straight to the transport.
    """

    def __init__(self, transport: Any, refused: Callable[[], None]) -> None:
        self._transport, self._write, self._refused = transport, transport.write, refused
        self._head = b""
        self.is_closing = transport.is_closing

    def write(self, data: bytes) -> None:
        """The head of an answer, or a piece of its body."""
        if self.is_closing():
            self._head = b""  # uvloop would raise if something were written now
        elif self._head:
            if len(data) > LARGE:
                self._write(self._head)
                self._write(data)
            else:
                self._write(self._head + data)
            self._head = b""
        elif data.startswith(HEAD) and LENGTH in data:
            self._head = data
            if data.startswith(REFUSED):
                self._refused()
        else:
            self._write(data)

    def write_whole(self, answer: bytes) -> None:
        """Head and body of an answer that is no refusal."""
        if not self.is_closing():
            self._write(answer)

    def flush(self) -> None:
        """The answer ends, perhaps without a body."""
        if self._head and not self.is_closing():
            self._write(self._head)
        self._head = b""

    def close(self) -> None:
        """After what is still to be written."""
        self.flush()
        self._transport.close()

    def forget(self) -> None:
        """The connection is gone: tell nobody any more."""
        self._refused = _nobody

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)


def _nobody() -> None:
    pass
