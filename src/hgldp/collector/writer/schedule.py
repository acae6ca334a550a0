"""What happens by the clock: epochs that end after some time, and live tops that are recomputed."""

from collections import Counter
from collections.abc import Container, Iterable, Mapping

from hgldp.collector.log.task_state import TaskState
from hgldp.collector.timings import Histogram
from hgldp.collector.writer.workshop import Job, Workshop
from hgldp.system.clock import Clock

SHARE = 20
LOOK_AGAIN = 3600.0


class EpochTimer:
    """Uses the monotonic clock, so that setting the time of day neither ends an epoch early nor keeps one open.

    The time of day only says how much of an epoch was left when the server starts again.
    """

    def __init__(self, clock: Clock, states: Iterable[TaskState]) -> None:
        self._clock = clock
        self._deadlines: dict[int, float] = {}
        self._looks = Counter[int]()
        for state in states:
            gone = min(max(0.0, clock.now() - state.published), float(_seconds(state)))
            self.begin(state, gone)

    def begin(self, state: TaskState, gone: float = 0.0) -> None:
        """The epoch of this task began `gone` seconds ago."""
        del self._looks[state.row.number]
        self._set(state, gone)

    def _set(self, state: TaskState, gone: float) -> None:
        if _seconds(state) and state.closed is None:
            self._deadlines[state.row.number] = self._clock.monotonic() + _seconds(state) - gone
        else:
            self._deadlines.pop(state.row.number, None)

    def forget(self, task: int) -> None:
        """It was deleted."""
        self._deadlines.pop(task, None)
        del self._looks[task]

    def due(self) -> list[int]:
        """The tasks whose epoch has lasted long enough."""
        now = self._clock.monotonic()
        return [number for number, deadline in self._deadlines.items() if deadline <= now]

    def take_due(self, states: Mapping[int, TaskState], arriving: Mapping[int, int], busy: Container[int]) -> set[int]:
        """Those of them that are not busy and worth sealing, with the reports that are `arriving`.

        One with too few reports is looked at again after the same time, or within the hour.
        """
        found = set()
        for number in self.due():
            if number in busy:
                continue
            if states[number].is_worth_sealing(arriving.get(number, 0), self._looks[number]):
                found.add(number)
            else:
                self._looks[number] += 1
                self._set(states[number], max(0.0, _seconds(states[number]) - LOOK_AGAIN))
        return found

    def wait(self, busy: Container[int] = ()) -> float | None:
        """Seconds until the next epoch of a task that is not busy is due; None if none ends by the clock."""
        waiting = [deadline for number, deadline in self._deadlines.items() if number not in busy]
        return max(0.0, min(waiting) - self._clock.monotonic()) if waiting else None


def _seconds(state: TaskState) -> int:
    """After how long the clock ends an epoch of the task; 0 if it never does."""
    return state.task.bulletin_seconds or state.task.epoch_seconds


class LiveTops:
    """Spends a twentieth of the time on tops at most: one that takes a second is renewed every twenty seconds.

    One that takes no time is renewed every `seconds`. One that takes long is computed beside the writer, on a copy.
    One that waited for compiled code says nothing about the next. There may be two such in a row: in the first epoch a
    top needs other code than later. So the shortest of the last three counts.
    """

    def __init__(self, clock: Clock, seconds: float, workshop: Workshop, took: Histogram) -> None:
        self._clock, self._seconds, self._workshop, self._took = clock, seconds, workshop, took
        self._next: dict[int, float] = {}
        self._lasted: dict[int, tuple[float, float]] = {}
        self._stale: set[int] = set()
        self._under_way: dict[int, Job] = {}

    def are_stale(self, tasks: Iterable[int]) -> None:
        """Reports were counted since their tops were computed."""
        self._stale.update(tasks)

    def forget(self, task: int) -> None:
        """It was deleted."""
        self._stale.discard(task)
        self._under_way.pop(task, None)
        self._next.pop(task, None)
        self._lasted.pop(task, None)

    def renew(self, states: Mapping[int, TaskState]) -> list[int]:
        """Compute what is stale and due; returns the tasks whose top is new. `states` are those that are not busy."""
        renewed = self._collect(states)
        now = self._clock.monotonic()
        for number in sorted(self._stale & states.keys() - self._under_way.keys()):
            if self._next.get(number, now) > now:
                continue
            state = states[number]
            self._stale.discard(number)
            if state.is_slow and self._workshop.is_open:
                self._under_way[number] = self._workshop.begin(state.top.to_be())
                continue
            state.top.refresh()
            after = self._clock.monotonic()
            self._rest(number, after, after - now)
            now = after
            renewed.append(number)
        return renewed

    def _collect(self, states: Mapping[int, TaskState]) -> list[int]:
        """Show the tops that were computed beside the writer. One that came too late took its time all the same."""
        found = []
        for number in [each for each, job in self._under_way.items() if job.done.is_set() and each in states]:
            self._under_way.pop(number).check()
            top = states[number].top
            if top.show_computed():
                found.append(number)
            self._rest(number, self._clock.monotonic(), top.seconds)
        return found

    def _rest(self, number: int, now: float, took: float) -> None:
        self._took.observe(took)
        before = self._lasted.get(number, (0.0, 0.0))
        self._lasted[number] = before[1], took
        self._next[number] = now + max(self._seconds, SHARE * min(*before, took))

    def wait(self, busy: Container[int] = ()) -> float | None:
        """Seconds until a stale top of a task that is not busy is due; None if none is stale."""
        waiting = [number for number in self._stale - self._under_way.keys() if number not in busy]
        if not waiting:
            return None
        return max(0.0, min(self._next.get(number, 0.0) for number in waiting) - self._clock.monotonic())
