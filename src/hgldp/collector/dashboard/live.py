"""What happens now: wakes open pages at most twice a second, and knows how fast reports come in."""

import asyncio
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic, time
from typing import TYPE_CHECKING

from hgldp.collector.views import TaskView

if TYPE_CHECKING:
    from hgldp.collector.collector import Collector

PAUSE, WINDOW = 0.5, 10.0


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
    """Turns, each one later than the last by half a second or more: whoever shows something waits for the next.

    It listens to the collector while anybody watches, and not otherwise. `note` is called for every commit and is
    quick: it starts a pump that runs for as long as anything changes.
    """

    def __init__(
        self,
        collector: "Collector",
        *,
        pause: float = PAUSE,
        clock: Callable[[], float] = monotonic,
        wall: Callable[[], float] = time,
    ) -> None:
        self._collector, self._pause, self._clock, self._wall = collector, pause, clock, wall
        self._meters: dict[bytes, Meter] = {}
        self._reports: dict[bytes, int] = {}
        self._changed: dict[bytes, float] = {}
        self._pump: asyncio.Task[None] | None = None
        self._stirred, self._next = False, asyncio.Event()
        self._callback = self.note
        self.watchers, self.ended = 0, False

    @contextmanager
    def watched(self) -> Iterator[None]:
        """While somebody watches."""
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
        """What to wait for; taken before one looks, so that nothing is missed in between."""
        return self._next

    def note(self, *_: object) -> None:
        """Something was committed."""
        self._stirred = True
        if self._pump is None:
            self._pump = asyncio.get_running_loop().create_task(self._run())

    def end(self) -> None:
        """The server stops: whoever waits for a turn goes."""
        self.ended = True
        self._next.set()

    def rate(self, task_id: bytes) -> float | None:
        """Reports per second of a task, if anybody watches."""
        meter = self._meters.get(task_id)
        return meter.rate if meter and self.watchers else None

    def changed(self, view: TaskView) -> float | None:
        """When a task last counted something, if anybody watched."""
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
        now = self._clock()
        for view in self._collector.tasks():
            self._meters.setdefault(view.id, Meter()).note(now, view.reports)
            if self._reports.setdefault(view.id, view.reports) != view.reports:
                self._reports[view.id], self._changed[view.id] = view.reports, self._wall()
