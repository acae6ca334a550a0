"""Replay agrees with what was published, and says where it does not."""

import sqlite3
from pathlib import Path

import pytest

from hgldp.collector.log import rows
from hgldp.collector.log.entry import Entry
from hgldp.collector.log.replay import replay
from hgldp.collector.log.schema import FILE
from hgldp.collector.log.task_state import TaskState
from hgldp.errors import DamagedLog
from tests.collector.fakes import TASKS, FakeClock, create, now, open_by_hand, upload


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A folder's database after some life."""
    folder = tmp_path_factory.mktemp("life")
    collector = open_by_hand(folder, FakeClock())
    views = create(collector, *TASKS)
    for number in range(12):
        for view in views:
            here = now(collector, view)
            collector.offer(here, upload(here, 5, here.bulletins[0], seed=100 + number))
            collector.offer(here, upload(here, 5, seed=number))
        collector.step()
    collector.close_task(views[0].id)
    collector.close()
    return (folder / FILE).read_bytes()


def test_everything_follows(tmp_path: Path, data: bytes) -> None:
    (tmp_path / FILE).write_bytes(data)
    report = replay(tmp_path)
    assert report.agrees
    assert (report.tasks, report.reports, report.unwritten) == (3, 12 * 3 * 10, 0)
    assert report.bulletins == report.epochs + 3 > 12


@pytest.mark.parametrize(
    ("tampering", "position", "what"),
    [
        ("UPDATE log SET symbols = zeroblob(length(symbols)) WHERE position = 20", 20, "chain"),
        ("UPDATE log SET time = time + 1 WHERE position = 7", 7, "chain"),
        ("DELETE FROM log WHERE position = 9", None, "chain"),
        ("UPDATE log SET ids = randomblob(length(ids)) WHERE position = 30", 30, "chain"),
        ("UPDATE log SET task = 9 WHERE position = 3", None, "chain"),
        ("DELETE FROM log WHERE position > 40", None, "does not follow"),
        (
            "UPDATE kept SET opened = zeroblob(length(opened)) WHERE task = 2 AND epoch = 1",
            None,
            "kept as it was written",
        ),
        ("UPDATE kept SET digest = zeroblob(32) WHERE task = 2 AND epoch = 1", None, "tally of epoch 1"),
        ("DELETE FROM kept WHERE task = 1 AND epoch = 1", None, "after one that is missing"),
        (
            "DELETE FROM kept WHERE task = 1 AND epoch = (SELECT MAX(epoch) FROM kept WHERE task = 1)",
            None,
            "is missing",
        ),
        ("UPDATE bulletins SET data = zeroblob(length(data)) WHERE task = 2 AND epoch = 3", None, "bulletin"),
        ("UPDATE results SET lines = replace(lines, '[', '[ ') WHERE task = 1", None, ""),
        ("UPDATE results SET lines = replace(lines, '1', '2') WHERE task = 2 AND epoch = 4", None, "result of epoch 4"),
        ("DELETE FROM results WHERE task = 1 AND epoch = 2", None, "after one that is missing"),
        ("UPDATE snapshots SET state = zeroblob(length(state)) WHERE task = 1", None, "state"),
        ("UPDATE tasks SET seed = x'0000000000000001' WHERE number = 2", 0, "bulletin"),
        ("UPDATE tasks SET document = replace(document, 'dsr', 'bgr') WHERE number = 1", 0, ""),
    ],
)
def test_tampering_is_found_where_it_happened(
    tmp_path: Path, data: bytes, tampering: str, position: int | None, what: str
) -> None:
    (tmp_path / FILE).write_bytes(data)
    with sqlite3.connect(tmp_path / FILE) as database:
        assert database.execute(tampering).rowcount > 0
    database.close()
    report = replay(tmp_path)
    if "'[ '" in tampering:
        assert report.agrees
        return
    assert report.difference is not None
    assert what in str(report.difference)
    assert position is None or report.difference.position == position


def test_rows_are_read_when_their_turn_comes(tmp_path: Path, data: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """Memory does not grow with the history: no row is read before the epoch that it belongs to."""
    (tmp_path / FILE).write_bytes(data)
    read: list[str] = []
    ahead: list[int] = []
    for name in ("read_kept", "read_result"):
        honest = getattr(rows, name)
        monkeypatch.setattr(rows, name, lambda row, name=name, honest=honest: (read.append(name), honest(row))[1])
    count = TaskState.apply

    def apply(self: TaskState, entry: Entry, consumed: int = 0) -> bool:
        ended = count(self, entry, consumed)
        if entry.task == 1:
            ahead.append(len(read) - 2 * self.bulletin.epoch)
        return ended

    monkeypatch.setattr(TaskState, "apply", apply)
    assert replay(tmp_path).agrees
    assert len(read) > 30
    assert max(ahead) <= 2


def test_a_folder_without_data_is_not_made_into_one(tmp_path: Path) -> None:
    with pytest.raises(DamagedLog, match="must hold the data of a collector"):
        replay(tmp_path)
    assert not list(tmp_path.iterdir())
