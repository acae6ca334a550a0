"""The page of a task, for all its reports or only the last ones: rendered when it changed, once for all who look."""

import asyncio
from typing import TYPE_CHECKING

from markupsafe import Markup
from starlette.concurrency import run_in_threadpool

from hgldp.collector.dashboard.live import Live
from hgldp.collector.dashboard.live.budget import timed
from hgldp.collector.dashboard.ranking import Shares
from hgldp.collector.dashboard.regions import MOST_ROWS, Now, Regions, Where, privacy_region, task_regions
from hgldp.collector.http.threads import RETRY_SECONDS, BoundedThreads
from hgldp.collector.problems import Problem, Refused
from hgldp.collector.views import Answer, PublishedEpoch, TaskView
from hgldp.errors import HgldpError, InvalidField

if TYPE_CHECKING:
    from hgldp.collector.collector import Collector

SHOWN_EPOCHS, MOST_EPOCHS = 40, 32
NONE: list[Shares] = []


class TaskPage:
    """What one page shows: a task, with the answer for its window, its last epochs, and what they look like."""

    def __init__(
        self,
        collector: "Collector",
        live: Live,
        threads: BoundedThreads,
        where: Where,
        task_id: bytes,
        window: int | None,
    ) -> None:
        self._collector, self._live, self._threads, self._where = collector, live, threads, where
        self._task_id, self._window = task_id, window
        self._past: tuple[int, list[Shares]] = 0, NONE
        self._privacy: tuple[str, int, Markup] = "", -1, Markup()
        self._answer: tuple[int, Answer] | None = None
        self._asking: asyncio.Task[None] | None = None
        self._rendered: tuple[Now, Regions] | None = None

    async def __call__(self, *, waits: bool) -> Regions | None:
        """Its regions now; None if the task is gone."""
        view = self._collector.view(self._task_id)
        if view is None:
            return None
        answer = None if self._window is None else await self._last_reports(view, self._window, waits=waits)
        past = await self._recent(view)
        now = Now(view, answer, past, self._live.rates.rate(view.id), self._live.rates.last_report(view.id))
        if self._rendered is None or not self._rendered[0].shows_the_same_as(now):
            async with self._live.budget.turn():
                self._rendered = now, task_regions(now, self._private(view), self._where)
        return self._rendered[1]

    def _private(self, view: TaskView) -> Markup:
        version, size, found = self._privacy
        if (version, size) != (view.bulletin.version, view.state_bytes):
            found = privacy_region(view, self._where.base)
            self._privacy = view.bulletin.version, view.state_bytes, found
        return found

    async def _last_reports(self, view: TaskView, window: int, *, waits: bool) -> Answer:
        """The newest answer. Open pages take the one at hand, while the next one is computed if nobody else waits."""
        if self._answer is None or self._answer[0] != view.reports:
            if waits or self._answer is None:
                await self._ask(view, window, waits=waits)
            elif self._asking is None:
                self._asking = asyncio.create_task(self._ask_aside(view, window))
        if self._answer is None:
            raise Refused(Problem.TOO_MANY_QUESTIONS, retry_after=RETRY_SECONDS)
        return self._answer[1]

    async def _ask(self, view: TaskView, window: int, *, waits: bool) -> None:
        run = self._threads.run if waits else self._threads.run_if_idle
        try:
            answer, seconds = await run(timed, self._collector.top, view.id, view.task.k, window)
        except InvalidField as wrong:
            raise Refused(Problem.MALFORMED_QUERY, str(wrong)) from None
        self._live.budget.spend(seconds)
        self._answer = view.reports, answer

    async def _ask_aside(self, view: TaskView, window: int) -> None:
        """Then look again; after a while if it was too busy."""
        wait = 0.0
        try:
            await asyncio.sleep(self._live.budget.wait)
            await self._ask(view, window, waits=False)
        except HgldpError:
            wait = RETRY_SECONDS
        finally:
            self._asking = None
            asyncio.get_running_loop().call_later(wait, self._live.stir)

    async def _recent(self, view: TaskView) -> list[Shares]:
        """The share of all reports that each item had in the last epochs, oldest first; read once an epoch."""
        if not view.epoch:
            return NONE
        epoch, found = self._past
        if epoch != view.epoch:
            first = max(0, view.epoch - SHOWN_EPOCHS)
            found, seconds = await run_in_threadpool(timed, self._read_epochs, view, first, view.epoch - 1)
            self._live.budget.spend(seconds)
            self._past = view.epoch, found
        return found

    def _read_epochs(self, view: TaskView, first: int, last: int) -> list[Shares]:
        return [_shares(each, view.terms.warmup) for each in self._collector.history(view.id, first, last)]


def _shares(epoch: PublishedEpoch, warmup: int) -> Shares:
    """Of the reports, and of the raw items if they are part of the counts; with a half-life they fade."""
    total = epoch.reports + (warmup if any(each.warmup for each in epoch.top) else 0)
    return {each.item: min(1.0, each.estimate / max(1, total)) for each in epoch.top[:MOST_ROWS]}


class PastEpochs:
    """What single past epochs published, for those who ask: a few are kept, the others are read in turn."""

    def __init__(self, collector: "Collector", live: Live, threads: BoundedThreads) -> None:
        self._collector, self._live, self._threads = collector, live, threads
        self._kept: dict[tuple[bytes, int], PublishedEpoch] = {}

    async def at(self, view: TaskView, epoch: int) -> PublishedEpoch:
        """One that was published; anything else is refused."""
        if epoch < view.first_epoch:
            raise Refused.gone(view.first_epoch)
        key, found = (view.id, epoch), self._kept.get((view.id, epoch))
        if found is None and epoch < view.epoch:
            rows, seconds = await self._threads.run(timed, self._collector.history, view.id, epoch, epoch)
            self._live.budget.spend(seconds)
            found = rows[0] if rows else None
        if found is None:
            raise Refused(Problem.MALFORMED_QUERY, "epoch must be one that was published")
        self._kept.pop(key, None)
        self._kept[key] = found
        while len(self._kept) > MOST_EPOCHS:
            del self._kept[next(iter(self._kept))]
        return found
