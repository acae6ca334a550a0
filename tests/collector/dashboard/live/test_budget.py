import asyncio
import time

from hgldp.collector.dashboard.live.budget import MOST_DEBT, PIECE, Budget, timed
from tests.patience import PATIENCE


def test_work_takes_no_more_than_its_share() -> None:
    """Three milliseconds of work at a time: of all the time that it takes, a tenth is work."""

    async def run() -> tuple[float, float]:
        budget, worked, begun = Budget(), 0.0, time.monotonic()
        while worked < 0.03:
            async with budget.turn():
                began = time.thread_time()
                while time.thread_time() - began < 0.003:
                    pass
            worked += 0.003
        return worked, time.monotonic() - begun

    worked, seconds = asyncio.run(run())
    assert worked <= 0.1 * seconds + 0.01


def test_a_little_work_needs_no_rest() -> None:
    budget = Budget(clock=lambda: 0.0)
    budget.spend(PIECE / 2)

    async def run() -> int:
        turns = 0
        for _ in range(100):
            async with asyncio.timeout(PATIENCE), budget.turn():
                turns += 1
        return turns

    assert asyncio.run(run()) == 100


def test_one_slow_answer_does_not_stop_all_pages_for_long() -> None:
    budget = Budget(0.1, lambda: 0.0)
    budget.spend(60.0)
    assert budget.wait == MOST_DEBT / 0.1


def test_work_elsewhere_is_measured_there() -> None:
    found, seconds = timed(lambda: sum(range(100_000)))
    assert (found, 0 < seconds < 1) == (4_999_950_000, True)
