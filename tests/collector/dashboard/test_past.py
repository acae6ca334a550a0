import asyncio
from dataclasses import replace

from hgldp.collector.dashboard.past import SHOWN_EPOCHS, Past
from tests.collector.fake_collector import FakeCollector, line, numbers_task, published, view

TASK = view(numbers_task(), epoch=2)
EPOCHS = [published(epoch, 1000 * (epoch + 1), [line(7, 100.0 * (epoch + 1))]) for epoch in range(100)]


class Counting(FakeCollector):
    """Says how often the store was asked."""

    reads = 0

    def history(self, task_id: bytes, first: int, last: int) -> list[object]:
        self.reads += 1
        return super().history(task_id, first, last)


def past() -> tuple[Past, Counting]:
    collector = Counting(TASK)
    collector.epochs[TASK.id] = EPOCHS
    return Past(collector), collector


def test_the_store_is_read_once_an_epoch() -> None:
    found, collector = past()

    async def look() -> None:
        for _ in range(5):
            assert await found.recent(TASK) == [{7: 0.1}, {7: 0.1}]
        assert collector.reads == 1
        assert len(await found.recent(replace(TASK, epoch=3))) == 3
        assert collector.reads == 2

    asyncio.run(look())


def test_only_the_last_epochs_are_read() -> None:
    found, _ = past()
    assert len(asyncio.run(found.recent(replace(TASK, epoch=100)))) == SHOWN_EPOCHS


def test_before_the_first_epoch_ends_there_is_no_past() -> None:
    found, collector = past()
    assert asyncio.run(found.recent(replace(TASK, epoch=0))) == []
    assert collector.reads == 0


def test_any_epoch_can_be_asked_for() -> None:
    found, _ = past()
    assert asyncio.run(found.at(TASK, 42)) == EPOCHS[42]
    assert asyncio.run(found.at(TASK, 1000)) is None
