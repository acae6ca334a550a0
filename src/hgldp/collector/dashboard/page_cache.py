"""What a task's page shows at one moment, gathered and rendered once for all who look at the same thing."""

import asyncio
from typing import TYPE_CHECKING, TypeVar

from starlette.concurrency import run_in_threadpool

from hgldp.collector.dashboard.live import Live
from hgldp.collector.dashboard.ranking import Shares
from hgldp.collector.dashboard.regions import Now, Regions, task_regions
from hgldp.collector.http.threads import BoundedThreads
from hgldp.collector.problems import Problem, Refused
from hgldp.collector.views import Answer, PublishedEpoch, TaskView
from hgldp.errors import InvalidField

if TYPE_CHECKING:
    from hgldp.collector.collector import Collector

MOST_KEPT = 64
SHOWN_EPOCHS = 40
NONE: list[Shares] = []
Key = tuple[bytes, int | None]
Value = TypeVar("Value")


class PageCache:
    """Rendered regions, a task's past, and the top of its last reports: each computed once for all pages."""

    def __init__(self, collector: "Collector", live: Live, url: str, threads: BoundedThreads) -> None:
        self._collector = collector
        self._live = live
        self._url = url
        self._threads = threads
        self.past = Past(collector)
        self._windows: dict[Key, tuple[int, Answer]] = {}
        self._under_way: dict[tuple[bytes, int, bool], asyncio.Task[Answer]] = {}
        self._rendered: dict[Key, tuple[Now, Regions]] = {}

    async def regions(self, view: TaskView, window: int | None, *, waits: bool = True) -> Regions:
        """The page of a task as this view has it.

        A window that is not known yet is computed in a queue, and refused if the queue is full; with `waits` false it
        is refused if it would have to queue at all.
        """
        answer = None if window is None else await self._last(view, window, waits=waits)
        past = await self.past.recent(view)
        now, key = Now(view, answer, past, self._live.rate(view.id), self._live.changed(view)), (view.id, window)
        before = self._rendered.get(key)
        if before is None or not before[0].shows_the_same_as(now):
            _keep(self._rendered, key, (now, task_regions(now, self._url)))
        return self._rendered[key][1]

    async def _last(self, view: TaskView, window: int, *, waits: bool) -> Answer:
        """Computed once, however many pages are waiting for it."""
        reports, answer = self._windows.get((view.id, window), (-1, None))
        if answer is not None and reports == view.reports:
            return answer
        key = view.id, window, waits
        if key not in self._under_way:
            asking = self._under_way[key] = asyncio.create_task(self._ask(view, window, waits=waits))
            asking.add_done_callback(lambda _: self._under_way.pop(key))
        return await asyncio.shield(self._under_way[key])

    async def _ask(self, view: TaskView, window: int, *, waits: bool) -> Answer:
        run = self._threads.run if waits else self._threads.run_if_idle
        try:
            answer = await run(self._collector.top, view.id, view.task.k, window)
        except InvalidField as wrong:
            raise Refused(Problem.MALFORMED_QUERY, str(wrong)) from None
        _keep(self._windows, (view.id, window), (view.reports, answer))
        return answer


def _keep(kept: dict[Key, Value], key: Key, value: Value) -> None:
    """As many as are watched at a time; the oldest goes first."""
    kept.pop(key, None)
    while len(kept) >= MOST_KEPT:
        kept.pop(next(iter(kept)))
    kept[key] = value


class Past:
    """What past epochs published: any single one, and the last ones for the trend lines, read once per epoch."""

    def __init__(self, collector: "Collector") -> None:
        self._collector = collector
        self._recent: dict[bytes, tuple[int, list[Shares]]] = {}

    async def recent(self, view: TaskView) -> list[Shares]:
        """The share of all reports that each item had in the last epochs, oldest first."""
        if not view.epoch:
            return NONE
        epoch, found = self._recent.get(view.id, (0, NONE))
        if epoch != view.epoch:
            first = max(0, view.epoch - SHOWN_EPOCHS)
            epochs = await run_in_threadpool(self._collector.history, view.id, first, view.epoch - 1)
            found = [_shares(each) for each in epochs]
            self._recent[view.id] = view.epoch, found
        return found

    async def at(self, view: TaskView, epoch: int) -> PublishedEpoch | None:
        """What one epoch published."""
        found = await run_in_threadpool(self._collector.history, view.id, epoch, epoch)
        return found[0] if found else None


def _shares(epoch: PublishedEpoch) -> Shares:
    return {each.item: each.estimate / max(1, epoch.reports) for each in epoch.top}
