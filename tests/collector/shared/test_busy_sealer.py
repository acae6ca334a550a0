"""What the keeper of a collector knows about itself when it becomes the sealer, and what it spends on each report."""

import asyncio

import psycopg
import pytest

from hgldp.collector.problems import Problem, Refused
from hgldp.collector.views import TaskView
from hgldp.collector.writer.workshop import Job
from tests.collector.fakes import HOT, SEARCH, FakeClock, create, now, upload
from tests.collector.shared.conftest import Pair
from tests.patience import PATIENCE


def unknown_upload(view: TaskView) -> bytes:
    """It answers a bulletin that nobody has published."""
    version = bytes.fromhex(view.bulletin.version)
    return upload(view, 2).replace(version, bytes(len(version)))


def test_a_follower_that_was_behind_when_it_became_the_sealer_answers_whoever_waits(
    pair: Pair, postgres_url: str, clock: FakeClock
) -> None:
    first, second = pair
    (view,) = create(first, SEARCH)
    second.step()
    first.offer(view, upload(view, 3))
    first.step()
    keeper = second._writer._keeper  # type: ignore[union-attr]
    assert keeper.step(), "it has just read an entry, and there may be more"
    with psycopg.connect(postgres_url) as connection:
        connection.execute("UPDATE sealer SET until = 'epoch'")
    clock.advance(2)

    async def sends() -> None:
        receipt = second._writer.intakes[view.number].submit(unknown_upload(view))
        await asyncio.to_thread(keeper.step)
        with pytest.raises(Refused) as refused:
            await asyncio.wait_for(receipt, PATIENCE)
        assert refused.value.problem is Problem.BULLETIN_TOO_OLD

    asyncio.run(sends())
    assert keeper._lease.fence is not None


def test_whoever_waits_for_a_bulletin_waits_for_the_epoch_that_is_ending(pair: Pair) -> None:
    """It may be written while its task is busy here, and others show it already."""
    first = pair[0]
    (view,) = create(first, SEARCH)
    keeper, busy = first._writer._keeper, first._writer._writer._counting.busy  # type: ignore[union-attr]

    async def sends() -> None:
        receipt = first._writer.intakes[view.number].submit(unknown_upload(view))
        await asyncio.to_thread(keeper.step)
        await asyncio.sleep(0.05)
        del busy[view.number]
        assert not receipt.done()
        await asyncio.to_thread(keeper.step)
        with pytest.raises(Refused) as refused:
            await asyncio.wait_for(receipt, PATIENCE)
        assert refused.value.problem is Problem.BULLETIN_TOO_OLD

    busy[view.number] = Job(lambda: None, lambda: None)
    asyncio.run(sends())


def test_a_follower_counts_other_tasks_while_one_of_its_tasks_is_busy(pair: Pair) -> None:
    first, second = pair
    slow, quick = create(first, SEARCH, HOT)
    second.step()
    busy = second._writer._writer._counting.busy  # type: ignore[union-attr]
    busy[slow.number] = Job(lambda: None, lambda: None)
    for _ in range(3):
        for view in (slow, quick):
            first.offer(now(first, view), upload(now(first, view), 2))
            first.step()
        second.step()
    assert (now(second, slow).reports, now(second, quick).reports) == (0, 6)
    del busy[slow.number]
    second.step()
    assert (now(second, slow).reports, now(second, quick).reports) == (6, 6)
    assert not second._writer._writer.is_behind  # type: ignore[union-attr]
