"""A task whose keys stay for a day: its epochs end by the clock alone, however many reports come or who asks."""

import os
from pathlib import Path

import pytest

from hgldp.collector.collector import Collector
from hgldp.collector.log.entry import SEAL
from hgldp.collector.problems import Problem, Refused
from hgldp.collector.views import TaskTerms, TaskView
from hgldp.collector.writer import Command
from hgldp.collector.writer.command import seconds_to_stay
from hgldp.model.period import DAY_SECONDS
from hgldp.model.reports import Report
from hgldp.model.task import Task
from hgldp.schemes.registry import scheme_of
from hgldp.tracker import Tracker
from hgldp.wire.upload import Upload
from tests.collector.fakes import FakeClock, open_by_hand

TASK = Task("pfr", epsilon=3.0, domain=range(50), k=2, cells=16, memory=4096, epoch=9, keys="day")


def viewed(collector: Collector) -> TaskView:
    found = collector.view(TASK.id)
    assert found is not None
    return found


def report(collector: Collector, symbols: list[int]) -> None:
    view = viewed(collector)
    version = bytes.fromhex(view.bulletin.version)
    limit = scheme_of(TASK).symbol_limit(view.bulletin)
    collector.offer(view, Upload.of(os.urandom(16), version, symbols, limit).encode())
    while collector.step():
        pass


def begun(folder: Path, clock: FakeClock) -> Collector:
    collector = open_by_hand(folder, clock)
    collector.create_task(TASK, TaskTerms("shop"))
    return collector


def test_a_full_epoch_waits_for_its_day_and_ends_then(tmp_path: Path) -> None:
    clock = FakeClock()
    collector = begun(tmp_path, clock)
    for _ in range(4):
        report(collector, [1] * 20)
    assert (viewed(collector).epoch, viewed(collector).reports) == (0, 80)
    clock.advance(DAY_SECONDS - 1)
    collector.step()
    assert viewed(collector).epoch == 0
    clock.advance(1)
    collector.step()
    assert (viewed(collector).epoch, viewed(collector).reports) == (1, 80)
    report(collector, [2] * 500)
    assert viewed(collector).epoch == 1


def test_the_time_that_is_left_survives_a_restart(tmp_path: Path) -> None:
    clock = FakeClock()
    collector = begun(tmp_path, clock)
    report(collector, [1] * 20)
    clock.advance(DAY_SECONDS - 100)
    collector.close()
    collector = open_by_hand(tmp_path, clock)
    collector.step()
    assert viewed(collector).epoch == 0
    clock.advance(100)
    collector.step()
    assert viewed(collector).epoch == 1


def test_nobody_can_end_the_epoch_before_its_time(tmp_path: Path) -> None:
    clock = FakeClock()
    collector = begun(tmp_path, clock)
    report(collector, [1] * 20)
    clock.advance(600)
    with pytest.raises(Refused) as refused:
        collector.seal(TASK.id)
    assert (refused.value.problem, refused.value.retry_after) == (Problem.KEYS_STAY, DAY_SECONDS - 600)
    assert viewed(collector).epoch == 0


def test_two_who_seal_at_once_end_one_epoch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both may ask: the view that they saw was old enough. The planted writer, which does not look again, ends two."""
    for to_stay, epochs in ((seconds_to_stay, 1), (lambda *_: 0.0, 2)):
        clock, folder = FakeClock(), tmp_path / str(epochs)
        collector = begun(folder, clock)
        report(collector, [1] * 20)
        clock.advance(DAY_SECONDS)
        monkeypatch.setattr("hgldp.collector.writer.command.seconds_to_stay", to_stay)
        number = viewed(collector).number
        for _ in range(2):
            collector._writer.do(Command(task=number, kind=SEAL))
            report(collector, [1] * 20)
        assert viewed(collector).epoch == epochs


def test_an_epoch_with_too_few_reports_is_looked_at_again_within_the_hour(tmp_path: Path) -> None:
    clock = FakeClock()
    collector = begun(tmp_path, clock)
    report(collector, [1])
    clock.advance(DAY_SECONDS)
    collector.step()
    assert viewed(collector).epoch == 0
    report(collector, [1] * 20)
    clock.advance(3600)
    collector.step()
    assert viewed(collector).epoch == 1


def test_a_tracker_of_ones_own_seals_when_it_is_told_to() -> None:
    tracker = Tracker(TASK, seed=1)
    tracker.insert_many(tracker.bulletin.version, [1] * 1000)
    assert (tracker.bulletin.epoch, tracker.reports, tracker.epoch_length) == (0, 1000, 9)
    assert tracker.seal().epoch == 1
    for symbol in [1] * 9:
        tracker.insert(Report(tracker.bulletin.version, symbol))
    assert (tracker.bulletin.epoch, tracker.reports) == (1, 1009)
