"""What happens by the clock: epochs that end after some time, and live tops that are recomputed."""

from collections.abc import Iterable, Mapping

from hgldp.collector.log.task_state import TaskState
from hgldp.system.clock import Clock

SHARE = 20


class EpochTimer:
    """Uses the monotonic clock, so that setting the time of day neither ends an epoch early nor keeps one open.

    The time of day only says how much of an epoch was left when the server starts again.
    """

    def __init__(self, clock: Clock, states: Iterable[TaskState]) -> None:
        self._clock = clock
        self._deadlines: dict[int, float] = {}
        for state in states:
            gone = min(max(0.0, clock.now() - state.published), float(state.task.epoch_seconds))
            self.begin(state, gone)

    def begin(self, state: TaskState, gone: float = 0.0) -> None:
        """The epoch of this task began `gone` seconds ago."""
        if state.task.epoch_seconds and state.closed is None:
            self._deadlines[state.row.number] = self._clock.monotonic() + state.task.epoch_seconds - gone
        else:
            self._deadlines.pop(state.row.number, None)

    def forget(self, number: int) -> None:
        """The task is no more."""
        self._deadlines.pop(number, None)

    def due(self) -> list[int]:
        """The tasks whose epoch has lasted long enough."""
        now = self._clock.monotonic()
        return [number for number, deadline in self._deadlines.items() if deadline <= now]

    def wait(self) -> float | None:
        """Seconds until the next epoch is due; None if no task ends its epochs by the clock."""
        if not self._deadlines:
            return None
        return max(0.0, min(self._deadlines.values()) - self._clock.monotonic())


class LiveTops:
    """Spends a twentieth of the time on tops at most: one that takes a second is renewed every twenty seconds.

    One that takes no time is renewed every `seconds`.
    """

    def __init__(self, clock: Clock, seconds: float) -> None:
        self._clock, self._seconds = clock, seconds
        self._next: dict[int, float] = {}
        self._stale: set[int] = set()

    def are_stale(self, tasks: Iterable[int]) -> None:
        """Reports were counted since their tops were computed."""
        self._stale.update(tasks)

    def forget(self, number: int) -> None:
        """The task is no more."""
        self._next.pop(number, None)
        self._stale.discard(number)

    def renew(self, states: Mapping[int, TaskState]) -> list[int]:
        """Compute what is stale and due; returns the tasks whose top is new."""
        now, renewed = self._clock.monotonic(), []
        for number in sorted(self._stale):
            if self._next.get(number, now) <= now:
                states[number].refresh_top()
                after = self._clock.monotonic()
                self._next[number] = after + max(self._seconds, SHARE * (after - now))
                now = after
                renewed.append(number)
        self._stale.difference_update(renewed)
        return renewed

    def wait(self) -> float | None:
        """Seconds until a stale top is due; None if none is stale."""
        if not self._stale:
            return None
        return max(0.0, min(self._next.get(number, 0.0) for number in self._stale) - self._clock.monotonic())
