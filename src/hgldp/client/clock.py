"""Time that a wrong clock cannot bend: the wall is looked at once, and never believed when it goes back."""

import time
from typing import Protocol

DAY = 86_400


class Clock(Protocol):
    """Where time comes from."""

    def wall(self) -> float:
        """Seconds since 1970, as the device believes; may jump."""

    def elapsed(self) -> float:
        """Seconds since some moment; never goes back."""


class SystemClock:
    """The device's clocks."""

    def wall(self) -> float:
        """The device's date."""
        return time.time()

    def elapsed(self) -> float:
        """Time since the start of the machine, its sleep included where the system tells."""
        return time.clock_gettime(time.CLOCK_BOOTTIME) if hasattr(time, "CLOCK_BOOTTIME") else time.monotonic()


class SteadyTime:
    """Starts at the wall's time, but not before what was already seen, and then only passes as time passes.

    So a date that is set while the client runs moves nothing, and one that is set back between two runs grants no day
    twice.
    """

    def __init__(self, clock: Clock, not_before: float) -> None:
        self._clock = clock
        self._start = max(clock.wall(), not_before)
        self._origin = clock.elapsed()

    def now(self) -> float:
        """Seconds since 1970, never less than before."""
        return self._start + max(0.0, self._clock.elapsed() - self._origin)
