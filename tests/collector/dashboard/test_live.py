import asyncio
from dataclasses import replace

from hgldp.collector.dashboard.live import Live, Meter
from tests.collector.fake_collector import FakeCollector, numbers_task, view


def test_the_rate_is_that_of_the_last_ten_seconds() -> None:
    meter = Meter()
    for second in range(30):
        meter.note(float(second), 1000 if second < 15 else 1000 + 7 * (second - 15))
    assert meter.rate == 7.0


def test_the_rate_falls_to_nothing_when_nothing_comes() -> None:
    meter = Meter()
    meter.note(0.0, 0)
    assert meter.rate is None
    for second in range(1, 12):
        meter.note(float(second), 500)
    assert meter.rate == 0


def test_many_commits_make_few_turns() -> None:
    found = view(numbers_task())
    collector = FakeCollector(found)

    async def watch() -> int:
        collector.loop, turns = asyncio.get_running_loop(), 0
        live = Live(collector, pause=0.05)
        with live.watched():
            ends = asyncio.get_running_loop().time() + 0.5
            turn = live.next_turn
            while asyncio.get_running_loop().time() < ends:
                found_now = collector.views[found.id]
                collector.put(replace(found_now, reports=found_now.reports + 1))
                await asyncio.sleep(0.001)
                if turn.is_set():
                    turns, turn = turns + 1, live.next_turn
            assert (live.rate(found.id) or 0) > 0
            assert live.changed(found) is not None
        return turns

    assert 2 <= asyncio.run(watch()) <= 11


def test_it_listens_only_while_somebody_watches() -> None:
    collector = FakeCollector(view(numbers_task()))

    async def watch() -> None:
        live = Live(collector)
        assert not collector.listeners
        with live.watched(), live.watched():
            assert len(collector.listeners) == 1
        assert not collector.listeners
        with live.watched():
            assert len(collector.listeners) == 1

    asyncio.run(watch())


def test_nobody_is_woken_when_nothing_happens() -> None:
    collector = FakeCollector(view(numbers_task()))

    async def watch() -> bool:
        live = Live(collector, pause=0.01)
        with live.watched():
            await asyncio.sleep(0.2)
            turn = live.next_turn
            await asyncio.sleep(0.1)
            return turn.is_set()

    assert not asyncio.run(watch())
