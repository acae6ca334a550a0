"""Uploads that answer a bulletin which this collector does not know: another may have published it a moment ago."""

import asyncio
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from hgldp.collector.problems import Problem, Refused
from hgldp.collector.settings import Limits
from hgldp.collector.views import Receipt
from hgldp.collector.writer.publishing import call

MOST_WAITING, PARTS_OF_THE_QUEUE, RETRY_SECONDS = 4_096, 4, 1
LONGEST_WAIT, WAKE_SECONDS = 5.0, 0.05
Submit = Callable[[], "asyncio.Future[Receipt]"]


@dataclass
class _Waiting:
    submit: Submit
    size: int
    loop: asyncio.AbstractEventLoop
    receipt: "asyncio.Future[Receipt]"

    def try_again(self) -> None:
        """On its loop: by now the bulletin is known, or too old."""
        if self.receipt.done():
            return
        try:
            self.submit().add_done_callback(self._tell)
        except Exception as failure:  # noqa: BLE001 - whoever waits gets an answer, whatever it is
            self.receipt.set_exception(failure)

    def refuse(self) -> None:
        """On its loop."""
        if not self.receipt.done():
            self.receipt.set_exception(Refused(Problem.STORAGE_FULL, retry_after=RETRY_SECONDS))

    def _tell(self, found: "asyncio.Future[Receipt]") -> None:
        if self.receipt.done() or found.cancelled():
            return
        failure = found.exception()
        if failure is None:
            self.receipt.set_result(found.result())
        else:
            self.receipt.set_exception(failure)


class News:
    """`wake` makes the keeper look. What waits when it begins to look is tried again when it has looked.

    Anybody can make bulletins up. So only so many uploads wait, with so many bytes and for so long, and `wake` is
    called at most every `WAKE_SECONDS`, however many come.
    """

    def __init__(self, wake: Callable[[], None], limits: Limits) -> None:
        self._wake, self._lock = wake, threading.Lock()
        self._most, self._most_bytes = min(MOST_WAITING, limits.queue_uploads), limits.queue_bytes // PARTS_OF_THE_QUEUE
        self._waiting: dict[asyncio.Future[Receipt], _Waiting] = {}
        self._bytes = 0
        self._looked_for: list[asyncio.Future[Receipt]] = []
        self._called, self._next_call = False, 0.0

    def wait_for(self, submit: Submit, size: int) -> "asyncio.Future[Receipt]":
        """On the event loop: a receipt of what `submit` does later, or its refusal. `size` is that of its body."""
        loop = asyncio.get_running_loop()
        receipt: asyncio.Future[Receipt] = loop.create_future()
        with self._lock:
            if len(self._waiting) >= self._most or self._bytes + size > self._most_bytes:
                raise Refused(Problem.QUEUE_FULL, retry_after=RETRY_SECONDS)
            self._waiting[receipt] = _Waiting(submit, size, loop, receipt)
            self._bytes += size
        too_long = loop.call_later(LONGEST_WAIT, self._refuse, [receipt])

        def ended(_: object) -> None:
            too_long.cancel()
            self._take([receipt])

        receipt.add_done_callback(ended)
        if not self._called:
            self._called = True
            loop.call_later(max(0.0, self._next_call - loop.time()), self._call, loop)
        return receipt

    def _call(self, loop: asyncio.AbstractEventLoop) -> None:
        self._called, self._next_call = False, loop.time() + WAKE_SECONDS
        self._wake()

    def begin(self) -> None:
        """The keeper looks."""
        with self._lock:
            self._looked_for = list(self._waiting)

    def end(self) -> None:
        """It has seen all there is: whoever waited gets an answer."""
        for each in self._take(self._looked_for):
            call(each.loop, each.try_again)

    def fail(self) -> None:
        """It could not look: nobody knows whether the bulletin is too old, so whoever waited is to come again."""
        self._refuse(self._looked_for)

    def _refuse(self, receipts: Iterable["asyncio.Future[Receipt]"]) -> None:
        for each in self._take(receipts):
            call(each.loop, each.refuse)

    def _take(self, receipts: Iterable["asyncio.Future[Receipt]"]) -> list[_Waiting]:
        """Those of them that still wait. They wait no more."""
        with self._lock:
            found = [self._waiting.pop(each) for each in receipts if each in self._waiting]
            self._bytes -= sum(each.size for each in found)
        return found
