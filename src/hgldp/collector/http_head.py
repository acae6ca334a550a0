"""An end to the head of a request, in bytes and in seconds: the parser itself knows neither."""

import asyncio
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

MOST_BYTES, MOST_SECONDS = 1 << 16, 20.0


class BoundedHead(HttpToolsProtocol):
    """Between two requests uvicorn's own timeout counts; from the first byte of a head, and at the start, ours.

    A head that comes in one piece, as nearly all do, sets no clock.
    """

    _head, _within, _clock = 0, False, None

    def connection_made(self, transport: Any) -> None:
        """Somebody who says nothing is not waited for."""
        super().connection_made(transport)
        self._watch()

    def data_received(self, data: bytes) -> None:
        """Count what comes until the head is complete."""
        self._head += len(data)
        super().data_received(data)
        if self._within and self._head > MOST_BYTES:
            self.transport.abort()
        elif self._within and self._clock is None:
            self._watch()

    def on_message_begin(self) -> None:
        """A head begins."""
        super().on_message_begin()
        self._unwatch()
        self._head, self._within = 0, True

    def on_headers_complete(self) -> None:
        """It is whole."""
        self._within = False
        self._unwatch()
        super().on_headers_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        """Nobody to wait for."""
        self._unwatch()
        super().connection_lost(exc)

    def _watch(self) -> None:
        self._clock = asyncio.get_running_loop().call_later(MOST_SECONDS, self.transport.abort)

    def _unwatch(self) -> None:
        if self._clock is not None:
            self._clock.cancel()
            self._clock = None
