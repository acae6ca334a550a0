"""An end to waiting for slow bodies: a look at all of them, where a timer for each would cost too much."""

import asyncio
from typing import Any

LOOK_SECONDS = 0.5


class Patience:
    """Tasks that `begin` and do not `end` within so many seconds, and half a second more, are cancelled."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._waiting: dict[asyncio.Task[Any], float] = {}
        self._over: set[asyncio.Task[Any]] = set()
        self._looking = False

    def begin(self) -> "asyncio.Task[Any]":
        """The running task starts to wait."""
        loop = asyncio.get_running_loop()
        task = asyncio.current_task(loop)
        assert task is not None  # noqa: S101
        self._waiting[task] = loop.time()
        if not self._looking:
            self._looking = True
            loop.call_later(LOOK_SECONDS, self._look, loop)
        return task

    def end(self, task: "asyncio.Task[Any]") -> None:
        """It waits no more."""
        self._waiting.pop(task, None)

    def was_over(self, task: "asyncio.Task[Any]") -> bool:
        """Whether a cancellation came from here; it is then taken back."""
        if task not in self._over:
            return False
        self._over.remove(task)
        task.uncancel()
        return True

    def _look(self, loop: asyncio.AbstractEventLoop) -> None:
        now = loop.time()
        for task in [task for task, since in self._waiting.items() if now - since >= self._seconds]:
            self.end(task)
            self._over.add(task)
            task.cancel()
        self._looking = bool(self._waiting)
        if self._looking:
            loop.call_later(LOOK_SECONDS, self._look, loop)
