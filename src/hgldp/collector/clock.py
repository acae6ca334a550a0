"""Time, as an argument: tests step it, the server reads the system's."""

import time
from typing import Protocol

DAY_SECONDS = 86_400


class Clock(Protocol):
    """The time of day may step in either direction; the monotonic time only grows."""

    def now(self) -> float:
        """Seconds since 1970, UTC."""

    def monotonic(self) -> float:
        """Seconds since some moment."""


class SystemClock:
    """The machine's own."""

    def now(self) -> float:
        """Seconds since 1970, UTC."""
        return time.time()

    def monotonic(self) -> float:
        """Seconds since some moment."""
        return time.monotonic()


def day_of(now: float) -> int:
    """The number of a day, UTC.

    >>> day_of(86_400.5)
    1
    """
    return int(now // DAY_SECONDS)
