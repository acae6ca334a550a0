"""What a page shows at one moment, gathered and rendered once for all who look at the same thing."""

import asyncio
from typing import TYPE_CHECKING, TypeVar

from hgldp.collector.dashboard.live import Live
from hgldp.collector.dashboard.past import Past
from hgldp.collector.dashboard.task_page import Now, Regions, regions
from hgldp.collector.http.threads import BoundedThreads as Heavy
from hgldp.collector.problems import Problem, Refused
from hgldp.collector.views import Answer, TaskView
from hgldp.errors import InvalidField

if TYPE_CHECKING:
    from hgldp.collector.collector import Collector

MOST_KEPT = 64
Key = tuple[bytes, int | None]
Value = TypeVar("Value")


class Moments:
    """Views with their rates, their past and, where asked for, the top of the last reports alone."""

    def __init__(self, collector: "Collector", live: Live, url: str, heavy: Heavy) -> None:
        self._collector, self._live, self._url, self._heavy = collector, live, url, heavy
        self.past = Past(collector)
        self._windows: dict[Key, tuple[int, Answer]] = {}
        self._under_way: dict[tuple[bytes, int, bool], asyncio.Task[Answer]] = {}
        self._rendered: dict[Key, tuple[Now, Regions]] = {}

    async def regions(self, view: TaskView, window: int | None, *, waits: bool = True) -> Regions:
        """The page of a task as this view has it; a problem if too many ask, or any at all where nobody waits."""
        answer = None if window is None else await self._last(view, window, waits=waits)
        past = await self.past.recent(view)
        now, key = Now(view, answer, past, self._live.rate(view.id), self._live.changed(view)), (view.id, window)
        before = self._rendered.get(key)
        if before is None or not before[0].shows_the_same_as(now):
            _keep(self._rendered, key, (now, regions(now, self._url)))
        return self._rendered[key][1]

    async def _last(self, view: TaskView, window: int, *, waits: bool) -> Answer:
        """Asked for once, however many want to know and wait as long."""
        reports, answer = self._windows.get((view.id, window), (-1, None))
        if answer is not None and reports == view.reports:
            return answer
        key = view.id, window, waits
        if key not in self._under_way:
            asking = self._under_way[key] = asyncio.create_task(self._ask(view, window, waits=waits))
            asking.add_done_callback(lambda _: self._under_way.pop(key))
        return await asyncio.shield(self._under_way[key])

    async def _ask(self, view: TaskView, window: int, *, waits: bool) -> Answer:
        run = self._heavy.run if waits else self._heavy.run_if_idle
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
