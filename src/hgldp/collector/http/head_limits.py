"""An end to the head of a request, in bytes and in seconds, and to stray bytes.

Written by hand over uvicorn's protocol, which limits neither; so the extra `collector` caps the version of uvicorn.
"""

import asyncio
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

MOST_BYTES, MOST_SECONDS = 1 << 16, 20.0


class BoundedHead(HttpToolsProtocol):
    """Limits what neither uvicorn's timeout between two requests nor the app's own timeouts cover.

    That is the time before the first request, within a head, and after an answer whose request does not end: a body
    that is no longer read, chunks, trailers, stray bytes. A head that comes in one piece, as nearly all do, starts
    no timer.
    """

    _head, _within, _clock = 0, False, None

    def connection_made(self, transport: Any) -> None:
        """Do not wait for a client that sends nothing."""
        super().connection_made(transport)
        self._watch()

    def data_received(self, data: bytes) -> None:
        """Count the bytes that belong to no body."""
        self._head += len(data)
        super().data_received(data)
        if self._head > MOST_BYTES:
            self.transport.abort()
        elif self._clock is None and (self._within or self._is_left_open()):
            self._watch()

    def on_message_begin(self) -> None:
        """A head begins."""
        super().on_message_begin()
        self._unwatch()
        self._head, self._within = 0, True

    def on_header(self, name: bytes, value: bytes) -> None:
        """Drop trailers: they come after the head, and nobody asked for them."""
        if self._within:
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """The head is whole."""
        self._within = False
        self._unwatch()
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """Bodies have their own limits."""
        self._head = 0
        super().on_body(body)

    def connection_lost(self, exc: Exception | None) -> None:
        """Nobody is left to wait for."""
        self._unwatch()
        super().connection_lost(exc)

    def _is_left_open(self) -> bool:
        answered = self.cycle is None or self.cycle.response_complete
        return answered and self.timeout_keep_alive_task is None

    def _watch(self) -> None:
        self._clock = asyncio.get_running_loop().call_later(MOST_SECONDS, self.transport.abort)

    def _unwatch(self) -> None:
        if self._clock is not None:
            self._clock.cancel()
            self._clock = None
