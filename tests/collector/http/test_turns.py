"""However many questions come together, an upload that comes with them waits for one of them, not for all."""

import asyncio
from itertools import pairwise
from typing import Any

import pytest

from hgldp.collector.http.turns import LONG, Turns, in_turn
from tests.patience import PATIENCE

CROWD = 63  # fewer than a long queue


async def turns_of_the_loop(seen: list[int]) -> None:
    while True:
        seen[0] += 1
        await asyncio.sleep(0)


def test_one_begins_in_each_turn_of_the_loop_in_the_order_they_came() -> None:
    async def scene() -> tuple[list[int], list[int]]:
        turns, seen, order, when = Turns(), [0], list[int](), list[int]()
        counting = asyncio.create_task(turns_of_the_loop(seen))

        async def one(number: int) -> None:
            await turns.wait()
            order.append(number)
            when.append(seen[0])

        await asyncio.gather(*map(one, range(CROWD)))
        counting.cancel()
        return order, when

    order, when = asyncio.run(scene())
    assert order == list(range(CROWD))
    assert all(after > before for before, after in pairwise(when[1:]))


def test_the_queue_has_an_end_though_sixteen_come_in_each_turn_and_do_not_wait() -> None:
    """Before, one went in each turn whatever the queue: clients that ask and go away filled the memory."""

    async def scene() -> int:
        turns, most = Turns(), 0
        asking = set[asyncio.Task[None]]()
        for _ in range(1_000):
            asking |= {asyncio.create_task(turns.wait()) for _ in range(16)}
            await asyncio.sleep(0)
            asking = {each for each in asking if not each.done()}
            most = max(most, len(asking))
        await asyncio.gather(*asking)
        return most

    assert asyncio.run(scene()) < 20 * LONG


def test_who_comes_alone_does_not_wait() -> None:
    async def scene() -> None:
        turns = Turns()
        for _ in range(3):
            with pytest.raises(StopIteration):  # it ends without having waited
                turns.wait().send(None)
            await asyncio.sleep(0)
            await asyncio.sleep(0)

    asyncio.run(scene())


def test_who_goes_away_is_passed_over() -> None:
    async def scene() -> list[int]:
        turns, order = Turns(), list[int]()

        async def one(number: int) -> None:
            await turns.wait()
            order.append(number)

        tasks = [asyncio.create_task(one(number)) for number in range(6)]
        await asyncio.sleep(0)
        for number in (1, 2, 4):
            tasks[number].cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await asyncio.sleep(0)
        await asyncio.wait_for(turns.wait(), PATIENCE)
        return order

    assert asyncio.run(scene()) == [0, 3, 5]


def test_answers_that_waited_for_the_same_thing_leave_one_after_the_other() -> None:
    """As the metrics do: forty ask while the page is written, and all get it at the same moment."""

    async def scene() -> list[int]:
        ready, seen, left = asyncio.Event(), [0], list[int]()

        async def app(_: Any, __: Any, send: Any) -> None:
            await ready.wait()
            await send({"type": "http.response.start", "status": 200, "headers": []})
            await send({"type": "http.response.body", "body": b""})

        async def send(message: Any) -> None:
            if message["type"] == "http.response.start":
                left.append(seen[0])

        async def receive() -> Any:
            raise AssertionError("nobody reads")

        one = in_turn(app, Turns())
        asking = [asyncio.create_task(one({}, receive, send)) for _ in range(CROWD)]
        while any(task.done() for task in asking) or seen[0] < 2 * CROWD:
            seen[0] += 1
            await asyncio.sleep(0)
        counting = asyncio.create_task(turns_of_the_loop(seen))
        ready.set()
        await asyncio.gather(*asking)
        counting.cancel()
        return left

    left = asyncio.run(scene())
    assert len(left) == CROWD
    assert len(set(left)) >= CROWD - 2
