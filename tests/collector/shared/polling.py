"""Wait for what another thread or the database does."""

import time
from collections.abc import Callable


def until(holds: Callable[[], object], seconds: float = 20.0) -> None:
    """It must hold before so many seconds are over."""
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "it took too long"
        time.sleep(0.02)
