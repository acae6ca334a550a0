"""Questions that keep a thread busy for a while: a few at once, some more in a queue, the others come back later."""

from collections.abc import Callable
from typing import Any, TypeVar

import anyio
from starlette.concurrency import run_in_threadpool

from hgldp.collector.problems import Problem, Refused

AT_ONCE, MOST_WAITING, RETRY_SECONDS = 2, 32, 2
T = TypeVar("T")


class BoundedThreads:
    """Runs slow work off the event loop, and never so much of it that uploads would starve."""

    def __init__(self, at_once: int = AT_ONCE, most_waiting: int = MOST_WAITING) -> None:
        self._limiter = anyio.Semaphore(at_once)
        self._at_once = at_once
        self._most = at_once + most_waiting
        self._asked = 0

    async def run(self, work: Callable[..., T], *arguments: Any) -> T:
        """The result of the work, or a problem if too many ask."""
        return await self._run(self._most, work, *arguments)

    async def run_if_idle(self, work: Callable[..., T], *arguments: Any) -> T:
        """For work that can be left out: a problem if it would have to wait."""
        return await self._run(self._at_once, work, *arguments)

    async def _run(self, most: int, work: Callable[..., T], *arguments: Any) -> T:
        if self._asked >= most:
            raise Refused(Problem.TOO_MANY_QUESTIONS, retry_after=RETRY_SECONDS)
        self._asked += 1
        try:
            async with self._limiter:
                return await run_in_threadpool(work, *arguments)
        finally:
            self._asked -= 1
