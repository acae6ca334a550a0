import asyncio
import time
from dataclasses import replace

import pytest

from hgldp.collector.dashboard.live import Live
from hgldp.collector.dashboard.live import live as live_module
from hgldp.collector.dashboard.live.budget import Budget
from hgldp.collector.dashboard.live.feed import Feed, write_state
from hgldp.collector.problems import Problem, Refused
from hgldp.errors import StorageFailed
from tests.collector.dashboard.live.watching import TASK, Shown, live_of, parts_of, state, stream_of
from tests.collector.fake_collector import FakeCollector
from tests.patience import PATIENCE, soon


def run(scene, seconds: float = PATIENCE):
    return asyncio.run(asyncio.wait_for(scene(), seconds))


def test_many_watchers_cost_one_rendering_per_change() -> None:
    async def scene() -> tuple[int, list[bytes]]:
        shown = Shown(1)
        live, feed = live_of(shown)
        await live.fresh(feed)
        streams = [parts_of(stream_of(live, feed)) for _ in range(100)]
        first = [await anext(each) for each in streams]
        await soon(lambda: live._pump is None)
        looks, shown.value = shown.looks, 2
        live.stir()
        second = [await anext(each) for each in streams]
        live.end()
        assert all(each is second[0] for each in second)
        return shown.looks - looks, [first[0], second[0]]

    assert run(scene) == (1, [state(1), state(2)])


def test_many_commits_make_few_turns() -> None:
    async def scene() -> tuple[int, float]:
        shown = Shown(0)
        live, feed = live_of(shown, pause=0.05)
        await live.fresh(feed)
        stream = parts_of(stream_of(live, feed))
        await anext(stream)
        before, begun = shown.looks, time.monotonic()
        while shown.looks - before < 6:
            shown.value += 1
            live.note(replace(TASK, reports=shown.value))
            await asyncio.sleep(0.001)
        live.end()
        return shown.looks - before, time.monotonic() - begun

    looks, seconds = run(scene)
    assert looks <= 1 + seconds / 0.05


def test_what_takes_long_is_rendered_less_often() -> None:
    """Each look costs 10 ms, a change comes every millisecond: looks take about a tenth of the time."""

    class Costly(Shown):
        async def __call__(self, *, waits: bool) -> dict[str, object] | None:
            async with live.budget.turn():
                live.budget.spend(0.01)
            return await super().__call__(waits=waits)

    async def scene() -> tuple[int, float]:
        nonlocal live
        shown = Costly(0)
        live, feed = live_of(shown)
        await live.fresh(feed)
        stream, begun = parts_of(stream_of(live, feed)), time.monotonic()
        await anext(stream)
        while shown.looks < 8:
            shown.value += 1
            live.stir()
            await asyncio.sleep(0.001)
        live.end()
        return shown.looks, time.monotonic() - begun

    live: Live
    looks, seconds = run(scene)
    assert looks <= 2 + seconds / 0.1


def test_nobody_is_woken_when_nothing_happens() -> None:
    async def scene() -> bool:
        shown = Shown()
        live, feed = live_of(shown)
        await live.fresh(feed)
        stream = parts_of(stream_of(live, feed))
        await anext(stream)
        await soon(lambda: live._pump is None)
        looks = shown.looks
        await asyncio.sleep(0.1)
        live.end()
        return shown.looks == looks and live._pump is None

    assert run(scene)


def test_watchers_see_a_rate_come_to_rest() -> None:
    """Nothing else changes then. The page used to keep what it said before."""

    async def scene() -> list[float | None]:
        told: list[float | None] = []

        class Rate(Shown):
            async def __call__(self, *, waits: bool) -> dict[str, object] | None:
                told.append(live.rates.rate(TASK.id))
                return await super().__call__(waits=waits)

        live, feed = live_of(Rate())
        await live.fresh(feed)
        stream = parts_of(stream_of(live, feed))
        await anext(stream)
        await soon(lambda: told[-1] == 0)
        live.end()
        return told

    assert run(scene)[0] is None


def test_it_listens_from_the_start_and_once() -> None:
    collector = FakeCollector(replace(TASK, reports=5))

    async def scene() -> None:
        live = Live(collector)
        live.start()
        live.start()
        assert len(collector.listeners) == 1
        assert live.rates.last_report(TASK.id) is None
        live.note(replace(TASK, reports=6))
        assert abs((live.rates.last_report(TASK.id) or 0) - time.time()) < PATIENCE

    run(scene)


def test_under_pressure_a_page_may_be_some_seconds_old_but_not_more() -> None:
    async def scene() -> None:
        shown, now = Shown(1), [0.0]
        live, feed = live_of(shown, budget=Budget(0.1, lambda: now[0]))
        await live.fresh(feed)
        live.budget.spend(0.02)
        shown.value = 2
        assert (await live.fresh(feed)).parts == {"n": 1}
        feed.renewed -= live_module.STALE_SECONDS
        assert (await live.fresh(feed)).parts == {"n": 2}

    run(scene)


def test_not_everyone_may_wait_for_a_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_module, "MOST_WAITING", 3)

    async def scene() -> list[object]:
        live, _ = live_of(Shown())
        live.budget.spend(0.02)
        feeds = [live.feed(number, lambda: Feed(Shown(), write_state, 1.0)) for number in range(10)]
        return await asyncio.gather(*(live.fresh(feed) for feed in feeds), return_exceptions=True)

    found = run(scene)
    refused = [each.problem for each in found if isinstance(each, Refused)]
    assert refused == [Problem.TOO_MANY_QUESTIONS] * 7


def test_feeds_that_nobody_watches_are_forgotten() -> None:
    async def scene() -> None:
        live, watched = live_of(Shown())
        await live.fresh(watched)
        stream = parts_of(stream_of(live, watched))
        await anext(stream)
        for number in range(10 * live_module.MOST_KEPT):
            live.feed(number, lambda: Feed(Shown(), write_state, 1.0))
        assert live.feed("shown", lambda: Feed(Shown(), write_state, 1.0)) is watched
        assert len(live._feeds) <= live_module.MOST_KEPT + 1
        live.end()

    run(scene)


@pytest.mark.parametrize("failure", [StorageFailed("locked"), Refused(Problem.TOO_MANY_QUESTIONS), ZeroDivisionError()])
def test_a_look_that_fails_leaves_what_was_there(failure: Exception) -> None:
    async def scene() -> list[bytes]:
        class Failing(Shown):
            async def __call__(self, *, waits: bool) -> dict[str, object] | None:
                if self.value == "fails":
                    self.value = 2
                    raise failure
                return await super().__call__(waits=waits)

        shown = Failing(1)
        live, feed = live_of(shown)
        await live.fresh(feed)
        stream = parts_of(stream_of(live, feed))
        found = [await anext(stream)]
        shown.value = "fails"
        live.stir()
        found.append(await anext(stream))
        live.end()
        return found

    assert run(scene) == [state(1), state(2)]
