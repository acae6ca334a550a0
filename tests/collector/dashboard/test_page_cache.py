import asyncio
from dataclasses import replace

import pytest

from hgldp.collector.dashboard import page_cache
from hgldp.collector.dashboard.live import Live
from hgldp.collector.dashboard.page_cache import MOST_KEPT, SHOWN_EPOCHS, PageCache, Past
from hgldp.collector.http.threads import BoundedThreads
from tests.collector.fake_collector import FakeCollector, line, numbers_task, published, view

TASK = view(numbers_task(), [line(7, 900.0)], reports=20_000, epoch_length=1000)
ENDED = view(numbers_task(), epoch=2)
EPOCHS = [published(epoch, 1000 * (epoch + 1), [line(7, 100.0 * (epoch + 1))]) for epoch in range(100)]


@pytest.fixture
def rendered(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Every moment that was really rendered."""
    found: list[object] = []
    real = page_cache.task_regions
    monkeypatch.setattr(page_cache, "task_regions", lambda now, url: found.append(now) or real(now, url))
    return found


def pages() -> PageCache:
    collector = FakeCollector(TASK)
    return PageCache(collector, Live(collector), "http://127.0.0.1:8080", BoundedThreads())


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


class Counting(FakeCollector):
    """Says how often the store was asked."""

    reads = 0

    def history(self, task_id: bytes, first: int, last: int) -> list[object]:
        self.reads += 1
        return super().history(task_id, first, last)


def past() -> tuple[Past, Counting]:
    collector = Counting(ENDED)
    collector.epochs[ENDED.id] = EPOCHS
    return Past(collector), collector


def test_the_store_is_read_once_an_epoch() -> None:
    found, collector = past()

    async def look() -> None:
        for _ in range(5):
            assert await found.recent(ENDED) == [{7: 0.1}, {7: 0.1}]
        assert collector.reads == 1
        assert len(await found.recent(replace(ENDED, epoch=3))) == 3
        assert collector.reads == 2

    asyncio.run(look())


def test_only_the_last_epochs_are_read() -> None:
    found, _ = past()
    assert len(asyncio.run(found.recent(replace(ENDED, epoch=100)))) == SHOWN_EPOCHS


def test_before_the_first_epoch_ends_there_is_no_past() -> None:
    found, collector = past()
    assert asyncio.run(found.recent(replace(ENDED, epoch=0))) == []
    assert collector.reads == 0


def test_any_epoch_can_be_asked_for() -> None:
    found, _ = past()
    assert asyncio.run(found.at(ENDED, 42)) == EPOCHS[42]
    assert asyncio.run(found.at(ENDED, 1000)) is None
