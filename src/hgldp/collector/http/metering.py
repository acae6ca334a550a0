"""What a request costs in processor time: its own steps on the event loop, and its work in threads."""

import asyncio
from collections.abc import Callable, Coroutine, Generator
from contextvars import ContextVar
from time import thread_time
from types import coroutine
from typing import Any, TypeVar

from starlette.concurrency import run_in_threadpool

T = TypeVar("T")


class Meter:
    """Tells `pay` of the seconds beyond those that are paid already, as soon as they are spent.

    >>> bills = []
    >>> meter = Meter(bills.append, paid=0.5)
    >>> meter.spend(0.25), meter.spend(0.5), meter.spend(0.25), bills
    (None, None, None, [0.25, 0.25])
    """

    def __init__(self, pay: Callable[[float], None], paid: float) -> None:
        self._pay, self._left, self._runs = pay, paid, True

    def spend(self, seconds: float) -> None:
        """On the event loop."""
        if self._runs:
            self._left -= seconds
            if self._left < 0:
                self._pay(-self._left)
                self._left = 0.0

    def stop(self) -> None:
        """The rest is paid in another way."""
        self._runs = False


_METER: ContextVar[Meter | None] = ContextVar("hgldp-meter", default=None)


@coroutine
def measured(work: Coroutine[Any, Any, T], meter: Meter) -> Generator[Any, Any, T]:
    """Do the work, and spend what each of its steps takes. What others do while it waits is not its own."""
    _METER.set(meter)
    resume: Callable[[Any], Any] = work.send
    value: Any = None
    try:
        while True:
            began = thread_time()
            try:
                waits_for = resume(value)
            except StopIteration as end:
                result: T = end.value
                return result
            finally:
                meter.spend(thread_time() - began)
            try:
                value = yield waits_for
                resume = work.send
            except BaseException as thrown:  # noqa: BLE001 - a cancellation too is the work's to handle
                resume, value = work.throw, thrown
    finally:
        _METER.set(None)


def with_its_meter(work: Callable[..., T]) -> Callable[..., T]:
    """The same work, for a thread: what it takes there is spent by the request that asks for it here."""
    meter = _METER.get()
    if meter is None:
        return work
    loop = asyncio.get_running_loop()

    def timed(*arguments: Any) -> T:
        began = thread_time()
        try:
            return work(*arguments)
        finally:
            if not loop.is_closed():
                loop.call_soon_threadsafe(meter.spend, thread_time() - began)

    return timed


async def in_thread(work: Callable[..., T], *arguments: Any) -> T:
    """In one of the shared threads."""
    return await run_in_threadpool(with_its_meter(work), *arguments)


def stop_meter() -> None:
    """The rest of this request is paid in another way."""
    meter = _METER.get()
    if meter is not None:
        meter.stop()
