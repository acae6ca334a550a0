"""What the rest of the service sees of the tasks, and how those who wait for an upload get their answer."""

import asyncio
import logging
from collections.abc import Callable, Iterable, Sequence

from hgldp.collector.problems import Problem, Refused
from hgldp.collector.settings import Limits
from hgldp.collector.views import TaskView
from hgldp.collector.writer.bulletins_in_force import BulletinsInForce
from hgldp.collector.writer.pending import PendingUpload
from hgldp.collector.writer.queue import Intake, Later, UploadQueue
from hgldp.collector.writer.quotas import Accounts, quotas_of
from hgldp.system.clock import Clock

log = logging.getLogger("hgldp.collector")
Callback = Callable[[TaskView], None]


class Publishing:
    """`intakes` has one door for each task, by number; `bulletins` are those that clients may answer."""

    def __init__(
        self,
        queue: UploadQueue,
        clock: Clock,
        limits: Limits,
        counted_today: Callable[[int], int],
        later: Later | None = None,
    ) -> None:
        self._queue, self._clock, self._counted_today, self._later = queue, clock, counted_today, later
        self._sharers = 1
        self._accounts = Accounts(limits.addresses)
        self._listeners: list[tuple[asyncio.AbstractEventLoop, Callback]] = []
        self.intakes: dict[int, Intake] = {}
        self.bulletins = BulletinsInForce()

    def listen(self, callback: Callback) -> None:
        """Call it, on the running loop, with every view that a commit has changed."""
        self._listeners = [*self._listeners, (asyncio.get_running_loop(), callback)]

    def unlisten(self, callback: Callback) -> None:
        """Call it no more."""
        self._listeners = [each for each in self._listeners if each[1] is not callback]

    def publish(self, views: Sequence[TaskView]) -> None:
        """Show tasks as they are now."""
        for view in views:
            self.bulletins.put(view)
            if view.number in self.intakes:
                self.intakes[view.number].view = view
            else:
                quotas = quotas_of(view, self._clock, self._accounts, self._counted_today(view.number))
                if quotas is not None:
                    quotas.share_among(self._sharers)
                self.intakes = {**self.intakes, view.number: Intake(view, quotas, self._queue, self._later)}
        if views:
            for loop, callback in self._listeners:
                call(loop, _call_each, callback, views)

    def share_among(self, collectors: int) -> None:
        """So many collectors share the quotas of every task."""
        if collectors != self._sharers:
            self._sharers = collectors
            for each in self.intakes.values():
                if each.quotas is not None:
                    each.quotas.share_among(collectors)

    def keep_only(self, numbers: Iterable[int]) -> None:
        """The other tasks are gone."""
        if gone := self.intakes.keys() - set(numbers):
            self.intakes = {number: each for number, each in self.intakes.items() if number not in gone}
            self.bulletins.keep_only(self.intakes)

    def answer(self, uploads: Sequence[PendingUpload]) -> None:
        """Whoever waits for one of them gets its outcome, on the loop that it came from."""
        for loop in {upload.loop for upload in uploads}:
            some = [upload for upload in uploads if upload.loop is loop]
            if loop is None:
                self._resolve(some)
            else:
                call(loop, self._resolve, some)

    def _resolve(self, uploads: Sequence[PendingUpload]) -> None:
        for upload in uploads:
            outcome, future = upload.outcome, upload.future
            if outcome is None:
                outcome = upload.outcome = Refused(Problem.INTERNAL)
            if (isinstance(outcome, Refused) or outcome.duplicate) and upload.task in self.intakes:
                self.intakes[upload.task].give_back(upload)
            if future is None or future.done():
                continue
            if isinstance(outcome, Refused):
                future.set_exception(outcome)
            else:
                future.set_result(outcome)


class ShowsTasks:
    """Whoever publishes: the rest of the service looks here, and not at how it comes about."""

    _shown: Publishing

    @property
    def store_numbers(self) -> dict[str, float]:
        """What only a shared store has, for the metrics."""
        return {}

    @property
    def intakes(self) -> dict[int, Intake]:
        """One door for each task, by number."""
        return self._shown.intakes

    @property
    def bulletins(self) -> BulletinsInForce:
        """The bulletins that clients may answer."""
        return self._shown.bulletins

    def listen(self, callback: Callback) -> None:
        """Call it, on the running loop, with every view that has changed."""
        self._shown.listen(callback)

    def unlisten(self, callback: Callback) -> None:
        """Call it no more."""
        self._shown.unlisten(callback)


def call(loop: asyncio.AbstractEventLoop, function: Callable[..., object], *arguments: object) -> None:
    """On a loop, if it still runs."""
    try:
        loop.call_soon_threadsafe(function, *arguments)
    except RuntimeError:
        log.debug("the event loop has ended")


def _call_each(callback: Callback, views: Sequence[TaskView]) -> None:
    for view in views:
        callback(view)
