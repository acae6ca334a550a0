"""What happens now: wakes open pages at most twice a second, and sends them what changed as server-sent events."""

import asyncio
import json
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from hgldp.collector.problems import Problem, Refused
from hgldp.collector.views import TaskView
from hgldp.collector.writer.queue import RETRY_SECONDS
from hgldp.system.clock import Clock, SystemClock
from hgldp.wire import api
from hgldp.wire.strict_json import strict

if TYPE_CHECKING:
    from hgldp.collector.collector import Collector

PAUSE, WINDOW = 0.5, 10.0
BEAT, MOST_STREAMS = 15.0, 256
HEADERS = {"cache-control": "no-store", "x-accel-buffering": "no", "x-content-type-options": "nosniff"}
COMMENT, BEAT_EVENT = b": beat\n\n", b"event: beat\ndata:\n\n"
State = dict[str, Any]


class Meter:
    """Reports per second, over the last ten seconds; None until there is something to compare.

    >>> meter = Meter()
    >>> for second in range(5):
    ...     meter.note(float(second), 100 * second)
    >>> meter.rate
    100.0
    """

    def __init__(self) -> None:
        self._samples: deque[tuple[float, int]] = deque()

    def note(self, now: float, reports: int) -> None:
        """How many reports there are by now."""
        self._samples.append((now, reports))
        while len(self._samples) > 2 and self._samples[1][0] <= now - WINDOW:
            self._samples.popleft()

    @property
    def rate(self) -> float | None:
        """From the oldest sample to the newest."""
        if len(self._samples) < 2:
            return None
        (first, before), (last, after) = self._samples[0], self._samples[-1]
        return max(0.0, (after - before) / (last - first)) if last > first else None


class Live:
    """Turns, at least half a second apart: every open page waits for the next one.

    It listens to the collector while someone is watching. The collector calls `note` after every commit, so that is
    quick: it starts a pump that runs for as long as anything changes.
    """

    def __init__(self, collector: "Collector", *, pause: float = PAUSE, clock: Clock | None = None) -> None:
        self._collector = collector
        self._pause = pause
        self._clock = clock or SystemClock()
        self._meters: dict[bytes, Meter] = {}
        self._reports: dict[bytes, int] = {}
        self._changed: dict[bytes, float] = {}
        self._pump: asyncio.Task[None] | None = None
        self._stirred = False
        self._next = asyncio.Event()
        self._callback = self.note
        self.watchers = 0
        self.ended = False

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Count one more watcher; listen to the collector while there is at least one."""
        if not self.watchers:
            self._meters, self._next = {}, asyncio.Event()
            self._collector.listen(self._callback)
            self.note()
        self.watchers += 1
        try:
            yield
        finally:
            self.watchers -= 1
            if not self.watchers:
                self._collector.unlisten(self._callback)

    @property
    def next_turn(self) -> asyncio.Event:
        """What to wait for; take it before you look, so that you miss nothing in between."""
        return self._next

    def note(self, *_: object) -> None:
        """Something was committed."""
        self._stirred = True
        if self._pump is None:
            self._pump = asyncio.get_running_loop().create_task(self._run())

    def end(self) -> None:
        """The server stops: end every wait for a turn."""
        self.ended = True
        self._next.set()

    def rate(self, task_id: bytes) -> float | None:
        """Reports per second of a task; only known while someone is watching."""
        meter = self._meters.get(task_id)
        return meter.rate if meter and self.watchers else None

    def changed(self, view: TaskView) -> float | None:
        """When a task last counted a report, if someone was watching."""
        return self._changed.get(view.id)

    async def _run(self) -> None:
        try:
            while self.watchers and (self._stirred or any(meter.rate != 0 for meter in self._meters.values())):
                self._stirred = False
                self._sample()
                turn, self._next = self._next, asyncio.Event()
                turn.set()
                await asyncio.sleep(self._pause)
        finally:
            self._pump = None

    def _sample(self) -> None:
        now = self._clock.monotonic()
        for view in self._collector.tasks():
            self._meters.setdefault(view.id, Meter()).note(now, view.reports)
            if self._reports.setdefault(view.id, view.reports) != view.reports:
                self._reports[view.id] = view.reports
                self._changed[view.id] = self._clock.now()


def event(name: str, data: object) -> bytes:
    """One event. JSON escapes line ends, so that no item can end the event early.

    >>> event("state", {"item": "two\\nlines"})
    b'event: state\\ndata: {"item":"two\\\\nlines"}\\n\\n'
    """
    return f"event: {name}\ndata: {json.dumps(strict(data), separators=(',', ':'))}\n\n".encode()


def full_state(before: State, now: State) -> State:
    """All of it, if any of it is new."""
    return now if now != before else {}


def changed_parts(before: State, now: State) -> State:
    """What is new."""
    return {key: part for key, part in now.items() if before.get(key) != part}


class EventStream(StreamingResponse):
    """Ends in good order when the server stops, which it does by cancelling what is still open."""

    def __init__(self, live: Live, events: AsyncIterator[bytes]) -> None:
        super().__init__(events, media_type=api.EVENT_STREAM, headers=HEADERS)
        self._live = live

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Until the client goes, the events end, or the server stops. It counts as a watcher before it first awaits."""
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
