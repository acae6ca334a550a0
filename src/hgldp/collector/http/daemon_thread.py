"""Work in a thread that nothing waits for when the process ends: a stranger's question must not hold it up."""

import asyncio
import threading
from collections.abc import Callable
from typing import Any, TypeVar

T = TypeVar("T")


def in_daemon_thread(work: Callable[..., T], *arguments: Any) -> "asyncio.Future[T]":
    """A future of the running loop. If it is cancelled the work goes on, and what it gives is dropped."""
    loop = asyncio.get_running_loop()
    future: asyncio.Future[T] = loop.create_future()

    def run() -> None:
        try:
            result = work(*arguments)
        except BaseException as failure:  # noqa: BLE001 - whoever awaits it gets it
            _call(loop, _settle, future, None, failure)
        else:
            _call(loop, _settle, future, result, None)

    threading.Thread(target=run, name="hgldp-work", daemon=True).start()
    return future


def _settle(future: "asyncio.Future[Any]", result: object, failure: BaseException | None) -> None:
    if future.done():
        return
    if failure is None:
        future.set_result(result)
    else:
        future.set_exception(failure)


def _call(loop: asyncio.AbstractEventLoop, function: Callable[..., object], *arguments: object) -> None:
    try:
        loop.call_soon_threadsafe(function, *arguments)
    except RuntimeError:
        return  # the loop has ended, and so has everybody who waited
