"""How much of the processor pages may take: a tenth, so that uploads come first however many people watch."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import TypeVar

SHARE = 0.1
PIECE, MOST_DEBT = 0.002, 0.5
T = TypeVar("T")


class Budget:
    """Work is a debt of seconds that is paid back at a tenth of a second per second.

    >>> now = 0.0
    >>> budget = Budget(0.1, lambda: now)
    >>> budget.spend(0.03)
    >>> round(budget.wait, 3)
    0.3
    >>> now = 0.2
    >>> round(budget.wait, 3)
    0.1
    """

    def __init__(self, share: float = SHARE, clock: Callable[[], float] = time.monotonic) -> None:
        self._share, self._clock = share, clock
        self._debt, self._since = 0.0, clock()
        self._queue = asyncio.Lock()

    def spend(self, seconds: float) -> None:
        """Note some work; what is above half a second is forgiven, so that one slow answer cannot stop all pages."""
        self._debt = min(MOST_DEBT, self._owed() + seconds)
        self._since = self._clock()

    @contextmanager
    def measured(self) -> Iterator[None]:
        """Note the work of a block that does not await."""
        began = time.thread_time()
        try:
            yield
        finally:
            self.spend(time.thread_time() - began)

    @property
    def wait(self) -> float:
        """In how many seconds everything is paid back."""
        return self._owed() / self._share

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Measure a piece of work, in a queue: it begins when the work before it is paid back, or nearly so."""
        async with self._queue:
            if self._owed() >= PIECE:
                await asyncio.sleep(self.wait)
            with self.measured():
                yield

    def _owed(self) -> float:
        return max(0.0, self._debt - self._share * (self._clock() - self._since))


def timed(work: Callable[..., T], *arguments: object) -> tuple[T, float]:
    """For work in another thread: its result, and its seconds of processor time."""
    began = time.thread_time()
    found = work(*arguments)
    return found, time.thread_time() - began
