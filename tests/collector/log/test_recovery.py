"""What a restart finds is what was there, to the last bit, wherever in an epoch it happens."""

from pathlib import Path

import pytest

from hgldp.collector.collector import Collector
from hgldp.collector.log.replay import replay
from hgldp.collector.views import TaskView
from hgldp.errors import DamagedLog
from hgldp.model.task import Task
from tests.collector.fakes import SEARCH, TASKS, FakeClock, FaultyStorage, Killed, create, now, open_by_hand, upload


def shown(view: TaskView) -> tuple[object, ...]:
    return (
        view.bulletins, view.reports, view.in_epoch, view.epoch_length, view.state_bytes, view.top, view.published,
        view.closed, view.terms, view.created, view.write_digest,
    )  # fmt: skip


def kill(collector: Collector) -> None:
    collector.storage.close()
    collector._lock.release()


@pytest.mark.parametrize("task", TASKS, ids=lambda task: f"{task.scheme}-{task.domain.size}")
@pytest.mark.parametrize("size", [1, 4, 23])
def test_a_life_with_a_kill_after_every_commit_is_the_life_without(tmp_path: Path, task: Task, size: int) -> None:
    """Late reports and seals in the middle of a run included: the seed of the task is the same in both lives.

    A second passes before each upload, so that the top is computed after it.
    """
    clock, folders = FakeClock(), (tmp_path / "calm", tmp_path / "killed")
    calm, killed = (
        Collector.open(each, clock=clock, entropy=bytes, storage=FaultyStorage, threaded=False) for each in folders
    )
    (view,), _ = create(calm, task), create(killed, task)
    for number in range(30):
        at = now(calm, view)
        late = at.bulletins[max(0, len(at.bulletins) - 1 - number % 3)]
        clock.advance(1)
        for collector in (calm, killed):
            collector.offer(now(collector, view), upload(at, size, late, seed=number))
            collector.step()
        assert shown(now(killed, view)) == shown(now(calm, view))
        kill(killed)
        killed = open_by_hand(folders[1], clock)
        assert shown(now(killed, view)) == shown(now(calm, view))
    assert killed.history(view.id) == calm.history(view.id)
    assert len(calm.history(view.id)) == now(calm, view).epoch >= 1


def test_what_followed_from_the_last_entry_and_was_not_written_follows_again(tmp_path: Path) -> None:
    collector = open_by_hand(tmp_path, FakeClock())
    (view,) = create(collector, SEARCH)
    collector.offer(view, upload(view, 12))
    assert isinstance(collector.storage, FaultyStorage)
    collector.storage.fault = "killed after"
    with pytest.raises(Killed):
        collector.step()
    kill(collector)
    report = replay(tmp_path)
    assert (report.agrees, report.unwritten) == (True, 3)
    again = open_by_hand(tmp_path, FakeClock())
    assert now(again, view).epoch == 1
    again.step()
    assert len(again.history(view.id)) == 1
    assert replay(tmp_path).unwritten == 0


def test_a_snapshot_that_does_not_fit_its_bulletins_is_refused(tmp_path: Path) -> None:
    collector = open_by_hand(tmp_path, FakeClock())
    (view,) = create(collector, SEARCH)
    for _ in range(2):
        collector.offer(now(collector, view), upload(now(collector, view), 9))
        collector.step()
    assert isinstance(collector.storage, FaultyStorage)
    collector.storage._writer.execute("DELETE FROM bulletins WHERE epoch = 2")
    kill(collector)
    with pytest.raises(DamagedLog, match="published what its state says"):
        open_by_hand(tmp_path, FakeClock())
