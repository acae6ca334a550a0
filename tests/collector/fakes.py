"""A clock that tests move, a store that fails when told to, small tasks whose epochs end soon, and uploads for them."""

import os
import random
import sqlite3
import threading
from collections.abc import Sequence
from pathlib import Path

from hgldp.collector.collector import Collector
from hgldp.collector.log.sqlite import SQLiteStorage
from hgldp.collector.log.storage import TaskRow
from hgldp.collector.log.task_state import TaskState
from hgldp.collector.settings import Limits
from hgldp.collector.views import TaskTerms, TaskView
from hgldp.model.budget import Budget
from hgldp.model.bulletins import AnyBulletin
from hgldp.model.domain import RangeDomain, StringDomain
from hgldp.model.task import Task
from hgldp.schemes.registry import scheme_of
from hgldp.wire.upload import Upload

HOT = Task("dsr", Budget(2.0), RangeDomain(30), k=2, cells=4, epoch=7, growth=0.0)
SEARCH = Task("pfr", Budget(3.0), RangeDomain(50), k=2, cells=16, memory=4096, epoch=9, epoch_seconds=60)
STRINGS = Task("pfr", Budget(4.0), StringDomain(8), k=1, cells=64, epoch=8)
TASKS = (HOT, SEARCH, STRINGS)


class FakeClock:
    def __init__(self) -> None:
        self.wall, self.steady = 1_800_000_000.0, 1000.0

    def now(self) -> float:
        return self.wall

    def monotonic(self) -> float:
        return self.steady

    def advance(self, seconds: float) -> None:
        self.wall += seconds
        self.steady += seconds


class Killed(BaseException):
    """The process ended here."""


class FaultyStorage(SQLiteStorage):
    """`fault` happens at the next commit: 'full', 'killed before' or 'killed after' it. Whoever holds `busy` keeps

    commits waiting. Syncing is left out: the simulated process dies, the machine does not."""

    def __init__(self, folder: Path, busy_milliseconds: int = 100) -> None:
        super().__init__(folder, busy_milliseconds)
        self._writer.execute("PRAGMA synchronous = OFF")
        self.fault = ""
        self.busy = threading.Lock()
        self.commit = self._faulty_commit

    def _faulty_commit(self) -> None:
        with self.busy:
            self._commit_or_fail()

    def _commit_or_fail(self) -> None:
        fault, self.fault = self.fault, ""
        if fault == "full":
            raise sqlite3.OperationalError("database or disk is full")
        if fault == "killed before":
            raise Killed
        self._writer.commit()
        if fault == "killed after":
            raise Killed


def open_by_hand(folder: Path, clock: FakeClock, limits: Limits | None = None) -> Collector:
    """No thread: tests step the writer."""
    return Collector.open(folder, clock=clock, limits=limits, storage=FaultyStorage, threaded=False)


def create(collector: Collector, *tasks: Task, **terms: object) -> list[TaskView]:
    made = [collector.create_task(task, TaskTerms(f"{task.scheme}", **terms)) for task in tasks]  # type: ignore[arg-type]
    return [view for each in made if (view := collector.view(each.id))]


def now(collector: Collector, view: TaskView) -> TaskView:
    found = collector.view(view.id)
    assert found is not None
    return found


def upload(view: TaskView, reports: int = 1, bulletin: AnyBulletin | None = None, seed: int | None = None) -> bytes:
    """Random symbols under a random id."""
    draw = random.Random(os.urandom(8) if seed is None else seed)
    chosen = view.bulletin if bulletin is None else bulletin
    limit = scheme_of(view.task).symbol_limit(chosen)
    symbols: Sequence[int] = [draw.randrange(limit) for _ in range(reports)]
    return Upload.of(draw.randbytes(16), bytes.fromhex(chosen.version), symbols, limit).encode()


def log_of(collector: Collector, view: TaskView) -> list[tuple[bytes, int]]:
    """Every upload in the log, with its reports."""
    return [
        pair
        for entry in collector.storage.entries(view.number)
        for pair in zip(entry.upload_ids, entry.upload_counts, strict=True)
    ]


def start(task: Task, seed: int = 1) -> TaskState:
    """A task with no store behind it."""
    row = TaskRow(1, task.id, task.canonical, seed, TaskTerms("alone"), 0.0, bytes(32), bytes(32))
    return TaskState.start(row, task)
