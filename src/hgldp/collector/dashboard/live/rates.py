"""How fast reports come, and when the last one came."""

from collections import deque
from collections.abc import Iterable
from math import inf

from hgldp.collector.views import TaskView
from hgldp.system.clock import Clock

WINDOW = 10.0


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


class Rates:
    """Of all tasks. Commits are noted as they come; rates are sampled only while somebody watches."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._meters: dict[bytes, Meter] = {}
        self._reports: dict[bytes, int] = {}
        self._last: dict[bytes, float] = {}
        self._since = inf

    def know(self, views: Iterable[TaskView]) -> None:
        """What was there before anyone listened: nobody knows when it came."""
        self._since = self._clock.now()
        for view in views:
            self._reports.setdefault(view.id, view.reports)

    def note(self, view: TaskView) -> None:
        """A commit changed the task; after each commit, so this is quick."""
        if self._reports.get(view.id, 0) != view.reports:
            self._reports[view.id] = view.reports
            self._last[view.id] = self._clock.now()

    def sample(self, views: Iterable[TaskView]) -> None:
        """Measure all tasks, and forget those that are gone."""
        now, before = self._clock.monotonic(), self._meters
        self._meters = {view.id: before.get(view.id) or Meter() for view in views}
        for view in views:
            self._meters[view.id].note(now, view.reports)
        if len(self._reports) > len(self._meters):
            self._reports = {key: value for key, value in self._reports.items() if key in self._meters}
            self._last = {key: value for key, value in self._last.items() if key in self._meters}

    def restart(self) -> None:
        """Nobody has watched for a while: old samples say nothing about now."""
        self._meters = {}

    @property
    def moving(self) -> bool:
        """Whether any rate may still change by itself."""
        return any(meter.rate != 0 for meter in self._meters.values())

    def rate(self, task_id: bytes) -> float | None:
        """Reports per second of a task; 0 if no report came for ten seconds, even if nobody watched."""
        if self._clock.now() - self._last.get(task_id, self._since) >= WINDOW:
            return 0.0
        meter = self._meters.get(task_id)
        return meter.rate if meter else None

    def last_report(self, task_id: bytes) -> float | None:
        """When a task last counted a report, if that was since the server started."""
        return self._last.get(task_id)
