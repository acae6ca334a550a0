"""An end to the head of a request, in bytes and in seconds, to stray bytes, and to bodies in crumbs or without readers.

Written by hand over uvicorn's protocol, which limits neither; so the extra `collector` caps the version of uvicorn.
"""

import asyncio
from itertools import chain
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from hgldp.collector.problems import Problem, Refused

MOST_BYTES, MOST_URL, MOST_HEADERS, MOST_SECONDS = 1 << 15, 1 << 12, 100, 20.0
MOST_PIPELINED = 32
CRUMBS, CRUMB_BYTES, MOST_LEFTOVER = 256, 64, 1 << 16
LARGE_READ = 480  # a smaller one has room for no more headers or requests than are allowed


class _TooLarge(Exception):
    """Stops the parser."""


class _Crumbs(Exception):
    """Stops it too."""


class BoundedHead(HttpToolsProtocol):
    """Limits what neither uvicorn's timeout between two requests nor the app's own timeouts cover.

    That is the time before the first request, within a head, and after an answer whose request does not end: a body
    that is no longer read, chunks, trailers, stray bytes. A head that comes in one piece, as nearly all do, starts
    no timer. A head with too many bytes or headers gets 431; so do requests that come before the answers to
    `MOST_PIPELINED` others.

    Each chunk of a body costs a call, however small. So the chunks may be smaller than `CRUMB_BYTES` on average only
    for as long as `CRUMBS` empty ones would take. Of a body that the app answered without reading it, little more than
    `MOST_LEFTOVER` bytes are taken.
    """

    _stray, _within, _large_read, _large, _clock = 0, False, False, False, None
    _spare, _leftover = CRUMBS * CRUMB_BYTES, 0
    _answering: Any = None  # the request that is being answered while others wait behind it

    def connection_made(self, transport: Any) -> None:
        """Do not wait for a client that sends nothing."""
        super().connection_made(transport)
        self._watch()

    def data_received(self, data: bytes) -> None:
        """Count the bytes that belong to no body."""
        between = not self._within and (self.cycle is None or not self.cycle.more_body)
        self._stray += len(data)
        self._large_read = self._within or len(data) > LARGE_READ
        HttpToolsProtocol.data_received(self, data)
        if self._within and between:
            self._stray = len(data)
        if self._stray > MOST_BYTES or (self._within and len(self.headers) > MOST_HEADERS):
            self._refuse_stray()
        elif self._clock is None and (self._within or self._is_left_open()):
            self._watch()
        if not between and not self._within:
            self._count_leftover(len(data))

    def on_message_begin(self) -> None:
        """A head begins."""
        HttpToolsProtocol.on_message_begin(self)
        self._unwatch()
        self._stray, self._within, self._spare, self._leftover = 0, True, CRUMBS * CRUMB_BYTES, 0

    def on_header(self, name: bytes, value: bytes) -> None:
        """Drop trailers: they come after the head, and nobody asked for them."""
        if self._within:
            HttpToolsProtocol.on_header(self, name, value)

    def on_headers_complete(self) -> None:
        """The head is whole. Nearly all come in a read that is too small for a head that is too large."""
        self._within = False
        self._unwatch()
        if self._large_read and self._is_too_large():
            self._large = True
            raise _TooLarge
        if self.url[:1] != b"/":
            self._take_host_of_target()
        before = self.cycle
        HttpToolsProtocol.on_headers_complete(self)
        if self.pipeline and self._answering is None:
            self._answering = before

    def on_body(self, body: bytes) -> None:
        """Bodies have their own limits, but for the number of their pieces."""
        self._stray = 0
        self._spare += len(body) - CRUMB_BYTES
        if self._spare < 0:
            raise _Crumbs
        HttpToolsProtocol.on_body(self, body)

    def connection_lost(self, exc: Exception | None) -> None:
        """Nobody is left to wait for."""
        self._unwatch()
        super().connection_lost(exc)

    def send_400_response(self, msg: str) -> None:  # noqa: ARG002 - uvicorn's words
        """What the parser refused, as a problem; it cannot be said in the middle of another answer."""
        if self.cycle is not None and not self.cycle.response_complete:
            self.transport.abort()
            return
        too_large = Refused(Problem.HEAD_TOO_LARGE, f"at most {MOST_BYTES} bytes and {MOST_HEADERS} headers")
        self.refuse(too_large if self._large else Refused(Problem.MALFORMED_REQUEST))

    def refuse(self, refused: Refused) -> None:
        """Answer without the app, and close."""
        body, status = refused.body, refused.problem.status
        headers = refused.headers | {"content-length": str(len(body)), "connection": "close"}
        lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        self.transport.write(f"HTTP/1.1 {status} {refused.problem.slug}\r\n{lines}\r\n".encode() + body)
        self.transport.close()

    def _take_host_of_target(self) -> None:
        """A host in the target, as in `GET http://example.org/`, takes the place of the header (RFC 9112, 3.2.2)."""
        _, found, rest = self.url.partition(b"://")
        if found:
            self.headers[:] = [pair for pair in self.headers if pair[0] != b"host"]
            self.headers.append((b"host", rest.partition(b"/")[0]))

    def _refuse_stray(self) -> None:
        if self._within and not self.transport.is_closing():
            self._large = True
            self.send_400_response("")
        else:
            self.transport.abort()

    def _count_leftover(self, size: int) -> None:
        """The rest of a body that was answered already is read for a while, so that the client reads the answer."""
        if self.cycle is not None and self.cycle.response_complete and self.cycle.more_body:
            self._leftover += size
            if self._leftover > MOST_LEFTOVER:
                self.transport.close()

    def _is_too_large(self) -> bool:
        many = len(self.headers) > MOST_HEADERS or len(self.pipeline) >= MOST_PIPELINED
        return many or len(self.url) > MOST_URL or sum(map(len, chain(*self.headers))) > MOST_BYTES

    def _is_left_open(self) -> bool:
        answered = self.cycle is None or self.cycle.response_complete
        return answered and self.timeout_keep_alive_task is None

    def _watch(self) -> None:
        self._clock = asyncio.get_running_loop().call_later(MOST_SECONDS, self.transport.abort)

    def _unwatch(self) -> None:
        if self._clock is not None:
            self._clock.cancel()
            self._clock = None
