"""A page that takes time to write: once a second at most, off the event loop, and shared by all who ask."""

import asyncio
from collections.abc import Callable
from math import inf

from hgldp.collector.http.metering import in_thread
from hgldp.system.clock import Clock, SystemClock

FRESH_SECONDS = 1.0


class SharedPage:
    """Whoever asks while it is written waits for the same page. If that fails, the next one tries again."""

    def __init__(self, write: Callable[[], str], clock: Clock | None = None) -> None:
        self._write, self._clock = write, clock or SystemClock()
        self._page, self._begun = b"", -inf
        self._writing: asyncio.Future[bytes] | None = None

    async def get(self) -> bytes:
        """The page as it was at most a second ago."""
        if self._writing is None:
            if self._clock.monotonic() - self._begun < FRESH_SECONDS:
                return self._page
            self._writing = asyncio.ensure_future(self._renew())
            self._writing.add_done_callback(self._written)
        return await asyncio.shield(self._writing)

    async def _renew(self) -> bytes:
        begun = self._clock.monotonic()
        self._page = await in_thread(lambda: self._write().encode())
        self._begun = begun
        return self._page

    def _written(self, done: "asyncio.Future[bytes]") -> None:
        self._writing = None
        if not done.cancelled():
            done.exception()  # looked at, in case nobody else does
