"""A backup of a running collector is consistent; a restored folder goes on; nothing that is not whole is restored."""

import os
import sqlite3
import threading
from contextlib import closing
from pathlib import Path

import pytest

from hgldp.collector.admins import Admins, add_admin
from hgldp.collector.collector import Collector
from hgldp.collector.log import backup
from hgldp.collector.log.backup import MARK, back_up, last_backup
from hgldp.collector.log.replay import replay
from hgldp.collector.log.restore import restore
from hgldp.collector.log.schema import FILE
from hgldp.collector.tokens import kept
from hgldp.errors import DamagedLog, HgldpError, StorageFailed
from tests.collector.fakes import TASKS, FakeClock, create, now, open_by_hand, upload


@pytest.fixture
def collector(tmp_path: Path) -> Collector:
    found = open_by_hand(tmp_path / "data", FakeClock())
    for view in create(found, *TASKS):
        for _ in range(5):
            found.offer(now(found, view), upload(now(found, view), 6))
            found.step()
    return found


def test_what_is_restored_elsewhere_is_what_was_there(tmp_path: Path, collector: Collector) -> None:
    (tmp_path / "data" / "admin-token.sha256").write_text("ab" * 32)
    (tmp_path / "data" / "admin-token.txt").write_text("secret")
    token = add_admin(tmp_path / "data", "anna")
    made = back_up(tmp_path / "data", tmp_path / "copy.tar")
    assert (made.tasks, made.reports) == (3, 90)
    shown = [(view.reports, view.bulletin, collector.top(view.id)) for view in collector.tasks()]
    collector.close()
    assert restore(tmp_path / "copy.tar", tmp_path / "elsewhere" / "data").reports == 90
    assert (tmp_path / "elsewhere" / "data" / "admin-token.sha256").read_text() == "ab" * 32
    assert (tmp_path / "copy.tar").stat().st_mode & 0o077 == 0
    assert not (tmp_path / "elsewhere" / "data" / "admin-token.txt").exists()
    assert Admins(tmp_path / "elsewhere" / "data").name_of(kept(token)) == "anna"
    again = open_by_hand(tmp_path / "elsewhere" / "data", FakeClock())
    assert [(view.reports, view.bulletin, again.top(view.id)) for view in again.tasks()] == shown
    again.close()
    assert replay(tmp_path / "elsewhere" / "data").agrees


def test_the_folder_tells_when_it_was_last_backed_up_and_the_backup_does_not(
    tmp_path: Path, collector: Collector
) -> None:
    collector.close()
    data = tmp_path / "data"
    assert last_backup(data) is None
    made = back_up(data, tmp_path / "copy.tar").made
    assert last_backup(data) == pytest.approx(made, abs=0.001)
    os.utime(data / MARK, (1, 1))
    made = back_up(data, tmp_path / "copy.tar").made
    assert last_backup(data) == pytest.approx(made, abs=0.001)
    restore(tmp_path / "copy.tar", tmp_path / "elsewhere")
    assert last_backup(tmp_path / "elsewhere") is None


@pytest.mark.parametrize("planted", ["folder", "link", "pipe"])
def test_a_mark_that_cannot_be_left_spoils_no_backup(tmp_path: Path, collector: Collector, planted: str) -> None:
    collector.close()
    mark = tmp_path / "data" / MARK
    if planted == "folder":
        mark.mkdir()
    elif planted == "link":
        mark.symlink_to(tmp_path / "somewhere")
    else:
        os.mkfifo(mark)
    assert back_up(tmp_path / "data", tmp_path / "copy.tar").tasks == 3
    assert not (tmp_path / "somewhere").exists()


def test_a_mark_that_cannot_be_written_is_replaced(tmp_path: Path, collector: Collector) -> None:
    """Before, one such mark stayed for ever: the nightly backups could not change it."""
    collector.close()
    data = tmp_path / "data"
    back_up(data, tmp_path / "first.tar")
    (data / MARK).chmod(0)
    made = back_up(data, tmp_path / "second.tar").made
    assert last_backup(data) == pytest.approx(made, abs=0.001)


def test_backups_of_a_collector_that_never_rests(tmp_path: Path, collector: Collector) -> None:
    stop = threading.Event()

    def work() -> None:
        while not stop.is_set():
            for view in collector.tasks():
                collector.offer(view, upload(view, 6))
            collector.step()

    worker = threading.Thread(target=work)
    worker.start()
    try:
        for number in range(5):
            back_up(tmp_path / "data", tmp_path / f"{number}.tar")
    finally:
        stop.set()
        worker.join()
        collector.close()
    for number in range(5):
        made = restore(tmp_path / f"{number}.tar", tmp_path / str(number))
        report = replay(tmp_path / str(number))
        assert report.agrees, str(report.difference)
        assert report.reports == made.reports


def test_what_admins_do_meanwhile_spoils_no_backup(
    tmp_path: Path, collector: Collector, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "data" / "admin-log.jsonl").write_text("{}\n")
    honest = backup._pack

    def pack(draft: Path, *rest: object) -> None:
        (tmp_path / "data" / "admin-log.jsonl").write_text("{}\n{}\n")
        honest(draft, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(backup, "_pack", pack)
    back_up(tmp_path / "data", tmp_path / "copy.tar")
    collector.close()
    assert restore(tmp_path / "copy.tar", tmp_path / "new").reports == 90


def test_no_folder_is_overwritten_and_nothing_half_is_restored(tmp_path: Path, collector: Collector) -> None:
    back_up(tmp_path / "data", tmp_path / "copy.tar")
    collector.close()
    with pytest.raises(DamagedLog, match="new or empty"):
        restore(tmp_path / "copy.tar", tmp_path / "data")
    whole = (tmp_path / "copy.tar").read_bytes()
    for at in (600, len(whole) // 3, len(whole) // 2):
        (tmp_path / "bad.tar").write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
        with pytest.raises(HgldpError):
            restore(tmp_path / "bad.tar", tmp_path / "new")
        assert not (tmp_path / "new").exists()
    for wrong in (b"", b"no archive" * 100, whole[: len(whole) // 2]):
        (tmp_path / "bad.tar").write_bytes(wrong)
        with pytest.raises(DamagedLog):
            restore(tmp_path / "bad.tar", tmp_path / "new")
        assert not (tmp_path / "new").exists()
    assert not [each for each in tmp_path.iterdir() if each.name.startswith(".hgldp")]


def test_a_backup_that_cannot_be_written_says_so(tmp_path: Path, collector: Collector) -> None:
    with pytest.raises(StorageFailed):
        back_up(tmp_path / "data", tmp_path / "no such folder" / "copy.tar")
    collector.close()
    with pytest.raises(DamagedLog, match="must hold the data"):
        back_up(tmp_path / "empty", tmp_path / "copy.tar")


def test_a_running_collector_can_tidy_its_log_while_the_copy_is_packed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing holds the folder at one moment any more: hashing a large copy takes minutes."""
    folder, busy = tmp_path / "data", []
    collector = open_by_hand(folder, FakeClock())
    create(collector, *TASKS)
    honest = backup._pack

    def pack(*arguments: object) -> None:
        with closing(sqlite3.connect(folder / FILE, timeout=0)) as database:
            busy.append(database.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0])
        honest(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(backup, "_pack", pack)
    back_up(folder, tmp_path / "copy.tar")
    collector.close()
    assert busy == [0]
