"""Folders as versions of another era leave them: what they published does not follow by the rules of this one."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from hgldp.collector.collector import Collector
from hgldp.collector.log import shown_top
from hgldp.collector.log.replay import ReplayReport, replay
from hgldp.collector.log.schema import FILE
from hgldp.collector.log.task_copy import ranked_items
from hgldp.collector.views import TaskView
from hgldp.model.budget import Budget
from hgldp.model.domain import RangeDomain
from hgldp.model.task import Task
from hgldp.stores.frontier import Frontier
from hgldp.stores.strings import OpenFrontier
from tests.collector.fakes import TASKS, FakeClock, create, now, open_by_hand, upload
from tests.collector.log.test_retention import live

QUIET = Task("pfr", Budget(3.0), RangeDomain(50), k=2, cells=16, memory=4096, epoch=500)
UNUSED = Task("pfr", Budget(2.0), RangeDomain(50), k=2, cells=16, memory=4096, epoch=500)
EVERY = (*TASKS, QUIET, UNUSED)
ranked = ranked_items


@contextmanager
def other_rules(room: float = 3.0) -> Iterator[None]:
    """Estimates that are half a report higher, other hash keys, and for pfr `room` times as long epochs."""
    listed, strings = Frontier.epoch_length.fget, OpenFrontier.epoch_length.fget  # type: ignore[attr-defined]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(shown_top, "ranked_items", _higher)
        patch.setattr(Frontier, "_next_key", lambda store: 77 + 1_000_003 * store.sealed)
        patch.setattr(Frontier, "epoch_length", property(lambda store: int(room * listed(store))))
        patch.setattr(OpenFrontier, "epoch_length", property(lambda store: int(room * strings(store))))
        yield


def _higher(answer: object, before: object) -> object:
    return tuple(replace(line, estimate=line.estimate + 0.5) for line in ranked(answer, before))  # type: ignore[arg-type]


def of_another_era(folder: Path, era: int | None = 1) -> None:
    """As if another version had written it; None is one that knew no eras."""
    with closing(sqlite3.connect(folder / FILE)) as database:
        if era is None:
            database.execute("DELETE FROM service WHERE name = 'era'")
            database.execute("DROP TABLE takeovers")
        else:
            database.execute("UPDATE service SET value = ? WHERE name = 'era'", (era,))
        database.commit()


def send(collector: Collector, views: list[TaskView], reports: int) -> None:
    for view in views:
        collector.offer(now(collector, view), upload(now(collector, view), reports))
    collector.step()


def written_elsewhere(
    folder: Path, clock: FakeClock, hours: int = 6, every: int = 1, **terms: object
) -> list[TaskView]:
    """Epochs have ended, and the open one is fuller than this version allows. A task is closed, one was never used."""
    with other_rules():
        collector = open_by_hand(folder, clock)
        views = create(collector, *EVERY, **terms)
        live(collector, views[:3], clock, hours, every)
        for reports in (11, 10):
            send(collector, views[:4], reports)
        collector.close_task(views[0].id)
        collector.close()
    of_another_era(folder)
    return views


def agreed(folder: Path) -> ReplayReport:
    report = replay(folder)
    assert report.agrees, str(report.difference)
    assert not report.unwritten
    return report


def published(folder: Path) -> list[object]:
    with closing(sqlite3.connect(folder / FILE)) as database:
        return [
            database.execute(f"SELECT * FROM {table} ORDER BY task, epoch").fetchall()  # noqa: S608
            for table in ("bulletins", "results", "kept")
        ]
