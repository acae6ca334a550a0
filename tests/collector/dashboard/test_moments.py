import asyncio
from dataclasses import replace

import pytest

from hgldp.collector.dashboard import moments
from hgldp.collector.dashboard.live import Live
from hgldp.collector.dashboard.moments import MOST_KEPT, Moments
from hgldp.collector.http.threads import BoundedThreads
from tests.collector.fake_collector import FakeCollector, line, numbers_task, view

TASK = view(numbers_task(), [line(7, 900.0)], reports=20_000, epoch_length=1000)


@pytest.fixture
def rendered(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Every moment that was really rendered."""
    found: list[object] = []
    real = moments.regions
    monkeypatch.setattr(moments, "regions", lambda now, url: found.append(now) or real(now, url))
    return found


def pages() -> Moments:
    collector = FakeCollector(TASK)
    return Moments(collector, Live(collector), "http://127.0.0.1:8080", BoundedThreads())


def test_many_viewers_cost_as_much_as_one(rendered: list[object]) -> None:
    shown = pages()

    async def look() -> None:
        first = await shown.regions(TASK, None)
        assert all([await shown.regions(TASK, None) is first for _ in range(10)])
        later = await shown.regions(replace(TASK, reports=20_001), None)
        assert "20,001" in later["figures"]

    asyncio.run(look())
    assert len(rendered) == 2


def test_windows_that_nobody_looks_at_any_more_are_forgotten(rendered: list[object]) -> None:
    shown = pages()

    async def look() -> None:
        for window in range(1, 3 * MOST_KEPT):
            await shown.regions(TASK, window)

    asyncio.run(look())
    assert len(shown._windows) == len(shown._rendered) == MOST_KEPT


def test_all_who_ask_for_the_same_window_share_one_answer() -> None:
    shown = pages()

    async def look() -> None:
        found = await asyncio.gather(*(shown.regions(TASK, 5_000) for _ in range(100)))
        assert all(each is found[0] for each in found)

    asyncio.run(look())
    assert shown._collector.asked == [(10, 5_000)]
    assert shown._under_way == {}
