"""Turns: whatever is watched and has changed is rendered again, one thing after the other, within the budget."""

import asyncio
import logging
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from hgldp.collector.dashboard.live.budget import Budget
from hgldp.collector.dashboard.live.feed import Feed
from hgldp.collector.dashboard.live.places import StreamPlaces
from hgldp.collector.dashboard.live.rates import Rates
from hgldp.collector.dashboard.live.stream import EventStream
from hgldp.collector.problems import Problem, Refused
from hgldp.collector.views import TaskView
from hgldp.collector.writer.queue import RETRY_SECONDS
from hgldp.errors import HgldpError
from hgldp.system.clock import Clock, SystemClock

if TYPE_CHECKING:
    from hgldp.collector.collector import Collector

PAUSE = 0.5
STALE_SECONDS, MOST_KEPT, MOST_WAITING = 5.0, 64, 96
log = logging.getLogger("hgldp.collector")


class Live:
    """All feeds, and the pump that renews those that somebody watches, for as long as anything changes.

    The collector calls `note` after every commit, so that is quick.
    """

    def __init__(
        self, collector: "Collector", *, pause: float = PAUSE, clock: Clock | None = None, budget: Budget | None = None
    ) -> None:
        self._collector, self._pause, self._clock = collector, pause, clock or SystemClock()
        self.budget, self.places, self.rates = budget or Budget(), StreamPlaces(), Rates(self._clock)
        self._feeds: dict[Hashable, Feed] = {}
        self._streams: set[EventStream] = set()
        self._pump: asyncio.Task[None] | None = None
        self._changes = self._waiting = 0
        self._listening = self._ended = False

    def start(self) -> None:
        """Listen to the collector, on the running loop: from now on it is known when a report came."""
        if not self._listening:
            self._listening = True
            self.rates.know(self._collector.tasks())
            self._collector.listen(self.note)

    def end(self) -> None:
        """The server stops: end every stream."""
        self._ended = True
        for stream in tuple(self._streams):
            stream.end()

    @property
    def watchers(self) -> int:
        """How many streams are open."""
        return len(self._streams)

    def now(self) -> float:
        """The server's time, in seconds since 1970."""
        return self._clock.now()

    def note(self, view: TaskView) -> None:
        """Something was committed."""
        self.rates.note(view)
        self.stir()

    def stir(self) -> None:
        """Something may look different now."""
        self._changes += 1
        if self._pump is None and self._streams:
            self._pump = asyncio.get_running_loop().create_task(self._run())

    def feed(self, key: Hashable, make: Callable[[], Feed]) -> Feed:
        """The feed of this key. Of those that nobody watches, only the last ones are kept."""
        found = self._feeds.pop(key, None) or make()
        self._feeds[key] = found
        if len(self._feeds) > MOST_KEPT:
            unwatched = [each for each, feed in self._feeds.items() if not feed.watchers and feed is not found]
            for each in unwatched[: max(0, len(unwatched) - MOST_KEPT)]:
                del self._feeds[each]
        return found

    async def fresh(self, feed: Feed) -> Feed:
        """The same feed with what there is to see now; a few seconds old if rendering has taken its share of time."""
        self.start()
        age = self._clock.monotonic() - feed.renewed
        if self.budget.wait > self._pause and age < STALE_SECONDS:
            return feed
        if self._waiting >= MOST_WAITING:
            raise Refused(Problem.TOO_MANY_QUESTIONS, retry_after=RETRY_SECONDS)
        self._waiting += 1
        try:
            await self._renew(feed, waits=True)
        finally:
            self._waiting -= 1
        return feed

    @contextmanager
    def watching(self, stream: EventStream, feed: Feed, name: str, *, known: bool) -> Iterator[None]:
        """Count a stream while it is open: that of an address, or if it is known, of a token."""
        self.start()
        if self._ended:
            raise Refused(Problem.SHUTTING_DOWN, retry_after=RETRY_SECONDS)
        self.places.enter(stream, name, known=known)
        if not self._streams:
            self.rates.restart()
        self._streams.add(stream)
        feed.watchers.add(stream)
        self.stir()
        try:
            yield
        finally:
            self._streams.discard(stream)
            feed.watchers.discard(stream)
            self.places.leave(stream, name, known=known)

    async def _run(self) -> None:
        try:
            while self._streams and not self._ended and (self._behind() or self.rates.moving):
                moved = self.rates.moving
                with self.budget.measured():
                    self.rates.sample(self._collector.tasks())
                if moved or self.rates.moving:  # a rate that has just come to rest is a change too
                    self._changes += 1
                for feed in sorted(self._behind(), key=lambda each: each.due):
                    if feed.due <= self._clock.monotonic():
                        await self._turn(feed)
                await asyncio.sleep(self._pause)
        finally:
            self._pump = None

    def _behind(self) -> list[Feed]:
        return [feed for feed in self._feeds.values() if feed.watchers and feed.seen != self._changes]

    async def _turn(self, feed: Feed) -> None:
        before = feed.turn
        try:
            await self._renew(feed, waits=False)
        except HgldpError:
            pass  # too busy, or the disk cannot be read: watchers keep what they have
        except Exception:
            log.exception("rendering failed")
        feed.due = self._clock.monotonic() + feed.pause - self._pause / 2
        if feed.turn != before or feed.gone:
            for watcher in tuple(feed.watchers):
                watcher.wake()

    async def _renew(self, feed: Feed, *, waits: bool) -> None:
        """Look once, however many ask at the same time; who does not wait leaves it to the one who looks already."""
        if feed.renewing is not None and not waits:
            return
        if feed.renewing is None:
            feed.renewing = asyncio.ensure_future(self._look(feed, waits=waits))
            feed.renewing.add_done_callback(lambda _: _forget(feed))
        await asyncio.shield(feed.renewing)

    async def _look(self, feed: Feed, *, waits: bool) -> None:
        changes = self._changes
        found = await feed.look(waits=waits)
        feed.seen, feed.renewed = changes, self._clock.monotonic()
        feed.gone = found is None
        if found is not None:
            with self.budget.measured():
                feed.put(found)


def _forget(feed: Feed) -> None:
    renewing, feed.renewing = feed.renewing, None
    if renewing is not None and not renewing.cancelled():
        renewing.exception()
