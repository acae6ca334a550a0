import asyncio
from dataclasses import replace

import pytest

from hgldp.collector.dashboard import task_page
from hgldp.collector.dashboard.live import Live
from hgldp.collector.dashboard.regions import MOST_ROWS, Where
from hgldp.collector.dashboard.task_page import MOST_EPOCHS, SHOWN_EPOCHS, PastEpochs, TaskPage
from hgldp.collector.http.threads import BoundedThreads
from hgldp.collector.problems import Problem, Refused
from tests.collector.fake_collector import FakeCollector, line, numbers_task, published, view
from tests.patience import PATIENCE

TASK = view(numbers_task(), [line(7, 900.0)], reports=20_000, epoch_length=1000)
ENDED = view(numbers_task(), epoch=2)
EPOCHS = [published(epoch, 1000 * (epoch + 1), [line(7, 100.0 * (epoch + 1))]) for epoch in range(100)]


@pytest.fixture
def rendered(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Every moment that was really rendered."""
    found: list[object] = []
    real = task_page.task_regions
    monkeypatch.setattr(task_page, "task_regions", lambda now, *more: found.append(now) or real(now, *more))
    return found


class Counting(FakeCollector):
    """Says how often the store was asked."""

    reads = 0

    def history(self, task_id: bytes, first: int, last: int) -> list[object]:
        self.reads += 1
        return super().history(task_id, first, last)


def page(collector: FakeCollector, window: int | None = None) -> TaskPage:
    where = Where("http://127.0.0.1:8080", "")
    return TaskPage(collector, Live(collector), BoundedThreads(), where, next(iter(collector.views)), window)


def test_the_same_is_not_rendered_twice(rendered: list[object]) -> None:
    collector = FakeCollector(TASK)
    shown = page(collector)

    async def look() -> None:
        first = await shown(waits=True)
        assert all([await shown(waits=False) is first for _ in range(10)])
        collector.put(replace(TASK, reports=20_001))
        later = await shown(waits=False)
        assert later is not None
        assert "20,001" in later["figures"]

    asyncio.run(look())
    assert len(rendered) == 2


def test_a_task_that_is_gone_has_no_page() -> None:
    collector = FakeCollector(TASK)
    shown = page(collector)
    collector.views.clear()
    assert asyncio.run(shown(waits=True)) is None


def test_an_open_page_of_a_window_does_not_wait_for_the_next_answer() -> None:
    collector = FakeCollector(TASK)
    shown = page(collector, 5_000)

    async def look() -> None:
        await shown(waits=True)
        collector.put(replace(TASK, reports=20_001, top=(line(7, 901.0),)))
        now = await shown(waits=False)
        assert now is not None
        assert "20,001" in now["figures"]
        assert ">900<" in now["ranking"]
        async with asyncio.timeout(PATIENCE):
            while ">901<" not in now["ranking"]:
                await asyncio.sleep(0.01)
                now = await shown(waits=False)
                assert now is not None

    asyncio.run(look())
    assert collector.asked == [(10, 5_000)] * 2


def test_a_long_ranking_shows_its_beginning_and_says_so() -> None:
    many = replace(TASK, top=tuple(line(number, 9_000.0 - number) for number in range(1000)))
    found = asyncio.run(page(FakeCollector(many))(waits=True))
    assert found is not None
    assert found["ranking"].count("data-key") == 2 * MOST_ROWS, "a row in each of the two tables"
    assert "The first 100 of 1,000 items; the export has all of them." in found["ranking"]
    assert len("".join(found.values())) < 200_000


def test_the_store_is_read_once_an_epoch() -> None:
    collector = Counting(ENDED)
    collector.epochs[ENDED.id] = EPOCHS
    shown = page(collector)

    async def look() -> None:
        for _ in range(5):
            assert await shown._recent(ENDED) == [{7: 0.1}, {7: 0.1}]
        assert collector.reads == 1
        assert len(await shown._recent(replace(ENDED, epoch=3))) == 3
        assert collector.reads == 2
        assert len(await shown._recent(replace(ENDED, epoch=100))) == SHOWN_EPOCHS

    asyncio.run(look())


def test_before_the_first_epoch_ends_there_is_no_past() -> None:
    collector = Counting(TASK)
    asyncio.run(page(collector)(waits=True))
    assert collector.reads == 0


def test_any_epoch_can_be_asked_for_and_a_few_are_kept() -> None:
    collector, task = Counting(ENDED), replace(ENDED, epoch=100)
    collector.epochs[ENDED.id] = EPOCHS
    past = PastEpochs(collector, Live(collector), BoundedThreads())

    async def look() -> None:
        assert await past.at(task, 42) == await past.at(task, 42) == EPOCHS[42]
        assert collector.reads == 1
        for epoch in range(100):
            await past.at(task, epoch)
        assert len(past._kept) == MOST_EPOCHS
        for none in (100, 1 << 70):
            with pytest.raises(Refused) as refused:
                await past.at(task, none)
            assert refused.value.problem is Problem.MALFORMED_QUERY

    asyncio.run(look())


def test_a_share_is_of_all_that_is_counted_and_never_above_all() -> None:
    """Raw items are part of the counts, so they are part of the whole; with a half-life they are part of neither."""
    warm = replace(TASK, epoch=2, terms=replace(TASK.terms, warmup=9_000))
    for raw, share, of in ((900, "19 %", "reports and raw items"), (0, "100 %", "reports")):
        collector = FakeCollector(replace(warm, top=(line(7, 1900.0, warmup=raw),)))
        collector.epochs[warm.id] = [published(epoch, 1_000, [line(7, 1900.0, warmup=raw)]) for epoch in range(2)]
        regions = asyncio.run(page(collector)(waits=True))
        assert regions is not None
        assert f"<title>from {share} to {share} of the {of} over 2 epochs</title>" in regions["ranking"]
