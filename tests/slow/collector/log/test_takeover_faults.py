"""Crashes before and during a takeover, changes that somebody made to a folder, and planted bugs: all are seen."""

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from hgldp.collector.collector import Collector
from hgldp.collector.log.replay import replay
from hgldp.collector.log.schema import FILE
from hgldp.collector.log.takeover import past_task, take_over
from hgldp.errors import StorageFailed
from tests.collector.fakes import TASKS, FakeClock, FaultyStorage, Killed, create, now, open_by_hand
from tests.collector.log.eras import (
    EVERY,
    agreed,
    of_another_era,
    other_rules,
    published,
    send,
    written_elsewhere,
)
from tests.collector.log.test_retention import live


def test_a_process_that_ended_without_a_word_is_taken_over_too(tmp_path: Path) -> None:
    """The last entries stand behind no state, and an operator's seal among them was not written down."""
    clock, folder = FakeClock(), tmp_path / "killed"
    with other_rules():
        collector = open_by_hand(tmp_path / "data", clock)
        views = create(collector, *EVERY)
        live(collector, views[:3], clock, 2)
        send(collector, views, 3)
        send(collector, views, 4)
        collector.seal(views[3].id)
        shutil.copytree(tmp_path / "data", folder)
        collector.close()
    of_another_era(folder)
    collector = open_by_hand(folder, clock)
    assert [now(collector, view).reports for view in views] == [27, 27, 27, 7, 7]
    assert now(collector, views[3]).epoch == 1
    live(collector, views, clock, 2)
    collector.close()
    assert agreed(folder).reports == 100


@pytest.mark.parametrize("fault", ["full", "killed before", "killed after"])
def test_a_takeover_that_is_cut_off_is_done_again(tmp_path: Path, fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = FakeClock()
    views = written_elsewhere(tmp_path, clock)
    before = published(tmp_path)
    monkeypatch.setattr(take_over, "AT_ONCE", 2)
    for number in (1, 2, 3):
        with pytest.raises(StorageFailed if fault == "full" else Killed):
            Collector.open(tmp_path, clock=clock, storage=_failing(fault, number), threaded=False)
        assert published(tmp_path) == before
    collector = open_by_hand(tmp_path, clock)
    live(collector, views[1:], clock, 2)
    collector.close()
    assert agreed(tmp_path).reports == 80


def _failing(fault: str, at: int) -> Callable[[Path, int], FaultyStorage]:
    """A store whose so-many-th commit fails."""

    class Failing(FaultyStorage):
        left = at

        def _commit_or_fail(self) -> None:
            self.left -= 1
            self.fault = "" if self.left else fault
            super()._commit_or_fail()

    return Failing


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ("UPDATE takeovers SET epoch = epoch + 1 WHERE task = 2", "takeover of task 2 must be as it was written"),
        ("UPDATE takeovers SET state = zeroblob(9) WHERE task = 2", "takeover of task 2 must be as it was written"),
        ("DELETE FROM takeovers WHERE task = 2", "bulletin"),
        ("UPDATE results SET reports = 1 WHERE task = 2 AND epoch = 5", "must be what its milestone says"),
        ("UPDATE results SET reports = 1 WHERE task = 2 AND epoch = 7", "result of epoch 7"),
        ("UPDATE bulletins SET published = 1 WHERE task = 2 AND epoch = 8", "the bulletin that was published"),
    ],
)
def test_a_change_at_the_takeover_or_after_it_is_seen(tmp_path: Path, change: str, told: str) -> None:
    clock = FakeClock()
    views = written_elsewhere(tmp_path, clock)
    collector = open_by_hand(tmp_path, clock)
    assert now(collector, views[1]).epoch == 6
    live(collector, views[1:2], clock, 3)
    collector.close()
    agreed(tmp_path)
    with closing(sqlite3.connect(tmp_path / FILE)) as database:
        assert database.execute(change).rowcount == 1
        database.commit()
    report = replay(tmp_path)
    assert not report.agrees
    assert told in str(report.difference)


def test_an_era_that_nobody_raised_is_a_difference(tmp_path: Path) -> None:
    """The planted bug: other rules in the same era."""
    clock = FakeClock()
    written_elsewhere(tmp_path, clock)
    of_another_era(tmp_path, take_over.ERA)
    report = replay(tmp_path)
    assert not report.agrees


def test_ending_the_open_epoch_by_the_rules_of_this_version_would_be_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The planted bug: whoever counts what is there by other rules publishes what nobody had seen."""
    clock = FakeClock()
    with other_rules():
        collector = open_by_hand(tmp_path / "data", clock)
        views = create(collector, *TASKS)
        live(collector, views, clock, 2)
        send(collector, views[1:2], 25)
        shutil.copytree(tmp_path / "data", tmp_path / "killed")
        collector.close()
    of_another_era(tmp_path / "killed")
    before = published(tmp_path / "killed")
    monkeypatch.setattr(past_task.PastTask, "_insert", past_task.TaskState._insert)
    open_by_hand(tmp_path / "killed", clock).close()
    assert published(tmp_path / "killed") != before
