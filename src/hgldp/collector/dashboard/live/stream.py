"""One open stream of server-sent events: it sends what its reader lacks, and never keeps more than one event."""

import asyncio
import json
from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from typing import Protocol

from starlette.types import Message, Receive, Scope, Send

from hgldp.collector.dashboard.live.budget import Budget
from hgldp.collector.dashboard.live.feed import Feed
from hgldp.collector.http.metering import stop_meter
from hgldp.wire import api

BEAT_SECONDS, STALLED_SECONDS = 15.0, 20.0
SEND_SECONDS, BYTE_SECONDS = 1e-4, 1e-9
HEADERS = [
    (b"content-type", f"{api.EVENT_STREAM}; charset=utf-8".encode()),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
    (b"x-content-type-options", b"nosniff"),
]
COMMENT, GONE = b": beat\n\n", b"event: gone\ndata:\n\n"


def comment(_: float) -> bytes:
    """A sign of life that programs need not know."""
    return COMMENT


def beat(now: float) -> bytes:
    """A sign of life with the server's time, from which pages tell how old things are."""
    return f'event: beat\ndata: {{"now":{now:.1f}}}\n\n'.encode()


class Host(Protocol):
    """Where streams are at home."""

    budget: Budget

    def now(self) -> float:
        """The server's time."""

    def watching(self, stream: "EventStream", feed: Feed, name: str, *, known: bool) -> AbstractContextManager[None]:
        """Count a stream while it is open: that of an address, or if it is known, of a token."""


class EventStream:
    """An answer that lasts until the reader goes or does not read, is pushed out, or there is nothing more to tell.

    It also ends when its reader is no longer `allowed` to see it, which is asked before everything that it sends.
    A slow reader gets fewer events: each one is made of all that changed since the last, when the last has left.
    """

    def __init__(
        self,
        live: Host,
        feed: Feed,
        *,
        whose: str,
        known: bool,
        allowed: Callable[[], bool],
        alive: Callable[[float], bytes],
        mark: str = "",
    ) -> None:
        self._live, self._feed, self._whose, self._known = live, feed, whose, known
        self._turn, self._allowed, self._alive = feed.turn_of(mark), allowed, alive
        self._news, self._over = asyncio.Event(), False

    def wake(self) -> None:
        """There may be something new."""
        self._news.set()

    def end(self) -> None:
        """Say no more."""
        self._over = True
        self._news.set()

    async def __call__(self, _: Scope, receive: Receive, send: Send) -> None:
        """It takes its place before it first awaits, so that no more come in than there are places.

        What it costs from here on, all streams share with each other.
        """
        stop_meter()
        with self._live.watching(self, self._feed, self._whose, known=self._known):
            reading = asyncio.ensure_future(self._until_the_reader_goes(receive))
            try:
                await self._send(send, {"type": "http.response.start", "status": 200, "headers": HEADERS})
                await self._tell(send)
                await self._send(send, _body(b"", more=False))
            except TimeoutError:
                pass
            except asyncio.CancelledError:  # the server stops, and ends this stream in good order
                with suppress(TimeoutError):
                    await self._send(send, _body(b"", more=False))
            finally:
                reading.cancel()

    async def _tell(self, send: Send) -> None:
        while not self._over and self._allowed():
            self._news.clear()
            if self._turn < self._feed.turn:
                await self._send(send, _body(await self._next_event()))
            elif self._feed.gone:
                await self._send(send, _body(GONE))
                return
            elif not await self._comes_in_time():
                await self._send(send, _body(self._alive(self._live.now())))

    async def _next_event(self) -> bytes:
        """All that is new when its turn to be sent comes: sending takes time as well."""
        async with self._live.budget.turn():
            event, self._turn = self._feed.event_since(self._turn), self._feed.turn
        self._live.budget.spend(SEND_SECONDS + len(event) * BYTE_SECONDS)
        return event

    async def _comes_in_time(self) -> bool:
        try:
            async with asyncio.timeout(BEAT_SECONDS):
                await self._news.wait()
        except TimeoutError:
            return False
        return True

    async def _send(self, send: Send, message: Message) -> None:
        """The server waits here until what was sent before has left, but not for ever: its connections end sooner."""
        async with asyncio.timeout(STALLED_SECONDS):
            await send(message)

    async def _until_the_reader_goes(self, receive: Receive) -> None:
        while (await receive())["type"] != "http.disconnect":
            pass
        self.end()


def _body(content: bytes, *, more: bool = True) -> Message:
    return {"type": "http.response.body", "body": content, "more_body": more}


def regions_writer(now: Callable[[], float]) -> Callable[[Feed, dict[str, bytes]], bytes]:
    """Writes the event for pages: regions of HTML, the mark to come back with, and the server's time."""

    def write(feed: Feed, parts: dict[str, bytes]) -> bytes:
        head = f'event: regions\ndata: {{"now":{now():.1f},"mark":"{feed.mark}","regions":{{'.encode()
        inner = b",".join(json.dumps(name).encode() + b":" + value for name, value in parts.items())
        return head + inner + b"}}\n\n"

    return write
