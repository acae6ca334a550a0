"""When a task's live top is computed anew: often where it is cheap, never so often that it slows the reports."""

from collections.abc import Mapping

from hgldp.collector.task_state import TaskState
from hgldp.system.clock import Clock

SHARE = 20


class LiveTops:
    """A top that takes a second is renewed every twenty; one that takes no time, every `seconds`."""

    def __init__(self, clock: Clock, seconds: float) -> None:
        self._clock, self._seconds = clock, seconds
        self._next: dict[int, float] = {}
        self._stale: set[int] = set()

    def renew(self, states: Mapping[int, TaskState], changed: set[int]) -> set[int]:
        """Compute what is due; returns the tasks whose top is new."""
        self._stale |= changed
        now, renewed = self._clock.monotonic(), set()
        for number in sorted(self._stale):
            if self._next.get(number, now) <= now:
                states[number].refresh_top()
                after = self._clock.monotonic()
                self._next[number] = after + max(self._seconds, SHARE * (after - now))
                now = after
                renewed.add(number)
        self._stale -= renewed
        return renewed

    def wait(self) -> float | None:
        """Seconds until a stale top is due; None if none is stale."""
        if not self._stale:
            return None
        return max(0.0, min(self._next[number] for number in self._stale) - self._clock.monotonic())
