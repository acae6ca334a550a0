"""Whether the data folder can be written. A disk that hangs is one that cannot: nobody waits for it for long."""

import asyncio
import os
import time
from pathlib import Path

from hgldp.collector.http.daemon_thread import in_daemon_thread

FILE = ".ready-probe"
FRESH_SECONDS, HANGING_SECONDS = 1.0, 5.0


class DiskProbe:
    """Tries at most once a second, however many ask, and not again while an attempt hangs."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._trying = folder, asyncio.Lock()
        self._attempt: asyncio.Future[None] | None = None
        self._tried, self._works = -FRESH_SECONDS, False

    async def works(self) -> bool:
        """As it was within the last second."""
        async with self._trying:
            if time.monotonic() - self._tried >= FRESH_SECONDS:
                if self._attempt is None or self._attempt.done():
                    self._attempt = in_daemon_thread(_write, self._folder / FILE)
                await asyncio.wait((self._attempt,), timeout=HANGING_SECONDS)
                self._works = self._attempt.done() and self._attempt.exception() is None
                self._tried = time.monotonic()
        return self._works


def _write(path: Path) -> None:
    """Write a few bytes to the disk and delete them."""
    place = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        os.write(place, b"ready")
        os.fsync(place)
    finally:
        os.close(place)
        path.unlink(missing_ok=True)
