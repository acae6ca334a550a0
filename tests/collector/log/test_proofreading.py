"""A running collector reads its log through, and says which entries are not as they were written."""

import sqlite3
import time
from contextlib import closing
from pathlib import Path

import pytest

from hgldp.collector.collector import Collector
from hgldp.collector.log.proofreading import AT_ONCE, Proofreading
from hgldp.collector.log.schema import FILE
from tests.collector.fakes import HOT, SEARCH, FakeClock, create, now, open_by_hand, upload
from tests.patience import until

ENTRIES = 3 * AT_ONCE + 1


@pytest.fixture
def collector(tmp_path: Path) -> Collector:
    """Two tasks, whose entries alternate. Each test closes it, or the store behind it."""
    found = open_by_hand(tmp_path, FakeClock())
    views = create(found, HOT, SEARCH)
    for number in range(2 * ENTRIES):
        view = now(found, views[number % 2])
        found.offer(view, upload(view, 1, seed=number))
        found.step()
    return found


def change(folder: Path, sql: str) -> None:
    with closing(sqlite3.connect(folder / FILE)) as database, database:
        assert database.execute(sql).rowcount


def test_a_log_as_it_was_written(collector: Collector) -> None:
    reading = Proofreading(collector.storage)
    reading.read()
    assert reading.damaged == 0
    assert reading.finished == pytest.approx(time.time(), abs=60)
    collector.close()


@pytest.mark.parametrize(
    ("sql", "damaged"),
    [
        ("UPDATE log SET symbols = x'0707' WHERE position IN (5, 60)", 2),
        ("UPDATE log SET symbols = CAST(symbols AS TEXT) WHERE position = 5", 1),
        ("UPDATE log SET reports = -1 WHERE position = 5", 1),
        ("UPDATE log SET time = time + 1 WHERE position = 97", 1),
        ("UPDATE log SET ids = zeroblob(length(ids)) WHERE position = 2", 1),
        ("DELETE FROM log WHERE position = 40", 1),
        ("UPDATE pruned SET chain = zeroblob(32)", 1),
    ],
)
def test_damaged_entries_are_counted(tmp_path: Path, collector: Collector, sql: str, damaged: int) -> None:
    if "pruned" in sql:
        collector.compact(all_reports=False)
        view = collector.tasks()[0]
        assert collector.storage.prune(view.number, 20, before=float("inf"))
    change(tmp_path, sql)
    reading = Proofreading(collector.storage)
    reading.read()
    assert reading.damaged == damaged
    collector.storage.close()


def test_what_is_deleted_meanwhile_is_no_damage(collector: Collector, monkeypatch: pytest.MonkeyPatch) -> None:
    """Between finding out where the log begins and reading it."""
    view, storage = collector.tasks()[0], collector.storage
    entries = type(storage).entries

    def pruned_first(self: object, task: int, first: int) -> object:
        storage.prune(task, first + 6, before=float("inf"))
        return entries(self, task, first)  # type: ignore[arg-type]

    monkeypatch.setattr(type(storage), "entries", pruned_first)
    reading = Proofreading(storage)
    reading.read()
    assert reading.damaged == 0
    assert storage.pruned(view.number) is not None
    collector.storage.close()


def test_a_running_collector_reads_it_after_its_start(tmp_path: Path, collector: Collector) -> None:
    collector.compact(all_reports=False)
    collector.close()
    change(tmp_path, "UPDATE log SET symbols = x'0707' WHERE position = 3")
    running = Collector.open(tmp_path)
    until(lambda: running.proofreading.finished)
    assert running.proofreading.damaged == 1
    assert running.ready
    running.close()


def test_pages_that_cannot_be_read_are_damage(tmp_path: Path, collector: Collector) -> None:
    collector.compact(all_reports=False)
    collector.close()
    running = Collector.open(tmp_path, threaded=False)
    with open(tmp_path / FILE, "r+b") as file:
        file.seek(4096 * 4)
        file.write(b"\xff" * 4096 * 40)
    running.proofreading._stopping.wait = lambda _: running.proofreading._stopping.set() or True  # type: ignore[method-assign, func-returns-value, return-value]
    running.proofreading._run()
    assert running.proofreading.damaged >= 1
    running.storage.close()
