"""A folder from a backup: into a folder that is there already, and never half of it as if it were whole."""

import os
import shutil
import signal
import subprocess
import sys
import tarfile
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import mkdtemp
from unittest.mock import patch

import pytest

from hgldp.cli.commands.doctor.finding import PROBLEM
from hgldp.cli.commands.doctor.log import check_log
from hgldp.collector.admins import add_admin, admin_files
from hgldp.collector.collector import Collector
from hgldp.collector.log import restore as restoring
from hgldp.collector.log.backup import back_up
from hgldp.collector.log.replay import replay
from hgldp.collector.log.restore import restore
from hgldp.errors import DamagedLog, FolderInUse, StorageFailed
from tests.collector.fakes import HOT, FakeClock, create, now, open_by_hand, upload

STRANGER = 65_534
KILLED_AT = """
import os, signal, sys
from pathlib import Path
from hgldp.collector.log import restore
honest, left = restore.{step}, [{calls}]
def step(*rest, **more):
    left[0] -= 1
    if left[0] < 0:
        os.kill(os.getpid(), signal.SIGKILL)
    return honest(*rest, **more)
restore.{step} = step
restore.restore(Path(sys.argv[1]), Path(sys.argv[2]))
"""


@pytest.fixture
def backup(tmp_path: Path) -> Path:
    """One task with 90 reports and two admins."""
    collector = open_by_hand(tmp_path / "data", FakeClock())
    (view,) = create(collector, HOT)
    for _ in range(15):
        collector.offer(now(collector, view), upload(now(collector, view), 6))
        collector.step()
    (tmp_path / "data" / "admin-token.sha256").write_text("ab" * 32)
    add_admin(tmp_path / "data", "anna")
    back_up(tmp_path / "data", tmp_path / "copy.tar")
    collector.close()
    return tmp_path / "copy.tar"


@pytest.fixture
def outside() -> Iterator[Path]:
    """A folder that other users can enter; pytest's own are closed to them."""
    folder = Path(mkdtemp(prefix="hgldp-restore-"))
    folder.chmod(0o755)
    yield folder
    folder.chmod(0o755)
    shutil.rmtree(folder)


def as_a_stranger(work: Callable[[], object]) -> None:
    """Root becomes nobody meanwhile."""
    if os.geteuid():
        work()
        return
    os.seteuid(STRANGER)
    try:
        work()
    finally:
        os.seteuid(0)


def reports_in(folder: Path) -> int:
    collector = open_by_hand(folder, FakeClock())
    found = sum(view.reports for view in collector.tasks())
    collector.close()
    return found


def test_it_restores_where_the_folder_above_cannot_be_written(backup: Path, outside: Path) -> None:
    """Before: a traceback, because the work was done beside the folder."""
    shutil.copyfile(backup, outside / "copy.tar")
    (outside / "data").mkdir(mode=0o700)
    if os.geteuid() == 0:
        shutil.chown(outside / "data", STRANGER)
    outside.chmod(0o555)
    as_a_stranger(lambda: restore(outside / "copy.tar", outside / "data"))
    assert sorted(each.name for each in outside.iterdir()) == ["copy.tar", "data"]
    assert replay(outside / "data").reports == 90


def test_a_new_volume_has_a_folder_of_its_file_system(backup: Path, tmp_path: Path) -> None:
    (tmp_path / "volume" / "lost+found").mkdir(parents=True)
    assert restore(backup, tmp_path / "volume").reports == 90
    assert reports_in(tmp_path / "volume") == 90


def test_a_folder_that_cannot_be_written_is_one_sentence(backup: Path, outside: Path) -> None:
    shutil.copyfile(backup, outside / "copy.tar")
    outside.chmod(0o555)

    def attempt() -> None:
        with pytest.raises(StorageFailed, match=r"data cannot be restored: Permission denied"):
            restore(outside / "copy.tar", outside / "data")

    as_a_stranger(attempt)
    assert [each.name for each in outside.iterdir()] == ["copy.tar"]


def test_a_backup_that_cannot_be_read_is_one_sentence(backup: Path, tmp_path: Path) -> None:
    with pytest.raises(StorageFailed, match=r"none\.tar cannot be read: No such file"):
        restore(tmp_path / "none.tar", tmp_path / "new")
    assert not (tmp_path / "new").exists()


def test_a_folder_with_anything_in_it_is_left_alone(backup: Path, tmp_path: Path) -> None:
    for name in ("notes.txt", "collector.sqlite3"):
        folder = tmp_path / f"with {name}"
        folder.mkdir()
        (folder / name).write_text("mine")
        with pytest.raises(DamagedLog, match=f"must be new or empty, but it holds {name}: .* Nothing was changed"):
            restore(backup, folder)
        assert [(each.name, each.read_text()) for each in folder.iterdir()] == [(name, "mine")]


def test_a_collector_that_runs_there_is_not_disturbed(backup: Path, tmp_path: Path) -> None:
    collector = open_by_hand(tmp_path / "new", FakeClock())
    with pytest.raises((FolderInUse, DamagedLog)):
        restore(backup, tmp_path / "new")
    collector.close()
    assert reports_in(tmp_path / "new") == 0


@pytest.mark.parametrize(
    ("step", "calls"),
    [("_copy_checked", 0), ("_copy_checked", 2), ("sync", 1), ("_move", 0), ("_move", 1), ("_move", 2)],
)
def test_what_was_cut_off_does_not_start_and_a_second_restore_finishes_it(
    backup: Path, tmp_path: Path, step: str, calls: int
) -> None:
    """Killed at every kind of step: while files are unpacked, while they are synced, and while they are moved."""
    code = KILLED_AT.format(step=step, calls=calls)
    killed = subprocess.run([sys.executable, "-c", code, str(backup), str(tmp_path / "new")], check=False)
    assert killed.returncode == -signal.SIGKILL
    with pytest.raises(DamagedLog, match="run hgldp restore again"):
        Collector.open(tmp_path / "new", threaded=False)
    assert [each.verdict for each in check_log(tmp_path / "new")] == [PROBLEM]
    if (tmp_path / "new" / "admins").exists():
        add_admin(tmp_path / "new", "eve")
    assert restore(backup, tmp_path / "new").reports == 90
    assert list(admin_files(tmp_path / "new")) == ["admin", "anna"]
    assert reports_in(tmp_path / "new") == 90
    assert replay(tmp_path / "new").agrees


def test_everything_is_on_the_disk_before_the_database_appears_and_after(backup: Path, tmp_path: Path) -> None:
    told: list[str] = []
    honest_sync, honest_move = restoring.sync, restoring._move

    def sync(path: Path) -> None:
        told.append(f"sync {path.relative_to(tmp_path)}")
        honest_sync(path)

    def move(source: Path, target: Path) -> None:
        told.append(f"move {target.relative_to(tmp_path)}")
        honest_move(source, target)

    with patch.object(restoring, "sync", sync), patch.object(restoring, "_move", move):
        restore(backup, tmp_path / "up" / "new")
    database = told.index("move up/new/collector.sqlite3")
    before, after = told[:database], told[database:]
    files = {each.relative_to(tmp_path / "up" / "new") for each in (tmp_path / "up" / "new").rglob("*")}
    synced = {Path(each.removeprefix("sync up/new/restoring/")) for each in before if "restoring/" in each}
    assert synced == files - {Path("collector.lock")}
    assert before[-1] == "sync up/new"
    assert "sync up/new" in after
    assert {"sync up", "sync ."} <= set(told)


def test_a_link_in_an_archive_is_not_followed(backup: Path, tmp_path: Path) -> None:
    with tarfile.open(backup) as whole, tarfile.open(tmp_path / "bad.tar", "w") as bad:
        for member in whole:
            bad.addfile(member, whole.extractfile(member))
        link = tarfile.TarInfo("admin-log.jsonl")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        bad.addfile(link)
    with pytest.raises(DamagedLog):
        restore(tmp_path / "bad.tar", tmp_path / "new")
    assert not (tmp_path / "new" / "admin-log.jsonl").exists()
