"""A version of another era takes over: what was published stays, the rest follows, and every report counts once."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from hgldp.collector.log.backup import back_up
from hgldp.collector.log.replay import replay
from hgldp.collector.log.restore import restore
from hgldp.collector.log.schema import FILE
from hgldp.errors import DamagedLog
from hgldp.stores.frontier import Frontier
from hgldp.tracker import Tracker
from tests.collector.fakes import TASKS, FakeClock, create, now, open_by_hand
from tests.collector.log.eras import (
    EVERY,
    QUIET,
    agreed,
    of_another_era,
    published,
    send,
    written_elsewhere,
)
from tests.collector.log.test_retention import counts, live, tidy


def test_what_was_published_stays_and_the_rest_follows(tmp_path: Path) -> None:
    clock = FakeClock()
    views = written_elsewhere(tmp_path, clock)
    before = published(tmp_path)
    with pytest.raises(DamagedLog, match="another version of hgldp"):
        replay(tmp_path)
    collector = open_by_hand(tmp_path, clock)
    counted = [now(collector, view).reports for view in views]
    assert counted == [81, 81, 81, 21, 0]
    assert published(tmp_path) == before
    assert all(now(collector, view).in_epoch >= now(collector, view).epoch_length for view in views[1:3])
    report = agreed(tmp_path)
    assert (report.taken_over, report.reports, report.epochs) == (sum(counted), 0, 0)
    live(collector, views[1:], clock, 4)
    assert [now(collector, view).reports for view in views[1:]] == [count + 40 for count in counted[1:]]
    first, *_, last = collector.history(views[1].id)
    assert first.top
    assert last.top
    collector.close()
    report = agreed(tmp_path)
    assert (report.taken_over, report.reports) == (sum(counted), 160)
    assert report.epochs >= 4 * 4
    assert all(
        old == new[: len(old)] for old, new in zip(before[2:], published(tmp_path)[2:], strict=True) if old == []
    )
    for old, new in zip(before, published(tmp_path), strict=True):
        assert set(old) <= set(new)  # type: ignore[call-overload]


def test_reports_since_the_takeover_may_go_and_the_history_before_it_stays(tmp_path: Path) -> None:
    clock = FakeClock()
    views = written_elsewhere(tmp_path, clock, reports_kept_hours=1)
    collector = open_by_hand(tmp_path, clock)
    send(collector, views[1:], 1)
    send(collector, views[1:], 3)
    old = collector.history(views[1].id)
    live(collector, views[1:], clock, 3)
    clock.advance(400 * 86_400)
    tidy(collector, clock)
    assert not list(collector.storage.entries())
    assert collector.history(views[1].id)[: len(old)] == old
    assert len(old) > 5
    assert now(collector, views[1]).first_epoch == 0
    collector.close()
    report = agreed(tmp_path)
    assert report.folded >= 3
    assert report.taken_over + report.reports == 81 * 3 + 21 + 4 * 34
    collector = open_by_hand(tmp_path, clock)
    collector.compact(all_reports=True)
    collector.close()
    assert agreed(tmp_path).folded == report.folded


def test_reports_of_the_open_epoch_may_go_in_part(tmp_path: Path) -> None:
    clock = FakeClock()
    written_elsewhere(tmp_path, clock)
    collector = open_by_hand(tmp_path, clock)
    collector.compact(all_reports=True)
    collector.close()
    assert agreed(tmp_path).taken_over == 81 * 3 + 21
    collector = open_by_hand(tmp_path, clock)
    (quiet,) = [view for view in collector.tasks() if view.task == QUIET]
    send(collector, [quiet], 5)
    collector.compact(all_reports=True)
    send(collector, [quiet], 5)
    collector.close()
    report = agreed(tmp_path)
    assert report.taken_over + report.reports == 81 * 3 + 21 + 10


@pytest.mark.parametrize("era", [None, 1, 99])
def test_a_folder_of_any_other_era_is_taken_over(tmp_path: Path, era: int | None) -> None:
    clock = FakeClock()
    written_elsewhere(tmp_path, clock)
    of_another_era(tmp_path, era)
    with pytest.raises(DamagedLog, match="another version of hgldp"):
        replay(tmp_path)
    open_by_hand(tmp_path, clock).close()
    assert agreed(tmp_path).tasks == len(EVERY)


def test_a_folder_of_this_era_is_left_alone(tmp_path: Path) -> None:
    clock = FakeClock()
    collector = open_by_hand(tmp_path, clock)
    live(collector, create(collector, *TASKS), clock, 3)
    collector.close()
    open_by_hand(tmp_path, clock).close()
    report = agreed(tmp_path)
    assert (report.taken_over, report.reports) == (0, 90)


def test_a_takeover_may_come_again_and_again(tmp_path: Path) -> None:
    clock = FakeClock()
    views = written_elsewhere(tmp_path, clock)
    for number in range(1, 4):
        collector = open_by_hand(tmp_path, clock)
        live(collector, views[1:], clock, 2)
        collector.close()
        assert agreed(tmp_path).reports == 80
        of_another_era(tmp_path, 100 + number)
    open_by_hand(tmp_path, clock).close()
    report = agreed(tmp_path)
    assert (report.reports, report.taken_over) == (0, 81 * 3 + 21 + 240)


def test_a_task_with_a_limit_forgets_what_is_before_the_takeover_in_its_time(tmp_path: Path) -> None:
    clock = FakeClock()
    views = written_elsewhere(tmp_path, clock, hours=40, every=3, reports_kept_hours=1, results_kept_days=1)
    collector = open_by_hand(tmp_path, clock)
    assert counts(tmp_path, views[1].number)["milestones"] > 2
    epoch = now(collector, views[1]).epoch
    live(collector, views[1:], clock, 10, every=2)
    tidy(collector, clock)
    assert 0 < now(collector, views[1]).first_epoch < epoch
    assert agreed(tmp_path).earlier == 0
    live(collector, views[1:], clock, 60, every=4)
    tidy(collector, clock)
    assert now(collector, views[1]).first_epoch > epoch
    collector.close()
    report = agreed(tmp_path)
    assert report.earlier > 0
    with closing(sqlite3.connect(tmp_path / FILE)) as database:
        assert database.execute("SELECT task FROM takeovers").fetchall() == [(views[0].number,)]


def test_a_scheme_that_cannot_write_its_epoch_down_is_taken_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Tracker, "open_epoch", lambda _: None)
    clock = FakeClock()
    views = written_elsewhere(tmp_path, clock)
    collector = open_by_hand(tmp_path, clock)
    live(collector, views[1:], clock, 2)
    collector.close()
    report = agreed(tmp_path)
    assert report.taken_over + report.reports == 81 * 3 + 21 + 80


def test_a_backup_and_its_restored_folder_agree(tmp_path: Path) -> None:
    clock, data, again = FakeClock(), tmp_path / "data", tmp_path / "again"
    views = written_elsewhere(data, clock)
    collector = open_by_hand(data, clock)
    live(collector, views[1:], clock, 2)
    back_up(data, tmp_path / "copy.tar")
    collector.close()
    restore(tmp_path / "copy.tar", again)
    assert agreed(again).reports == 80
    collector = open_by_hand(again, clock)
    live(collector, views[1:], clock, 2)
    collector.close()
    assert agreed(again).reports == 160


def test_the_next_key_follows_from_a_secret_that_nobody_has_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = FakeClock()
    written_elsewhere(tmp_path, clock)
    for planted in (False, True):
        shutil.copytree(tmp_path, tmp_path.parent / f"{tmp_path.name}-{planted}")
    secrets = []
    for planted in (False, True):
        folder = tmp_path.parent / f"{tmp_path.name}-{planted}"
        if planted:
            monkeypatch.setattr("hgldp.tracker.frontier.FrontierFamily.renew", lambda *_: None)
        collector = open_by_hand(folder, clock)
        for view in collector.tasks()[1::2]:
            state = collector.storage.snapshot(view.number)
            assert state is not None
            family = Tracker.restore(view.task, state.state, view.bulletins[:-1]).family
            assert isinstance(family.store, Frontier)
            row = collector.storage.tasks()[view.number - 1]
            secrets.append(family.store.secret == row.seed)
        collector.close()
    assert secrets == [False] * 2 + [True] * 2
