"""How tests wait for a condition: on a machine that may be busy, and no longer than it takes."""

import asyncio
import time
from collections.abc import Callable

PATIENCE = 300.0
"""Seconds until a test gives up. It costs nothing while all is well, so it need not be close."""

BETWEEN_LOOKS = 0.02


def until(holds: Callable[[], object], seconds: float = PATIENCE) -> None:
    """Return as soon as it holds."""
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "it took too long"
        time.sleep(BETWEEN_LOOKS)


async def soon(holds: Callable[[], object], seconds: float = PATIENCE) -> None:
    """The same for a condition that the event loop brings about."""
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "it took too long"
        await asyncio.sleep(BETWEEN_LOOKS / 10)
