"""The store: whole transactions or nothing, on a full disk, under another process's lock, after a reopening."""

import math
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from hgldp.collector.collector import Collector
from hgldp.collector.log.reading import log_end
from hgldp.collector.log.schema import FILE
from hgldp.collector.log.sqlite import NOTED_EVERY, SQLiteStorage
from hgldp.collector.log.storage import (
    IdPiece,
    Transaction,
)
from hgldp.collector.settings import Limits
from hgldp.errors import DamagedLog, FolderInUse, StorageFailed
from tests.collector.log.sample_rows import ENTRY, TASK

PIECE = IdPiece(1, 4, 0, b"f" * 16)


@pytest.fixture
def storage(tmp_path: Path) -> Iterator[SQLiteStorage]:
    found = SQLiteStorage(tmp_path, 50)
    yield found
    found.close()


def test_upload_ids_come_back_after_a_reopening(tmp_path: Path, storage: SQLiteStorage) -> None:
    storage.write(Transaction([TASK], id_pieces={(1, 4): PIECE, (1, 5): replace(PIECE, number=5)}))
    storage.write(Transaction(id_pieces={(1, 5): None}))
    storage.close()
    again = SQLiteStorage(tmp_path)
    assert list(again.id_pieces(1)) == [PIECE]
    again.close()


def test_space_that_nothing_needs_is_given_back(tmp_path: Path, storage: SQLiteStorage) -> None:
    large = [replace(ENTRY, position=number, symbols=bytes(1 << 20)) for number in range(1, 65)]
    storage.write(Transaction([TASK], large))
    storage._writer.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    before = (tmp_path / FILE).stat().st_size
    while storage.prune(1, 64, before=99.0):
        pass
    steps = 0
    while storage.tidy():
        steps += 1
    assert 8 < steps < 32
    storage._writer.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    assert before > 64 << 20 > 3 * (tmp_path / FILE).stat().st_size


def test_what_deleted_tasks_left_is_found_without_reading_the_log(storage: SQLiteStorage) -> None:
    tasks = [
        replace(TASK, number=number, id=bytes([number] * 32), write_digest=bytes([number] * 32)) for number in (1, 2, 3)
    ]
    storage.write(Transaction(tasks, [replace(ENTRY, position=at, task=1 + at % 3) for at in range(1, 10_001)]))
    storage.write(Transaction(deleted=[2]))
    thousands: list[int] = []
    storage._writer.set_progress_handler(lambda: thousands.append(1), 1_000)
    assert storage.tidy()
    assert len(thousands) < 5
    storage._writer.set_progress_handler(None, 0)
    while storage.tidy():
        pass
    assert {entry.task for entry in storage.entries()} == {1, 3}
    assert storage._writer.execute("SELECT count(*) FROM log").fetchone() == (10_000 - 3_334,)


def test_few_bytes_of_a_deleted_task_go_at_a_time(storage: SQLiteStorage) -> None:
    large = [replace(ENTRY, position=number, symbols=bytes(2 << 20)) for number in range(1, 25)]
    storage.write(Transaction([TASK], large))
    storage.write(Transaction(deleted=[1]))
    before = 24
    while storage.tidy() and before:
        left = storage._writer.execute("SELECT count(*) FROM log").fetchone()[0]
        assert before - left <= 4
        before = left
    assert not before
    assert [storage.tidy() for _ in range(40)][-1] is False, "without any task there is an end too"


def test_each_commit_is_synced(storage: SQLiteStorage) -> None:
    assert storage._writer.execute("PRAGMA synchronous").fetchone() == (2,)
    assert storage._writer.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_a_full_disk_is_a_failure_and_not_a_loss(storage: SQLiteStorage) -> None:
    storage.write(Transaction([TASK]))
    pages = storage._writer.execute("PRAGMA page_count").fetchone()[0]
    storage._writer.execute(f"PRAGMA max_page_count = {pages + 4}")
    large = replace(ENTRY, symbols=bytes(1 << 20))
    with pytest.raises(StorageFailed, match="full"):
        storage.write(Transaction(entries=[large]))
    assert not list(storage.entries())
    storage._writer.execute("PRAGMA max_page_count = 100000")
    storage.write(Transaction(entries=[large]))
    assert list(storage.entries()) == [large]


def test_a_database_locked_by_another_process_is_waited_for_and_then_a_failure(
    tmp_path: Path, storage: SQLiteStorage
) -> None:
    program = f"""
import sqlite3, sys
other = sqlite3.connect({str(tmp_path / FILE)!r}, isolation_level=None)
other.execute("BEGIN IMMEDIATE")
print("locked", flush=True)
sys.stdin.read()
"""
    with subprocess.Popen([sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"locked\n"
        with pytest.raises(StorageFailed, match="locked"):
            storage.write(Transaction([TASK]))
        assert storage.tasks() == []
        other.communicate(b"")
    storage.write(Transaction([TASK]))
    assert storage.tasks() == [TASK]


def test_a_second_server_on_one_folder_refuses_to_start(tmp_path: Path) -> None:
    first = Collector.open(tmp_path)
    with pytest.raises(FolderInUse, match="in use by another process"):
        Collector.open(tmp_path)
    program = f"""
from pathlib import Path
from hgldp.collector.collector import Collector
Collector.open(Path({str(tmp_path)!r}))
"""
    other = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert "FolderInUse" in other.stderr
    first.close()
    Collector.open(tmp_path).close()


def test_a_database_of_another_format_is_refused_and_the_folder_is_let_go(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / FILE) as database:
        database.execute("PRAGMA user_version = 99")
    database.close()
    for _ in range(2):
        with pytest.raises(DamagedLog, match="of a later version"):
            Collector.open(tmp_path)


def test_a_file_that_is_no_database_is_a_failure(tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(b"no database" * 1000)
    with pytest.raises(StorageFailed, match="not a database"):
        Collector.open(tmp_path, limits=Limits())


def test_the_end_of_the_log_is_noted_now_and_then_and_found_at_any_time(tmp_path: Path, storage: SQLiteStorage) -> None:
    """Whatever was noted last, and whatever was deleted since: position, batch and all reports are right."""
    storage.write(Transaction([TASK, replace(TASK, number=2, id=b"2" * 16, write_digest=b"x" * 32)]))
    expected, noted = 0, set[str]()
    for position in range(1, 3 * NOTED_EVERY + 10):
        entry = replace(ENTRY, position=position, batch=position, task=1 + position % 2, reports=position)
        storage.write(Transaction(entries=[entry]))
        expected += position
        if position == NOTED_EVERY + 20:
            assert storage.prune(1, position, math.inf) > NOTED_EVERY // 2
        if position == 2 * NOTED_EVERY + 20:
            storage.write(Transaction(deleted=[2]))
            while storage.tidy():
                pass
        with closing(sqlite3.connect(tmp_path / FILE)) as reader:
            assert log_end(reader) == (position, position, expected)
            noted |= {reader.execute("SELECT value FROM service WHERE name = 'end'").fetchone()[0]}
    assert 3 <= len(noted) <= 8
