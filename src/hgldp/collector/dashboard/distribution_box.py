"""How shares are spread: bars with whiskers for the decades of a task, computed when somebody asks to see them."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from markupsafe import Markup

from hgldp.collector.dashboard.chart import LogScale, axis, interval_bar
from hgldp.collector.dashboard.live import Live
from hgldp.collector.dashboard.live.budget import timed
from hgldp.collector.http.threads import BoundedThreads
from hgldp.collector.problems import Problem, Refused
from hgldp.collector.views import DistributionAnswer, TaskView
from hgldp.errors import InvalidField
from hgldp.schemes.registry import class_of

if TYPE_CHECKING:
    from hgldp.collector.collector import Collector


@dataclass(frozen=True)
class DistributionRow:
    """One decade, in words and as a bar."""

    name: str
    bar: Markup
    items: str
    interval: str
    share: str


@dataclass(frozen=True)
class DistributionBox:
    """What a page shows: where to ask, and the answer if it was asked for."""

    action: str
    answer: DistributionAnswer | None = None

    @property
    def rows(self) -> list[DistributionRow]:
        """The decades that can be told, and what is below them."""
        found = self.answer.found if self.answer else None
        if found is None:
            return []
        numbers = [(each.items, each.interval) for each in found.decades] + [found.rest_items]
        return [
            DistributionRow(words[0], interval_bar(self.scale, items, *ends), *words[1:])
            for words, (items, ends) in zip(found.rows, numbers, strict=False)
        ]

    @property
    def scale(self) -> LogScale:
        """Up to the number of all items."""
        size = self.answer.found.size if self.answer else None
        return LogScale(0.0, float(size or 1))

    @property
    def axis(self) -> Markup:
        """The numbers above the bars."""
        return axis(self.scale)


class DistributionBoxes:
    """Answers in the threads of all slow questions."""

    def __init__(self, collector: "Collector", threads: BoundedThreads, live: Live, base: str) -> None:
        self._collector, self._threads, self._live, self._base = collector, threads, live, base

    async def box(self, view: TaskView, window: int | None, *, wanted: bool) -> DistributionBox | None:
        """The box for a page; None for a task that has no such answer, or none yet."""
        if not class_of(view.task).has_windows or not view.reports:
            return None
        asked = f"{f'window={window}&' if window else ''}distribution=1"
        box = DistributionBox(f"{self._base}/tasks/{view.id.hex()}?{asked}#distribution")
        if not wanted:
            return box
        try:
            answer, seconds = await self._threads.run(timed, self._collector.distribution, view.id, window)
        except InvalidField as wrong:
            raise Refused(Problem.MALFORMED_QUERY, str(wrong)) from None
        self._live.budget.spend(seconds)
        return DistributionBox(box.action, answer)
