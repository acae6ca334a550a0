"""Epochs that end by the clock must not push out what the busy hours knew."""

import os
from pathlib import Path

import numpy as np

from hgldp.collector.collector import Collector
from hgldp.collector.log.task_state import TaskState
from hgldp.collector.views import TaskTerms
from hgldp.model.budget import Budget
from hgldp.model.bulletins import FrontierBulletin
from hgldp.model.domain import RangeDomain
from hgldp.model.randomness import SeededWords
from hgldp.model.task import Task
from hgldp.schemes.pfr import PFR
from hgldp.wire.upload import Upload
from tests.collector.fakes import FakeClock, open_by_hand

TASK = Task("pfr", Budget(3.0), RangeDomain(500), k=3, epoch_seconds=60, memory=4096, cells=64)
SCHEME = PFR(500, 64, 3.0)


def report(collector: Collector, items: list[int], words: SeededWords) -> None:
    view = collector.view(TASK.id)
    assert view is not None
    bulletin = view.bulletin
    assert isinstance(bulletin, FrontierBulletin)
    symbols = [SCHEME.randomize(item, bulletin, words) for item in items]
    collector.offer(view, Upload.of(os.urandom(16), bytes.fromhex(bulletin.version), symbols, 10_000).encode())
    while collector.step():
        pass


def top_after_a_night(folder: Path) -> list[int | str]:
    clock, words = FakeClock(), SeededWords(5)
    collector = open_by_hand(folder, clock)
    collector.create_task(TASK, TaskTerms("shop"))
    day = np.random.default_rng(1).choice([1, 2, 3, *range(100, 140)], 20_000, p=[0.3, 0.2, 0.1] + [0.01] * 40)
    for hour in range(10):
        report(collector, day[2000 * hour : 2000 * hour + 2000].tolist(), words)
        clock.advance(61)
        collector.step()
    for _ in range(30):
        report(collector, [400], words)
        clock.advance(61)
        collector.step()
    view = collector.view(TASK.id)
    assert view is not None
    assert view.reports == 20_030
    return [line.item for line in view.top]


def test_a_night_of_single_reports_leaves_the_top_of_the_day(tmp_path: Path) -> None:
    assert top_after_a_night(tmp_path) == [1, 2, 3]


def test_the_planted_bug_seals_every_epoch_that_holds_a_report(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(TaskState, "is_worth_sealing", lambda state, arriving: state.in_epoch + arriving > 0)
    assert top_after_a_night(tmp_path) != [1, 2, 3]
