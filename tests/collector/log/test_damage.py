"""A start reads little, checks what it reads, says what is lost, and changes nothing in a damaged folder."""

import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from shutil import copytree

import pytest

from hgldp.collector.collector import Collector
from hgldp.collector.log import end_mark
from hgldp.collector.log.backup import back_up
from hgldp.collector.log.entry import Entry
from hgldp.collector.log.schema import FILE
from hgldp.collector.log.task_state import TaskState
from hgldp.collector.problems import Refused
from hgldp.errors import DamagedLog, HgldpError
from tests.collector.fakes import HOT, FakeClock, create, open_by_hand, upload

UPLOADS = 40
PROGRAM = """
import os
from pathlib import Path
from hgldp.collector.collector import Collector
from tests.collector.fakes import HOT, SEARCH, create, now, upload
collector = Collector.open(Path(os.environ["FOLDER"]), threaded=False)
views = create(collector, HOT, SEARCH)
collector.storage._writer.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
collector.storage._writer.execute("PRAGMA wal_autocheckpoint = 0")
for number in range(40):
    view = now(collector, views[number % 2])
    collector.offer(view, upload(view, 3, seed=number))
    collector.step()
os._exit(9)
"""


@pytest.fixture(scope="module")
def left_behind(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a collector that was killed after 120 acknowledged reports; all of them are in its WAL."""
    folder = tmp_path_factory.mktemp("killed") / "data"
    environment = os.environ | {"FOLDER": str(folder)}
    assert subprocess.run([sys.executable, "-c", PROGRAM], env=environment, check=False).returncode == 9
    assert (folder / f"{FILE}-wal").stat().st_size > 100_000
    return folder


@pytest.fixture
def killed(left_behind: Path, tmp_path: Path) -> Path:
    """A copy of that folder, to be damaged."""
    return Path(copytree(left_behind, tmp_path / "data"))


def contents(folder: Path) -> dict[str, bytes]:
    """Every file with something in it but the shared memory, which SQLite makes anew when it likes, and the lock."""
    files = [each for each in folder.iterdir() if not each.name.endswith(("-shm", ".lock"))]
    return {each.name: each.read_bytes() for each in files if each.stat().st_size}


def delete_the_wal(folder: Path) -> None:
    (folder / f"{FILE}-wal").unlink()


def flip_a_bit_of_the_wal(folder: Path) -> None:
    wal = bytearray((folder / f"{FILE}-wal").read_bytes())
    wal[len(wal) * 3 // 4] ^= 1
    (folder / f"{FILE}-wal").write_bytes(wal)


def cut_the_wal(folder: Path) -> None:
    os.truncate(folder / f"{FILE}-wal", (folder / f"{FILE}-wal").stat().st_size // 2)


def delete_the_database(folder: Path) -> None:
    for each in folder.glob(f"{FILE}*"):
        each.unlink()


def lose_all_but_an_empty_file(folder: Path) -> None:
    """As it is before the first pages leave the write-ahead log."""
    delete_the_database(folder)
    (folder / FILE).touch()


def put_an_old_copy_back(folder: Path) -> None:
    with closing(sqlite3.connect(folder / FILE)) as database:
        database.execute("DELETE FROM log WHERE position > 20")
        database.execute("UPDATE service SET value = '20 20 60' WHERE name = 'end'")
        database.commit()


DAMAGES = [
    delete_the_wal, flip_a_bit_of_the_wal, cut_the_wal, put_an_old_copy_back, delete_the_database,
    lose_all_but_an_empty_file,
]  # fmt: skip


@pytest.mark.parametrize("damage", DAMAGES)
def test_acknowledged_reports_do_not_vanish_unnoticed(killed: Path, damage: Callable[[Path], None]) -> None:
    damage(killed)
    before = contents(killed)
    for _ in range(2):
        with pytest.raises(DamagedLog, match=r"reports that\s+were acknowledged are missing") as told:
            Collector.open(killed, threaded=False)
    assert "Nothing was changed" in str(told.value)
    assert contents(killed) == before
    with pytest.raises(HgldpError):
        back_up(killed, killed.parent / "copy.tar")
    assert not (killed.parent / "copy.tar").exists()


def reports_after_a_start(folder: Path) -> int:
    collector = Collector.open(folder, threaded=False)
    found = sum(view.reports for view in collector.tasks())
    collector.close()
    return found


def test_without_damage_it_starts(killed: Path) -> None:
    assert reports_after_a_start(killed) == 3 * UPLOADS


def test_a_mark_that_lags_or_is_torn_is_no_damage(killed: Path) -> None:
    (killed / end_mark.FILE).write_bytes((killed / end_mark.FILE).read_bytes()[:-7])
    assert reports_after_a_start(killed) == 3 * UPLOADS
    (killed / end_mark.FILE).unlink()
    assert reports_after_a_start(killed) == 3 * UPLOADS


@pytest.mark.parametrize(
    "flip",
    [
        "UPDATE log SET symbols = zeroblob(length(symbols)) WHERE position = (SELECT MAX(position) FROM log)",
        "UPDATE log SET ids = zeroblob(length(ids)) WHERE position = (SELECT MAX(position) FROM log)",
        "UPDATE snapshots SET state = zeroblob(length(state))",
        "UPDATE snapshots SET opened = zeroblob(length(opened))",
        "UPDATE bulletins SET data = zeroblob(length(data)) WHERE epoch = (SELECT MAX(epoch) FROM bulletins)",
        "UPDATE ids SET data = zeroblob(length(data)) WHERE number > 0",
        "UPDATE ids SET epoch = epoch + 1 WHERE number > 0",
    ],
)
def test_a_flipped_bit_in_what_a_start_reads_is_found(killed: Path, flip: str) -> None:
    with closing(sqlite3.connect(killed / FILE)) as database:
        assert database.execute(flip).rowcount > 0
        database.commit()
    before = contents(killed)
    with pytest.raises(Exception, match=r"must|changed|bytes"):
        Collector.open(killed, threaded=False)
    assert contents(killed) == before


def test_a_start_after_a_clean_end_reads_no_entry(killed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[Entry] = []
    honest = TaskState.apply

    def apply(self: TaskState, entry: Entry, consumed: int = 0) -> bool:
        read.append(entry)
        return honest(self, entry, consumed)

    monkeypatch.setattr(TaskState, "apply", apply)
    Collector.open(killed, threaded=False).close()
    assert 0 < len(read) < UPLOADS
    read.clear()
    Collector.open(killed, threaded=False).close()
    assert read == []


@pytest.mark.parametrize("gone", [FILE, f"{FILE}-wal", ""])
def test_nothing_is_acknowledged_into_files_that_were_moved_away(tmp_path: Path, gone: str) -> None:
    """The database, its write-ahead log, or the whole folder; when it is back, all goes on."""
    folder = tmp_path / "data"
    collector = open_by_hand(folder, FakeClock())
    (view,) = create(collector, HOT)
    collector.offer(view, upload(view, 1))
    collector.step()
    (folder / gone).rename(tmp_path / "elsewhere")
    if not gone:
        folder.mkdir()
    pending = collector.offer(view, upload(view, 1))
    collector.step()
    assert isinstance(pending.outcome, Refused)
    assert not collector.ready
    collector.step()
    assert not collector.ready
    if not gone:
        folder.rmdir()
    (tmp_path / "elsewhere").rename(folder / gone)
    collector.step()
    assert collector.ready
    again = collector.offer(view, upload(view, 1))
    collector.step()
    assert not isinstance(again.outcome, Refused)
    collector.close()
    reopened = open_by_hand(folder, FakeClock())
    assert reopened.tasks()[0].reports == 2
    reopened.close()
