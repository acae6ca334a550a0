"""An end to slow bodies. By hand, because `asyncio.timeout` costs a timer per upload; this is one look at them all."""

import asyncio
from typing import Any

LOOK_SECONDS = 0.5
Task = asyncio.Task[Any]


class BodyTimeout:
    """Cancels tasks that `begin` and do not `end` within the given seconds, plus half a second."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._waiting: dict[Task, float] = {}
        self._over: set[Task] = set()
        self._looking = False

    def begin(self) -> Task:
        """The running task starts to wait."""
        loop = asyncio.get_running_loop()
        task = asyncio.current_task(loop)
        if task is None:
            raise RuntimeError("a body must be read in a task of the event loop")
        self._waiting[task] = loop.time()
        if not self._looking:
            self._looking = True
            loop.call_later(LOOK_SECONDS, self._look, loop)
        return task

    def end(self, task: Task) -> None:
        """It waits no more."""
        self._waiting.pop(task, None)

    def was_over(self, task: Task) -> bool:
        """Whether a cancellation came from here; if so it is taken back."""
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
