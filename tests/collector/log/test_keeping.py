"""Reports go after their time, and everything that was published still follows from what is kept."""

from pathlib import Path

import pytest

from hgldp.collector.collector import Collector
from hgldp.collector.log.replay import replay
from hgldp.collector.settings import Limits
from hgldp.collector.views import TaskView
from hgldp.collector.writer import housekeeping
from hgldp.errors import DamagedLog
from hgldp.model.budget import Budget
from hgldp.model.domain import RangeDomain
from hgldp.model.task import Task
from hgldp.tracker import Tracker
from tests.collector.fakes import HOT, TASKS, FakeClock, FaultyStorage, create, log_of, now, open_by_hand, upload

HOUR = 3_600
LONG = Task("pfr", Budget(3.0), RangeDomain(50), k=2, cells=16, memory=4096, epoch=5_000)


def live(collector: Collector, views: list[TaskView], clock: FakeClock, hours: int) -> None:
    """An hour passes after each round."""
    for _ in range(hours):
        for view in views:
            here = now(collector, view)
            collector.offer(here, upload(here, 4, here.bulletins[0]))
            collector.offer(here, upload(here, 5))
        collector.step()
        clock.advance(HOUR)


def tidy(collector: Collector, clock: FakeClock) -> None:
    for _ in range(40):
        clock.advance(housekeeping.ROUND_SECONDS)
        collector.step()


def test_reports_go_after_their_hours_and_everything_still_follows(tmp_path: Path) -> None:
    clock = FakeClock()
    collector = open_by_hand(tmp_path, clock)
    views = [create(collector, task, reports_kept_hours=hours)[0] for task, hours in zip(TASKS, (3, 3, 0), strict=True)]
    live(collector, views, clock, 12)
    tidy(collector, clock)
    ages = [len(log_of(collector, view)) for view in views]
    assert ages[0] < 8
    assert ages[1] < 8
    assert ages[2] == 24
    shown = [(now(collector, view).reports, collector.history(view.id), now(collector, view).top) for view in views]
    collector.close()
    report = replay(tmp_path)
    assert report.agrees, str(report.difference)
    assert report.folded > 10
    assert report.reports == sum(reports for reports, _, _ in shown) == 12 * 3 * 9
    again = open_by_hand(tmp_path, clock)
    assert [(now(again, v).reports, again.history(v.id), now(again, v).top) for v in views] == shown
    live(again, views, clock, 3)
    again.close()
    assert replay(tmp_path).agrees


def reports_after_a_kill(folder: Path) -> int:
    """An epoch that is open for hours, its reports old and in no snapshot yet; then the process ends."""
    clock = FakeClock()
    collector = open_by_hand(folder, clock)
    (view,) = create(collector, LONG, reports_kept_hours=1)
    live(collector, [view], clock, 3)
    collector.compact()
    live(collector, [view], clock, 3)
    tidy(collector, clock)
    collector.storage.close()
    collector._lock.release()
    again = open_by_hand(folder, clock)
    reports = now(again, view).reports
    again.close()
    return reports


def test_reports_that_no_snapshot_holds_stay_however_old(tmp_path: Path) -> None:
    assert reports_after_a_kill(tmp_path) == 6 * 9


def test_the_planted_bug_deletes_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    honest = FaultyStorage.prune
    monkeypatch.setattr(FaultyStorage, "prune", lambda self, task, upto, before: honest(self, task, upto + 99, before))
    with pytest.raises((AssertionError, DamagedLog)):
        assert reports_after_a_kill(tmp_path) == 6 * 9


@pytest.mark.parametrize("task", TASKS, ids=lambda task: f"{task.scheme}-{task.domain.size}")
def test_compact_keeps_nothing_but_tallies_and_a_resend_is_still_known(tmp_path: Path, task: Task) -> None:
    clock = FakeClock()
    collector = open_by_hand(tmp_path, clock)
    (view,) = create(collector, task)
    bodies = []
    for number in range(9):
        here = now(collector, view)
        bodies.append(upload(here, 2, seed=number))
        collector.offer(here, bodies[-1])
        collector.step()
    collector.compact(all_reports=True)
    assert log_of(collector, view) == []
    for each in (collector, None):
        if each is None:
            collector.close()
            collector = open_by_hand(tmp_path, clock)
        again = collector.offer(now(collector, view), bodies[-1])
        collector.step()
        assert again.outcome is not None
        assert getattr(again.outcome, "duplicate", False)
        assert now(collector, view).reports == 18
    collector.close()
    report = replay(tmp_path)
    assert (report.agrees, report.reports, report.entries) == (True, 18, 0), str(report.difference)


def test_a_scheme_that_cannot_write_its_epoch_down_keeps_its_reports(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Tracker, "open_epoch", lambda _: None)
    clock = FakeClock()
    collector = open_by_hand(tmp_path, clock)
    views = create(collector, *TASKS, reports_kept_hours=1)
    live(collector, views, clock, 9)
    tidy(collector, clock)
    collector.compact(all_reports=True)
    assert all(len(log_of(collector, view)) == 18 for view in views)
    collector.close()
    again = open_by_hand(tmp_path, clock)
    assert all(now(again, view).reports == 81 for view in views)
    for view in views:
        again.offer(now(again, view), upload(now(again, view), 1))
        again.step()
    again.close()
    again = open_by_hand(tmp_path, clock)
    assert all(now(again, view).reports == 82 for view in views)
    again.close()
    assert replay(tmp_path).agrees


def test_only_so_many_ids_are_remembered_and_old_bulletins_go_with_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is counted twice: a bulletin of which ids were forgotten is accepted no more."""
    monkeypatch.setattr("hgldp.collector.writer.checkpoints.MOST_ENTRIES", 5)
    monkeypatch.setattr("hgldp.collector.log.upload_ids.PIECE", 8)
    collector = open_by_hand(tmp_path, FakeClock(), Limits(remembered_ids=20))
    (view,) = create(collector, HOT)
    first = [upload(view, 1, seed=number) for number in range(6)]
    for body in first:
        collector.offer(now(collector, view), body)
    collector.step()
    for number in range(40):
        here = now(collector, view)
        collector.offer(here, upload(here, 1, seed=100 + number))
        collector.step()
        assert len(collector._writer._writer._states[view.number].upload_ids) <= 20 + 8 + 8
    here = now(collector, view)
    assert len(here.formats) < len(here.bulletins)
    assert bytes.fromhex(here.bulletin.version) in here.formats
    collector.close()
    again = open_by_hand(tmp_path, FakeClock(), Limits(remembered_ids=20))
    assert now(again, view).formats.keys() == here.formats.keys()
    again.close()


def test_a_deleted_task_leaves_nothing_and_its_number_is_not_used_again(tmp_path: Path) -> None:
    clock = FakeClock()
    collector = open_by_hand(tmp_path, clock)
    views = create(collector, *TASKS)
    live(collector, views, clock, 3)
    collector.delete_task(views[2].id)
    assert collector.view(views[2].id) is None
    tidy(collector, clock)
    assert log_of(collector, views[2]) == []
    assert collector.storage.kept(views[2].number) == []
    (remade,) = create(collector, TASKS[2])
    assert remade.number == 4
    assert remade.reports == 0
    collector.close()
    assert replay(tmp_path).agrees


def test_reports_of_a_quiet_task_go_too(tmp_path: Path) -> None:
    clock = FakeClock()
    collector = open_by_hand(tmp_path, clock)
    (view,) = create(collector, LONG, reports_kept_hours=1)
    for _ in range(10):
        collector.offer(now(collector, view), upload(now(collector, view), 1))
        collector.step()
        clock.advance(24 * HOUR)
        tidy(collector, clock)
    assert log_of(collector, view) == []
    assert now(collector, view).reports == 10
    collector.close()
    report = replay(tmp_path)
    assert (report.agrees, report.reports) == (True, 10), str(report.difference)


def test_a_task_that_was_deleted_can_be_made_again_at_once(tmp_path: Path) -> None:
    collector = open_by_hand(tmp_path, FakeClock())
    (strings,) = create(collector, TASKS[2])
    collector.delete_task(strings.id)
    (again,) = create(collector, TASKS[2])
    assert again.number == 2
    collector.close()
