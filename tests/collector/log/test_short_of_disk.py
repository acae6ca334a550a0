"""With little of the disk free, reports go before their time, and everything published still follows."""

import logging
from pathlib import Path

import pytest

from hgldp.collector.collector import Collector
from hgldp.collector.log.replay import replay
from hgldp.collector.log.sqlite import SQLiteStorage
from hgldp.collector.settings import Limits
from hgldp.collector.views import TaskView
from hgldp.errors import InvalidField
from tests.collector.fakes import HOT, TASKS, FakeClock, create, log_of, now, open_by_hand, upload

PLENTY = 1 << 40


class Disk:
    """`free` bytes, and more with each entry that goes."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.free, self.given_back, self.looks = PLENTY, 0, 0
        honest = SQLiteStorage.prune

        def prune(storage: SQLiteStorage, task: int, upto: int, before: float) -> int:
            gone = honest(storage, task, upto, before)
            self.free += gone * self.given_back
            return gone

        patch.setattr(SQLiteStorage, "prune", prune)
        patch.setattr(SQLiteStorage, "free_bytes", self.look)

    def look(self, _: object = None) -> int:
        self.looks += 1
        return self.free


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> Disk:
    return Disk(monkeypatch)


def fill(collector: Collector, views: list[TaskView], clock: FakeClock, rounds: int = 20) -> None:
    for _ in range(rounds):
        for view in views:
            here = now(collector, view)
            collector.offer(here, upload(here, 5))
        collector.step()
        clock.advance(0.1)


def pass_seconds(collector: Collector, clock: FakeClock, seconds: int) -> None:
    for _ in range(seconds):
        clock.advance(1.0)
        collector.step()


def entries(collector: Collector, view: TaskView) -> int:
    return len(log_of(collector, view))


def test_all_reports_that_may_go_do_and_everything_follows(
    tmp_path: Path, disk: Disk, caplog: pytest.LogCaptureFixture
) -> None:
    clock = FakeClock()
    collector = open_by_hand(tmp_path, clock)
    views = [
        create(collector, task, reports_kept_hours=hours)[0] for task, hours in zip(TASKS, (168, 0, 168), strict=True)
    ]
    fill(collector, views, clock)
    before = [entries(collector, view) for view in views]
    pass_seconds(collector, clock, 5)
    assert [entries(collector, view) for view in views] == before
    disk.free = (1 << 30) - 1
    with caplog.at_level(logging.WARNING, "hgldp.collector"):
        pass_seconds(collector, clock, 300)
    assert [entries(collector, view) for view in views] == [0, before[1], 0]
    assert len([each for each in caplog.records if "go before their time" in each.message]) == 1
    shown = [(now(collector, view).reports, collector.history(view.id)) for view in views]
    collector.close()
    report = replay(tmp_path)
    assert report.agrees, str(report.difference)
    assert report.reports == sum(reports for reports, _ in shown) == 3 * 20 * 5
    again = open_by_hand(tmp_path, clock)
    assert [(now(again, view).reports, again.history(view.id)) for view in views] == shown
    fill(again, views, clock)
    again.close()
    assert replay(tmp_path).agrees


def test_the_oldest_go_first_and_only_until_there_is_room(
    tmp_path: Path, disk: Disk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hgldp.collector.log.sqlite.PRUNED_AT_ONCE", 1)
    clock = FakeClock()
    collector = open_by_hand(tmp_path, clock)
    old, young = (create(collector, task, reports_kept_hours=168)[0] for task in TASKS[:2])
    fill(collector, [old], clock)
    clock.advance(3_600)
    fill(collector, [young], clock)
    before = entries(collector, old), entries(collector, young)
    disk.free, disk.given_back = (1 << 30) - 350, 100
    pass_seconds(collector, clock, 300)
    assert (entries(collector, old), entries(collector, young)) == (before[0] - 4, before[1])
    collector.close()
    assert replay(tmp_path).agrees


def test_with_0_nobody_looks_and_nothing_goes(tmp_path: Path, disk: Disk) -> None:
    clock = FakeClock()
    collector = open_by_hand(tmp_path, clock, Limits(free_bytes=0))
    views = create(collector, HOT)
    fill(collector, views, clock)
    before, disk.free = entries(collector, views[0]), 0
    pass_seconds(collector, clock, 200)
    assert (entries(collector, views[0]), disk.looks) == (before, 0)
    collector.close()


def test_a_full_disk_with_nothing_to_delete_is_no_busy_loop(tmp_path: Path, disk: Disk) -> None:
    clock = FakeClock()
    collector = open_by_hand(tmp_path, clock)
    views = create(collector, HOT, reports_kept_hours=0)
    fill(collector, views, clock)
    disk.free = 0
    pass_seconds(collector, clock, 5)
    housekeeping = collector._writer._writer._housekeeping
    assert housekeeping.wait() > 1.0
    collector.close()


def test_only_free_bytes_may_be_0() -> None:
    assert Limits(free_bytes=0).free_bytes == 0
    with pytest.raises(InvalidField):
        Limits(free_bytes=-1)
    with pytest.raises(InvalidField):
        Limits(tasks=0)
