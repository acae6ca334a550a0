"""Whether the disk has become so full that reports have to go before their time."""

import logging
from collections.abc import Callable

from hgldp.system.clock import Clock

LOOK_SECONDS, TELL_SECONDS = 1.0, 3_600.0
log = logging.getLogger("hgldp.collector")


class DiskRoom:
    """`is_short` is what the last look found. With `least` 0 nobody looks.

    >>> from hgldp.system.clock import SystemClock
    >>> room = DiskRoom(lambda: 5_000, 0, SystemClock())
    >>> room.look()
    False
    """

    def __init__(self, free: Callable[[], int], least: int, clock: Clock) -> None:
        self._free, self._least, self._clock = free, least, clock
        self._next_look = self._next_word = float("-inf")
        self.is_short = False

    def look(self, *, now: bool = False) -> bool:
        """Look again if the last look was a second ago, or at once; the log is told at most once an hour."""
        moment = self._clock.monotonic()
        if self._least and (now or moment >= self._next_look):
            self._next_look = moment + LOOK_SECONDS
            self.is_short = self._free() < self._least
            if self.is_short and moment >= self._next_word:
                self._next_word = moment + TELL_SECONDS
                log.warning(
                    "less than free_bytes (%d) of the disk are free: reports that are not kept for ever go before "
                    "their time, oldest first; everything that was published still follows from what stays",
                    self._least,
                )
        return self.is_short
