"""BoundedThreads questions never take more than their share."""

import asyncio
import threading

import pytest

from hgldp.collector.http.threads import BoundedThreads
from hgldp.collector.problems import Problem, Refused
from tests.patience import PATIENCE, soon


def test_a_few_at_once_some_wait_and_the_others_are_refused() -> None:
    async def scene() -> None:
        bounded, door, lock = BoundedThreads(at_once=2, most_waiting=3), threading.Event(), threading.Lock()
        inside, most = 0, 0

        def work(number: int) -> int:
            nonlocal inside, most
            with lock:
                inside += 1
                most = max(most, inside)
            door.wait(PATIENCE)
            with lock:
                inside -= 1
            return number

        tasks = [asyncio.create_task(bounded.run(work, number)) for number in range(5)]
        await soon(lambda: inside == 2)
        with pytest.raises(Refused) as refused:
            await bounded.run(work, 9)
        assert refused.value.problem is Problem.TOO_MANY_QUESTIONS
        assert refused.value.retry_after == 2
        door.set()
        assert await asyncio.gather(*tasks) == [0, 1, 2, 3, 4]
        assert most == 2
        assert await bounded.run(work, 7) == 7

    asyncio.run(scene())


def test_a_failure_gives_its_place_back() -> None:
    async def scene() -> None:
        bounded = BoundedThreads(at_once=1, most_waiting=0)
        for _ in range(3):
            with pytest.raises(ZeroDivisionError):
                await bounded.run(lambda: 1 / 0)
        assert await bounded.run(lambda: 5) == 5

    asyncio.run(scene())


def test_what_can_be_left_out_does_not_wait() -> None:
    async def scene() -> None:
        bounded, door = BoundedThreads(at_once=2, most_waiting=3), threading.Event()
        tasks = [asyncio.create_task(bounded.run_if_idle(door.wait, PATIENCE)) for _ in range(2)]
        await asyncio.sleep(0.05)
        with pytest.raises(Refused):
            await bounded.run_if_idle(door.wait, PATIENCE)
        waiting = asyncio.create_task(bounded.run(door.wait, PATIENCE))
        await asyncio.sleep(0.05)
        door.set()
        assert await asyncio.gather(*tasks, waiting) == [True, True, True]
        assert await bounded.run_if_idle(lambda: 5) == 5

    asyncio.run(scene())
