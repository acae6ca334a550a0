"""Server-sent events: a line of JSON for each turn in which something changed, and a beat while nothing does."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from hgldp.collector.dashboard.live import Live
from hgldp.collector.http.responses import strict
from hgldp.collector.problems import Problem, Refused
from hgldp.collector.writer.queue import RETRY_SECONDS

BEAT, MOST_STREAMS = 15.0, 256
HEADERS = {"cache-control": "no-store", "x-accel-buffering": "no", "x-content-type-options": "nosniff"}
COMMENT, BEAT_EVENT = b": beat\n\n", b"event: beat\ndata:\n\n"
State = dict[str, Any]


def event(name: str, data: object) -> bytes:
    """One event. JSON has no line ends of its own, so that no item can end the event early.

    >>> event("state", {"item": "two\\nlines"})
    b'event: state\\ndata: {"item":"two\\\\nlines"}\\n\\n'
    """
    return f"event: {name}\ndata: {json.dumps(strict(data), separators=(',', ':'))}\n\n".encode()


def whole_state(before: State, now: State) -> State:
    """All of it, if any of it is new."""
    return now if now != before else {}


def changed_parts(before: State, now: State) -> State:
    """What is new."""
    return {key: part for key, part in now.items() if before.get(key) != part}


class EventStream(StreamingResponse):
    """Ends in good order when the server stops, which it does by cancelling what is still open."""

    def __init__(self, live: Live, events: AsyncIterator[bytes]) -> None:
        super().__init__(events, media_type="text/event-stream", headers=HEADERS)
        self._live = live

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Until the client goes, the events end, or the server stops. Its place is taken before anybody else's turn."""
        if self._live.ended:
            raise Refused(Problem.SHUTTING_DOWN, retry_after=RETRY_SECONDS)
        if self._live.watchers >= MOST_STREAMS:
            raise Refused(Problem.TOO_MANY_STREAMS, f"at most {MOST_STREAMS} may be open", retry_after=30)
        try:
            with self._live.watched():
                await super().__call__(scope, receive, send)
        except asyncio.CancelledError:
            await send({"type": "http.response.body", "body": b"", "more_body": False})


def event_stream(
    live: Live,
    look: Callable[[], Awaitable[State | None]],
    *,
    name: str,
    news: Callable[[State, State], State],
    beat: bytes,
) -> EventStream:
    """A response that looks at each turn and sends what is news, until the client goes or there is nothing to see."""

    async def events() -> AsyncIterator[bytes]:
        turn, sent = live.next_turn, State()
        while not live.ended and (found := await look()) is not None:
            if changed := news(sent, found):
                yield event(name, changed)
            sent = found
            while not await _came(turn, BEAT):
                yield beat
            turn = live.next_turn

    return EventStream(live, events())


async def _came(turn: asyncio.Event, longest: float) -> bool:
    try:
        await asyncio.wait_for(turn.wait(), longest)
    except TimeoutError:
        return False
    return True
