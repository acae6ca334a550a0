"""Epochs that end by the clock. A step of the time of day neither ends one early nor keeps one open."""

from collections.abc import Iterable

from hgldp.collector.task_state import TaskState
from hgldp.system.clock import Clock


class EpochTimer:
    """Runs on the monotonic clock; the time of day only says how much was left when a server starts again."""

    def __init__(self, clock: Clock, states: Iterable[TaskState]) -> None:
        self._clock = clock
        self._deadlines: dict[int, float] = {}
        for state in states:
            seconds = state.task.epoch_seconds
            gone = min(max(0.0, clock.now() - state.published), float(seconds))
            self.begin(state, gone)

    def begin(self, state: TaskState, gone: float = 0.0) -> None:
        """The state's epoch began, so many seconds ago."""
        if state.task.epoch_seconds and state.closed is None:
            self._deadlines[state.row.number] = self._clock.monotonic() + state.task.epoch_seconds - gone
        else:
            self._deadlines.pop(state.row.number, None)

    def due(self) -> list[int]:
        """The tasks whose time is over."""
        now = self._clock.monotonic()
        return [number for number, deadline in self._deadlines.items() if deadline <= now]

    def wait(self) -> float | None:
        """Seconds until the next one is due; None if there is none."""
        if not self._deadlines:
            return None
        return max(0.0, min(self._deadlines.values()) - self._clock.monotonic())
