"""Questions that keep a thread busy for a while: a few at once, some more in a queue, the others come back later."""

import asyncio
from collections.abc import Callable
from typing import Any, TypeVar

from hgldp.collector.http.daemon_thread import in_daemon_thread
from hgldp.collector.http.metering import with_its_meter
from hgldp.collector.problems import Problem, Refused

AT_ONCE, MOST_WAITING, RETRY_SECONDS = 2, 32, 2
T = TypeVar("T")


class BoundedThreads:
    """Runs slow work off the event loop, and never so much of it that uploads would starve.

    A place is given back when the work has ended, even if nobody waits for it any more.
    """

    def __init__(self, at_once: int = AT_ONCE, most_waiting: int = MOST_WAITING) -> None:
        self._places = asyncio.Semaphore(at_once)
        self._at_once = at_once
        self._most = at_once + most_waiting
        self._asked = 0

    async def run(self, work: Callable[..., T], *arguments: Any) -> T:
        """The result of the work, or a problem if too many ask."""
        return await self._run(self._most, work, *arguments)

    async def run_if_idle(self, work: Callable[..., T], *arguments: Any) -> T:
        """For work that can be left out: a problem if it would have to wait."""
        return await self._run(self._at_once, work, *arguments)

    async def run_in_turn(self, work: Callable[..., T], *arguments: Any) -> T:
        """For the next piece of an answer that has begun: it waits, and whoever begins answers limits how many."""
        return await self._run(None, work, *arguments)

    async def _run(self, most: int | None, work: Callable[..., T], *arguments: Any) -> T:
        if most is not None and self._asked >= most:
            raise Refused(Problem.TOO_MANY_QUESTIONS, retry_after=RETRY_SECONDS)
        self._asked += 1
        try:
            await self._places.acquire()
        except BaseException:
            self._asked -= 1
            raise
        running = in_daemon_thread(with_its_meter(work), *arguments)
        running.add_done_callback(self._give_back)
        return await asyncio.shield(running)

    def _give_back(self, done: "asyncio.Future[Any]") -> None:
        self._asked -= 1
        self._places.release()
        if not done.cancelled():
            done.exception()  # looked at, in case nobody else does
