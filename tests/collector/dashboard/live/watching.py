"""A feed that shows what a test tells it to, and what a reader of its stream gets."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

from hgldp.collector.dashboard.live import Live
from hgldp.collector.dashboard.live.feed import Feed, write_state
from hgldp.collector.dashboard.live.stream import EventStream, comment
from tests.collector.fake_collector import FakeCollector, numbers_task, view

TASK = view(numbers_task())
SCOPE = {"type": "http", "asgi": {"spec_version": "2.3"}}


class Shown:
    """What all see: change `value` and stir; None is the end."""

    def __init__(self, value: object = 1) -> None:
        self.value, self.looks = value, 0

    async def __call__(self, *, waits: bool) -> dict[str, object] | None:
        self.looks += 1
        return None if self.value is None else {"n": self.value}


def live_of(shown: Shown, pause: float = 0.001, **over: Any) -> tuple[Live, Feed]:
    """On a running loop."""
    collector = FakeCollector(TASK)
    collector.loop = asyncio.get_running_loop()
    live = Live(collector, pause=pause, **over)
    return live, live.feed("shown", lambda: Feed(shown, write_state, pause))


def stream_of(live: Live, feed: Feed, address: str = "somewhere", *, known: bool = False) -> EventStream:
    return EventStream(live, feed, whose=address, known=known, allowed=lambda: True, alive=comment)


def state(value: object) -> bytes:
    return f"event: state\ndata: {value}\n\n".encode()


async def parts_of(stream: EventStream) -> AsyncIterator[bytes]:
    """What a client gets, as it comes; whoever takes no more has gone away."""
    parts: asyncio.Queue[bytes | None] = asyncio.Queue()
    goes = asyncio.Event()

    async def receive() -> dict[str, str]:
        await goes.wait()
        return {"type": "http.disconnect"}

    async def send(message: dict[str, Any]) -> None:
        if message.get("body"):
            parts.put_nowait(message["body"])

    async def answer() -> None:
        try:
            await stream(SCOPE, receive, send)  # type: ignore[arg-type]
        finally:
            parts.put_nowait(None)

    answering = asyncio.create_task(answer())
    try:
        while (part := await parts.get()) is not None:
            yield part
    finally:
        goes.set()
        await answering
