"""The top of a task that people see, and whether it takes long to compute."""

from collections.abc import Callable, Sequence
from time import thread_time

from hgldp.collector.log.storage import ResultRow
from hgldp.collector.log.task_copy import TaskCopy, ranked_items
from hgldp.collector.views import Answer, RankedItem
from hgldp.model.task import Task
from hgldp.tracker import Tracker

SLOW_SECONDS, MANY_ITEMS = 0.02, 200_000


class Pace:
    """How long the last two ends of an epoch or tops took.

    It is slow if both took long: the very first may have had to wait for compiled code.
    """

    def __init__(self, task: Task) -> None:
        self._has_many_items = task.domain.size is not None and task.domain.size > MANY_ITEMS
        self._spent = (0.0, 0.0)

    def note(self, seconds: float) -> None:
        """It took so long."""
        self._spent = (self._spent[1], seconds)

    @property
    def is_slow(self) -> bool:
        """Whether the next one may take so long that other tasks should not wait for it."""
        return self._has_many_items or min(self._spent) > SLOW_SECONDS


class ShownTop:
    """`items` is the top in `epoch` after `reports` reports. It changes when an epoch ends, and in between.

    `published` is what the last epoch published, and `before` the one before that: ranks change against it.
    `seconds` is how long the last top took that was computed on a copy.
    """

    def __init__(self, tracker: Tracker, pace: Pace) -> None:
        self._tracker, self._pace = tracker, pace
        self.items: tuple[RankedItem, ...] = ()
        self.epoch = self.reports = 0
        self.published: tuple[RankedItem, ...] = ()
        self.before: tuple[RankedItem, ...] = ()
        self.seconds = 0.0
        self._computed: Answer | None = None

    def publish(self) -> tuple[RankedItem, ...]:
        """An epoch has ended: what it publishes is shown."""
        return self.adopt(ranked_items(self._tracker.top(), [each.item for each in self.published]))

    def adopt(self, top: tuple[RankedItem, ...]) -> tuple[RankedItem, ...]:
        """An epoch has ended, and this is what it published."""
        self.before = self.published
        self.items = self.published = top
        self.epoch, self.reports = self._tracker.bulletin.epoch, self._tracker.reports
        return self.published

    def refresh(self) -> None:
        """Compute it now, including the open epoch."""
        began = thread_time()
        self._show(TaskCopy(self._tracker, self.before).top(None, None))
        self._pace.note(thread_time() - began)

    def show_result(self, latest: Sequence[ResultRow]) -> None:
        """Show what the last epoch published, until there is time for more: a start must be quick."""
        for each in latest:
            self.items, self.epoch, self.reports = each.result.top, each.result.epoch + 1, each.result.reports

    def to_be(self) -> Callable[[], None]:
        """Computes it on a copy, in any thread; `show_computed` shows what came out."""
        asked = self.copied()

        def compute() -> None:
            began = thread_time()
            self._computed = asked.top(None, None)
            self.seconds = thread_time() - began

        return compute

    def show_computed(self) -> bool:
        """Show what was computed on a copy, unless an epoch has ended since."""
        answer, self._computed = self._computed, None
        if answer is None:
            return False
        self._pace.note(self.seconds)
        if answer.epoch != self._tracker.bulletin.epoch:
            return False
        self._show(answer)
        return True

    def _show(self, answer: Answer) -> None:
        self.items, self.epoch, self.reports = answer.top, answer.epoch, answer.reports

    def copied(self) -> TaskCopy:
        """The task as it is now, for a question that takes its time."""
        return TaskCopy(self._tracker.copied(), self.before)
