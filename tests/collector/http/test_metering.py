"""A request pays for its own steps and its own threads, and for nothing that others do meanwhile."""

import asyncio
import time

import pytest

from hgldp.collector.http.metering import Meter, in_thread, measured, stop_meter


def busy(seconds: float) -> None:
    until = time.thread_time() + seconds
    while time.thread_time() < until:
        pass


def paid(*works: object) -> list[float]:
    """What each of some coroutines costs, if they run at the same time."""
    bills = [0.0 for _ in works]

    async def one(number: int, work: object) -> None:
        def pay(seconds: float) -> None:
            bills[number] += seconds

        await measured(work, Meter(pay, 0.0))  # type: ignore[arg-type]

    async def all_of_them() -> None:
        await asyncio.gather(*(one(*each) for each in enumerate(works)))
        await asyncio.sleep(0)

    asyncio.run(all_of_them())
    return bills


async def steps(number: int, seconds: float) -> None:
    for _ in range(number):
        busy(seconds)
        await asyncio.sleep(0)


def test_what_others_do_meanwhile_is_not_charged() -> None:
    cheap, dear = paid(steps(10, 0.0), steps(10, 0.01))
    assert dear >= 0.1
    assert cheap < 0.02


def test_work_in_a_thread_is_charged() -> None:
    (found,) = paid(in_thread(busy, 0.05))
    assert found >= 0.05


def test_nothing_is_charged_after_the_meter_was_stopped() -> None:
    async def watching() -> None:
        stop_meter()
        await steps(3, 0.01)

    assert paid(watching()) == [0.0]


def test_errors_and_cancellations_reach_the_work_and_its_caller() -> None:
    seen = []

    async def waiting() -> None:
        try:
            await asyncio.sleep(60)
        finally:
            seen.append("ended")

    async def failing() -> None:
        await asyncio.sleep(0)
        raise KeyError

    async def cancelled() -> None:
        task = asyncio.ensure_future(measured(waiting(), Meter(lambda _: None, 0.0)))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(cancelled())
    assert seen == ["ended"]
    with pytest.raises(KeyError):
        paid(failing())
