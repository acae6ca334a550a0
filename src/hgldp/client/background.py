"""The thread that does a reporter's rounds, so that no other thread waits for disk or network.

Other threads leave messages and never hold a lock that the thread needs: Ctrl-C may end any of them at any step. The
queues of messages are `SimpleQueue`, which is written in C and which a signal cannot leave half done.
"""

import time
from collections.abc import Callable, Sized
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Protocol

from hgldp.client.inbox import Inbox
from hgldp.client.pace import Pace
from hgldp.client.sending.transport import Transport
from hgldp.client.spending.page import LedgerDamaged
from hgldp.client.status import Outcome
from hgldp.errors import FolderLost
from hgldp.system.clock import SteadyTime

LONGEST_SLEEP = 60.0
SHORTEST_SLEEP = 0.02
MOST_FAILURES = 5
LOOK = 0.2


class Rounds(Protocol):
    """What the thread does, one round after another: a `Worker`, or what does the same for many people."""

    transport: Transport
    inbox: Inbox

    @property
    def queue(self) -> Sized:
        """Uploads that this process has to send."""

    @property
    def time(self) -> SteadyTime:
        """What `due` is measured by."""

    @property
    def due(self) -> float:
        """When there will be something to do."""

    @property
    def owes_a_report(self) -> bool:
        """Whether a report could be made although no event waits."""

    def round(self) -> None:
        """Do everything that is due."""

    def hurry(self) -> None:
        """Do not wait for the next tick."""

    def settle(self) -> None:
        """The last thing before the end."""


class Background:
    """Sleeps until something is due or another thread calls.

    An error that nobody foresaw ends a round, not the thread: it tries again at growing intervals. After
    `MOST_FAILURES` rounds in a row it is `broken` and lets all waiting events go, until a round succeeds. When the
    folder is lost or the ledger is not its own any more, it does no more rounds. `trouble` names the error's type and
    place, never its text, which may hold an item.
    """

    def __init__(self, worker: Rounds, pace: Pace, *, paused: bool) -> None:
        self._worker, self._pace = worker, pace
        self.paused = paused
        self.closed = self.broken = self._for_good = False
        self.trouble = ""
        self._failures = 0
        self._calls = SimpleQueue[Callable[[], None] | None]()
        self._flushes: list[SimpleQueue[None]] = []
        self._hurried = self._awake = False
        self._thread = Thread(target=self._run, name="hgldp reporter", daemon=True)
        self._thread.start()

    def arrived(self) -> None:
        """Say that an event waits, after it was put there. While the thread is awake it will look anyway."""
        if not self._awake and self._calls.empty():
            self._calls.put(None)

    def flush(self, wait: float) -> bool:
        """Do a round now. True if nothing is left waiting within `wait` seconds."""
        done, end = SimpleQueue[None](), time.monotonic() + wait
        try:
            self._flushes.append(done)
            self._hurried = True
            self._calls.put(None)
            while not self._empty() and not self.broken:
                done.get(timeout=max(0.0, end - time.monotonic()))
        except Empty:
            pass
        finally:
            if done in self._flushes:
                self._flushes.remove(done)
        return self._empty()

    def ask(self, step: Callable[[], None]) -> None:
        """Break off the round under way and let the thread do this before the next one; raises what it raises."""
        answer = SimpleQueue[BaseException | None]()

        def told() -> None:
            try:
                step()
            except BaseException as failure:  # noqa: BLE001 - raised where it was asked for
                answer.put(failure)
            else:
                answer.put(None)
            finally:
                if not self.paused:
                    self._worker.transport.resume()

        try:
            self._worker.transport.stop()
            self._calls.put(told)
        except BaseException:  # Ctrl-C: nobody else would undo the stop
            self._worker.transport.resume()
            raise
        while True:
            try:
                failure = answer.get(timeout=LOOK)
                break
            except Empty:
                if not self._thread.is_alive():  # nobody else is at work any more
                    told()
        if failure is not None:
            raise failure

    def stop(self) -> None:
        """Break off the round under way and end the thread."""
        self.closed = True
        self._calls.put(None)
        self._worker.transport.stop()
        self._thread.join(self._pace.deadline)

    def _empty(self) -> bool:
        return self.closed or not (len(self._worker.inbox) or len(self._worker.queue) or self._worker.owes_a_report)

    def _run(self) -> None:
        try:
            while not self.closed:
                self._turn()
            self._worker.settle()
        except BaseException as failure:  # noqa: BLE001 - whatever ends the thread, nothing is taken any more
            self._break(_named(failure))

    def _turn(self) -> None:
        try:
            self._sleep()
            if not (self.closed or self.paused or self._for_good):
                self._worker.round()
        except (FolderLost, LedgerDamaged) as lost:
            self._break(str(lost))
        except Exception as failure:  # noqa: BLE001 - the thread outlives what nobody foresaw
            self._failures += 1
            if not self._for_good:
                self.trouble = _named(failure)
                self.broken = self._failures >= MOST_FAILURES
        else:
            self._failures = 0
            if not self._for_good:
                self.broken, self.trouble = False, ""
        if self.broken or self.paused:  # an event that came in the same moment
            self._worker.inbox.clear(Outcome.BROKEN if self.broken else Outcome.OPTED_OUT)
        for each in list(self._flushes):
            each.put(None)

    def _break(self, reason: str) -> None:
        """For good: no more rounds, and no more events."""
        self.trouble, self.broken, self._for_good = reason, True, True
        self._worker.inbox.clear(Outcome.BROKEN)

    def _sleep(self) -> None:
        """Until something is due or somebody presses. An event that comes may move what is due, and no more."""
        if self._failures:
            self._heed(self._pace.retry_after(self._failures, chance=1.0), idle=True)
        else:
            while self._heed(self._due_in(), idle=False) and not (self.closed or self._hurried):
                pass
        self._awake = False
        if self._hurried:
            self._hurried = False
            self._worker.hurry()

    def _heed(self, seconds: float, *, idle: bool) -> bool:
        """Wait for calls and do what they ask; whether one cut the wait short. If idle, only a flush or the end may."""
        end, called = time.monotonic() + seconds, False
        while True:
            pressed = self.closed or self._hurried or (called and not idle)
            try:
                call = self._calls.get(timeout=0.0 if pressed else max(0.0, end - time.monotonic()))
            except Empty:
                return pressed
            called = self._awake = True
            if call is not None:
                call()

    def _due_in(self) -> float:
        if self.paused or self._for_good:
            return LONGEST_SLEEP
        return max(SHORTEST_SLEEP, min(LONGEST_SLEEP, self._worker.due - self._worker.time.now()))


def _named(failure: BaseException) -> str:
    """The type and the place, never the text."""
    at = failure.__traceback__
    while at is not None and at.tb_next is not None:
        at = at.tb_next
    place = f" in {Path(at.tb_frame.f_code.co_filename).name}, line {at.tb_lineno}" if at is not None else ""
    return f"an unforeseen error ({type(failure).__name__}{place})"
