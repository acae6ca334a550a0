"""The thread around the writer: take a group, settle it, replace the views, tell whoever waits."""

import asyncio
import logging
import threading
from collections.abc import Callable, Iterable

from hgldp.collector.allowance import Rate
from hgldp.collector.arrival import Arrival
from hgldp.collector.inbox import Command, Inbox
from hgldp.collector.limits import Limits
from hgldp.collector.live_tops import LiveTops
from hgldp.collector.problems import Problem, Refused
from hgldp.collector.views import TaskView
from hgldp.collector.writer import Writer
from hgldp.errors import StorageFailed
from hgldp.system.clock import Clock

LONGEST_WAIT, FAILING_WAIT = 1.0, 0.25
log = logging.getLogger("hgldp.collector")
Callback = Callable[[TaskView], None]


class Engine:
    """`lock` is held while trackers move. Without a thread, `step` is called by hand."""

    def __init__(self, writer: Writer, clock: Clock, limits: Limits) -> None:
        self.writer, self._clock = writer, clock
        self.inbox, self.lock = Inbox(limits), threading.Lock()
        self.views: dict[int, TaskView] = {}
        self.rates: dict[int, Rate] = {}
        self.listeners: list[tuple[asyncio.AbstractEventLoop, Callback]] = []
        self.commits, self.broken = 0, False
        self._tops = LiveTops(clock, limits.refresh_milliseconds / 1000)
        self._thread: threading.Thread | None = None
        with self.lock:
            self._publish()

    def start(self) -> None:
        """Work in a thread of its own."""
        self._thread = threading.Thread(target=self._run, name="hgldp-writer", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Finish what is queued."""
        self.inbox.close()
        if self._thread is not None:
            self._thread.join()
        while self.step():
            pass

    @property
    def threaded(self) -> bool:
        """Whether somebody steps without being asked."""
        return self._thread is not None

    def _run(self) -> None:
        while self.step() or not self.inbox.closed:
            waits = (self.writer.timer.wait(), self._tops.wait(), LONGEST_WAIT)
            soonest = min(each for each in waits if each is not None)
            self.inbox.wait(max(soonest, FAILING_WAIT) if self.writer.failing or self.broken else soonest)

    def step(self) -> bool:
        """Settle one group and whatever is due by the clock; False if there was nothing to take."""
        arrivals, commands = self.inbox.take()
        changed: set[int] = set()
        try:
            with self.lock:
                self._settle(arrivals, commands)
                changed = self._publish()
        except Exception as unforeseen:  # noqa: BLE001 - whatever it was, everybody gets an answer
            self._recover(unforeseen, commands)
        self._tell(arrivals, commands)
        try:
            with self.lock:
                self._renew_tops(changed)
        except Exception as unforeseen:  # noqa: BLE001 - and the writer goes on
            self._recover(unforeseen, ())
        return bool(arrivals or commands)

    def _settle(self, arrivals: list[Arrival], commands: list[Command]) -> None:
        if self.broken:
            self.writer.reload()
            self.broken = False
        failed_before = self.writer.failing
        try:
            if arrivals or commands or self.writer.timer.due():
                self.writer.write(arrivals, commands)
                self.commits += 1
            if not len(self.inbox):
                self.writer.flush()
        except StorageFailed as failure:
            if not failed_before:
                log.warning("storage failed: %s", failure)

    def _recover(self, unforeseen: Exception, commands: Iterable[Command]) -> None:
        """After an error in our own code, only the log can be trusted."""
        log.error("writer failed: %s", type(unforeseen).__name__, exc_info=unforeseen)
        for command in commands:
            command.failure = command.failure or Refused(Problem.INTERNAL)
        self.broken = True

    def _renew_tops(self, changed: set[int]) -> None:
        """After everybody has been told: a top of a large domain takes its time."""
        self.writer.changed |= self._tops.renew(self.writer.states, changed)
        self._publish()

    def _publish(self) -> set[int]:
        writer = self.writer
        changed, writer.changed = writer.changed, set()
        for number in changed:
            view = writer.states[number].view()
            if number in self.views:
                self.views[number] = view
            else:
                self.rates[number] = Rate(view.terms.reports_per_second, self._clock)
                self.views = {**self.views, number: view}
        for loop, callback in self.listeners:
            if changed:
                _call(loop, _call_each, callback, [self.views[number] for number in changed])
        return changed

    def _tell(self, arrivals: list[Arrival], commands: list[Command]) -> None:
        for loop in {arrival.loop for arrival in arrivals}:
            some = [arrival for arrival in arrivals if arrival.loop is loop]
            if loop is None:
                self._resolve(some)
            else:
                _call(loop, self._resolve, some)
        for command in commands:
            command.done.set()

    def _resolve(self, arrivals: list[Arrival]) -> None:
        """On the loop that the uploads came from."""
        for arrival in arrivals:
            outcome, future = arrival.outcome, arrival.future
            if outcome is None:
                outcome = arrival.outcome = Refused(Problem.INTERNAL)
            if isinstance(outcome, Refused) or outcome.duplicate:
                self.rates[arrival.task].give_back(arrival.count)
            if future is None or future.done():
                continue
            if isinstance(outcome, Refused):
                future.set_exception(outcome)
            else:
                future.set_result(outcome)


def _call(loop: asyncio.AbstractEventLoop, function: Callable[..., object], *arguments: object) -> None:
    """On a loop, if it still runs."""
    try:
        loop.call_soon_threadsafe(function, *arguments)
    except RuntimeError:
        log.debug("the event loop has ended")


def _call_each(callback: Callback, views: list[TaskView]) -> None:
    for view in views:
        callback(view)
