"""A connection is opened in a thread of its own: the look-up of a name has no time limit, and the caller needs one."""

from collections.abc import Callable
from contextlib import suppress
from http.client import HTTPConnection
from queue import Empty, SimpleQueue
from threading import Thread


class Call:
    """One attempt. Whoever finds the connection after it was given up closes it."""

    def __init__(self, dial: Callable[[], HTTPConnection]) -> None:
        self._answers = SimpleQueue[HTTPConnection | BaseException]()
        self._given_up = False
        self._thread = Thread(target=self._run, args=(dial,), name="hgldp dialling", daemon=True)
        self._thread.start()

    @property
    def under_way(self) -> bool:
        """Whether the system is still at it."""
        return self._thread.is_alive()

    def answer(self, seconds: float | None) -> HTTPConnection:
        """The connection, or what went wrong."""
        try:
            found = self._answers.get(timeout=seconds)
        except Empty:
            found = TimeoutError()
        except BaseException:
            self._give_up()
            raise
        if isinstance(found, BaseException):
            self._give_up()
            raise found
        return found

    def hang_up(self) -> None:
        """Let the caller go; any thread may say this."""
        self._answers.put(ConnectionAbortedError())

    def _run(self, dial: Callable[[], HTTPConnection]) -> None:
        try:
            self._answers.put(dial())
        except BaseException as failure:  # noqa: BLE001 - raised where the answer is awaited
            self._answers.put(failure)
        if self._given_up:
            self._give_up()

    def _give_up(self) -> None:
        self._given_up = True
        with suppress(Empty, OSError):
            while True:
                found = self._answers.get_nowait()
                if isinstance(found, HTTPConnection):
                    found.close()


class Dialler:
    """One call at a time: while one that was given up is still under way there is no other, so none pile up."""

    def __init__(self, dial: Callable[[], HTTPConnection]) -> None:
        self._dial = dial
        self._call: Call | None = None

    def connection(self, seconds: float | None) -> HTTPConnection:
        """A new connection within this time."""
        if self._call is not None and self._call.under_way:
            raise TimeoutError
        self._call = Call(self._dial)
        return self._call.answer(seconds)

    def hang_up(self) -> None:
        """Break off the call under way; any thread may say this."""
        if self._call is not None:
            self._call.hang_up()
