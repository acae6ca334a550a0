"""Epochs that end by the clock must not push out what the busy hours knew."""

import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from hgldp.collector.collector import Collector
from hgldp.collector.log.task_state import TaskState
from hgldp.collector.views import TaskTerms
from hgldp.model.budget import Budget
from hgldp.model.bulletins import FrontierBulletin
from hgldp.model.domain import RangeDomain
from hgldp.model.randomness import SeededWords
from hgldp.model.task import Task
from hgldp.schemes.pfr import PFR
from hgldp.tracker.frontier import FrontierFamily
from hgldp.wire.upload import Upload
from tests.collector.fakes import FakeClock, open_by_hand

TASK = Task("pfr", Budget(3.0), RangeDomain(500), k=3, epoch_seconds=60, memory=4096, cells=64)
ANSWERED_ONCE = replace(TASK, one_answer=True)
SCHEME = PFR(500, 64, 3.0)


def report(collector: Collector, task: Task, items: list[int], words: SeededWords) -> None:
    view = collector.view(task.id)
    assert view is not None
    bulletin = view.bulletin
    assert isinstance(bulletin, FrontierBulletin)
    symbols = [SCHEME.randomize(item, bulletin, words) for item in items]
    collector.offer(view, Upload.of(os.urandom(16), bytes.fromhex(bulletin.version), symbols, 10_000).encode())
    while collector.step():
        pass


def top_after_a_night(folder: Path, task: Task = TASK) -> list[int | str]:
    clock, words = FakeClock(), SeededWords(5)
    collector = open_by_hand(folder, clock)
    collector.create_task(task, TaskTerms("shop"))
    day = np.random.default_rng(1).choice([1, 2, 3, *range(100, 140)], 20_000, p=[0.3, 0.2, 0.1] + [0.01] * 40)
    for hour in range(10):
        report(collector, task, day[2000 * hour : 2000 * hour + 2000].tolist(), words)
        clock.advance(61)
        collector.step()
    for _ in range(30):
        report(collector, task, [400], words)
        clock.advance(61)
        collector.step()
    view = collector.view(task.id)
    assert view is not None
    assert view.reports == 20_030
    return [line.item for line in view.top]


@pytest.mark.parametrize("task", [TASK, ANSWERED_ONCE])
def test_a_night_of_single_reports_leaves_the_top_of_the_day(tmp_path: Path, task: Task) -> None:
    assert top_after_a_night(tmp_path, task) == [1, 2, 3]


def epochs_of_an_hour(folder: Path) -> int:
    """Forty people who have an event every minute and answer each bulletin once: how many bulletins they see."""
    clock, words, answered = FakeClock(), SeededWords(5), set[str]()
    collector = open_by_hand(folder, clock)
    collector.create_task(ANSWERED_ONCE, TaskTerms("shop"))
    for _ in range(60):
        view = collector.view(ANSWERED_ONCE.id)
        assert view is not None
        if view.bulletin.version not in answered:
            answered.add(view.bulletin.version)
            report(collector, ANSWERED_ONCE, [1, 2] * 20, words)
        clock.advance(61)
        collector.step()
    return len(answered)


def test_where_everybody_answers_once_an_epoch_ends_however_few_they_are(tmp_path: Path) -> None:
    """The first takes a few minutes longer: nobody knows yet how many reports an epoch has."""
    assert 50 <= epochs_of_an_hour(tmp_path) < 60


def test_the_planted_bug_waits_for_half_of_an_epoch_that_never_comes(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(FrontierFamily, "least_reports", lambda family, length, looks: length // 2)
    assert epochs_of_an_hour(tmp_path) == 1


def test_the_planted_bug_seals_every_epoch_that_holds_a_report(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(TaskState, "is_worth_sealing", lambda state, arriving, looks: state.in_epoch + arriving > 0)
    assert top_after_a_night(tmp_path) != [1, 2, 3]
