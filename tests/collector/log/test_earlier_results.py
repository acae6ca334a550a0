"""Results that were stored before lines had ranks and a judgement stay as they were."""

import json
import sqlite3
from contextlib import closing
from dataclasses import fields
from pathlib import Path

import pytest

from hgldp.collector.log.replay import replay
from hgldp.collector.log.rows import items_as_text
from hgldp.collector.log.schema import FILE
from hgldp.collector.log.task_copy import ranked_items
from hgldp.collector.views import RankedItem
from hgldp.model.estimate import Estimate
from tests.collector.fakes import TASKS, FakeClock, create, now, open_by_hand
from tests.collector.log.eras import of_another_era
from tests.collector.log.test_retention import live

LATER = ("rank_low", "rank_high", "may_be_noise")
OLD_VALUES = 9


def forget(folder: Path, before: int = 1_000_000) -> int:
    """The results of all tasks up to an epoch as an earlier version stored them; how many lines there were."""
    lines = 0
    of_another_era(folder)
    with closing(sqlite3.connect(folder / FILE)) as database:
        for task, epoch, text in database.execute("SELECT task, epoch, lines FROM results").fetchall():
            top = json.loads(text)
            assert all(len(line) == OLD_VALUES + len(LATER) for line in top)
            if epoch < before:
                lines += len(top)
                old = json.dumps([line[:OLD_VALUES] for line in top], ensure_ascii=False)
                database.execute("UPDATE results SET lines = ? WHERE task = ? AND epoch = ?", (old, task, epoch))
        database.commit()
    return lines


def test_a_line_is_judged_once_and_written_down() -> None:
    """A collector says what the store says, whatever the numbers look like."""
    known = Estimate(0, 410.0, 100.0, 410.0, 90.0, 5000, bounds=(300.0, 700.0), ranks=(1, 4))
    others_known = [Estimate(1, 390.0, 100.0, since=5000), Estimate(2, 410.0, 1.0, may_be_noise=True)]
    sure, *others = ranked_items(zip("abc", [known, *others_known], strict=True), ())
    assert (sure.rank_low, sure.rank_high, sure.may_be_noise) == (1, 4, False)
    assert (sure.low, sure.high) == (300.0, 700.0)
    assert (sure.since_low, sure.since_high) == known.tracked_interval
    assert [each.may_be_noise for each in others] == [False, True]
    assert [each.rank_low for each in others] == [None] * 2
    assert (others[1].since_low, others[1].since_high) == (None, None)


def test_what_is_read_is_written_as_it_was() -> None:
    assert tuple(each.name for each in fields(RankedItem))[OLD_VALUES:] == (*LATER, "warmup")
    old = [["tea", 9.5, 1.0, 7.5, 11.5, 5.0, 1.0, 100, None], [7, 1.0, 1.0, 0.0, 2.0, 5.0, 1.0, 100, -2]]
    new = [[*old[0], 1, 3, False], [*old[1], None, None, True]]
    for lines in (old, new):
        items = [RankedItem(*line) for line in lines]
        assert json.loads(items_as_text(items)) == lines
    assert [RankedItem(*line).may_be_noise for line in old] == [None, None]


@pytest.mark.parametrize("before", [1_000_000, 3])
def test_a_folder_of_before_opens_and_goes_on(tmp_path: Path, before: int) -> None:
    clock = FakeClock()
    collector = open_by_hand(tmp_path, clock)
    views = create(collector, *TASKS)
    live(collector, views, clock, 6)
    collector.close()
    assert forget(tmp_path, before) > 3
    collector = open_by_hand(tmp_path, clock)
    first, *_, last = collector.history(views[1].id, 0, 5)
    assert {line.may_be_noise for line in first.top} == {line.rank_low for line in first.top} == {None}
    assert all(isinstance(line.since_low, float) for line in first.top if line.since)
    assert ({line.may_be_noise for line in last.top} == {None}) is (before > 3)
    live(collector, views, clock, 3)
    assert None not in {line.may_be_noise for line in now(collector, views[1]).top}
    collector.close()
    report = replay(tmp_path)
    assert report.agrees, str(report.difference)


@pytest.mark.parametrize("value", LATER)
def test_a_changed_judgement_or_rank_is_a_difference(tmp_path: Path, value: str) -> None:
    clock = FakeClock()
    collector = open_by_hand(tmp_path, clock)
    live(collector, create(collector, *TASKS), clock, 6)
    collector.close()
    with closing(sqlite3.connect(tmp_path / FILE)) as database:
        ((text,),) = database.execute("SELECT lines FROM results WHERE task = 2 AND epoch = 3").fetchall()
        top, place = json.loads(text), OLD_VALUES + LATER.index(value)
        top[0][place] = not top[0][place] if value == "may_be_noise" else 99
        database.execute("UPDATE results SET lines = ? WHERE task = 2 AND epoch = 3", (json.dumps(top),))
        database.commit()
    report = replay(tmp_path)
    assert not report.agrees
    assert "result of epoch 3" in str(report.difference)
