"""Time as an argument: tests step it, clients and servers read the system's."""

import time
from typing import Protocol

DAY_SECONDS = 86_400

# Linux has the first, macOS the second; `time.monotonic` stands still in their sleep. On Windows it does not.
COUNTS_SLEEP: int | None = getattr(time, "CLOCK_BOOTTIME", getattr(time, "CLOCK_MONOTONIC_RAW", None))


class Clock(Protocol):
    """The time of day may step in either direction; the monotonic time only grows."""

    def now(self) -> float:
        """Seconds since 1970, UTC, as the machine believes."""

    def monotonic(self) -> float:
        """Seconds since some moment."""


class SystemClock:
    """The machine's own clocks."""

    def now(self) -> float:
        """The machine's date."""
        return time.time()

    def monotonic(self) -> float:
        """Time since the machine started, its sleep included where the system can tell."""
        return time.monotonic() if COUNTS_SLEEP is None else time.clock_gettime(COUNTS_SLEEP)


class SteadyTime:
    """A time that never steps: it starts at the date, or at the latest time already seen, and then follows `monotonic`.

    So setting the date while a client runs changes nothing, and setting it back between two runs grants no day twice.
    """

    def __init__(self, clock: Clock, not_before: float) -> None:
        self._clock = clock
        self._start = max(clock.now(), not_before)
        self._origin = clock.monotonic()

    def now(self) -> float:
        """Seconds since 1970, never less than before."""
        return self._start + max(0.0, self._clock.monotonic() - self._origin)

    def date(self) -> float:
        """The machine's date as it is now, which may step."""
        return max(0.0, self._clock.now())


def day_of(now: float) -> int:
    """The number of a day, UTC.

    >>> day_of(86_400.5)
    1
    """
    return int(now // DAY_SECONDS)
