"""The lock on a folder: nothing that is removed, moved or replaced lets a second process in beside the first."""

import errno
import fcntl
import os
from pathlib import Path

import pytest

from hgldp.errors import FolderInUse, FolderLost, InvalidField
from hgldp.system.folder_lock import FolderLock


def test_a_second_lock_is_refused_until_the_first_is_released(tmp_path: Path) -> None:
    first = FolderLock(tmp_path)
    with pytest.raises(FolderInUse, match="is in use by another process"):
        FolderLock(tmp_path)
    first.release()
    FolderLock(tmp_path).release()


def test_removing_the_file_lets_nobody_in_and_changes_nothing_for_the_holder(tmp_path: Path) -> None:
    first = FolderLock(tmp_path)
    (tmp_path / "lock").unlink()
    with pytest.raises(FolderInUse):
        FolderLock(tmp_path)
    first.verify()
    first.release()
    FolderLock(tmp_path).release()


def test_a_folder_that_was_moved_away_or_replaced_is_lost(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    first = FolderLock(folder)
    folder.rename(tmp_path / "elsewhere")
    with pytest.raises(FolderLost):
        first.verify()
    folder.mkdir()
    second = FolderLock(folder)
    with pytest.raises(FolderLost):
        first.verify()
    second.verify()
    first.release()
    second.release()


def test_after_the_release_the_folder_is_lost(tmp_path: Path) -> None:
    lock = FolderLock(tmp_path)
    lock.release()
    lock.release()
    with pytest.raises(FolderLost, match="it was closed, moved or replaced"):
        lock.verify()


def test_another_working_folder_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    lock = FolderLock(Path())
    monkeypatch.chdir("/")
    lock.verify()
    lock.release()


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_child_does_not_hold_it_and_cannot_give_it_away(tmp_path: Path) -> None:
    lock = FolderLock(tmp_path)
    child = os.fork()
    if not child:
        try:
            lock.verify()
        except FolderLost:
            lock.release()
            os._exit(0)
        os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    lock.verify()
    with pytest.raises(FolderInUse):
        FolderLock(tmp_path)
    lock.release()


def handles() -> int:
    return len(os.listdir("/proc/self/fd")) if Path("/proc/self/fd").exists() else 0


def test_where_folders_have_no_locks_the_file_is_enough_and_its_removal_is_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on NFS, which refuses to lock what is not open for writing."""
    flock = fcntl.flock

    def for_files(handle: int, how: int) -> None:
        if not os.path.isfile(f"/proc/self/fd/{handle}"):
            raise OSError(errno.EBADF, "not for folders")
        flock(handle, how)

    monkeypatch.setattr(fcntl, "flock", for_files)
    first = FolderLock(tmp_path)
    with pytest.raises(FolderInUse):
        FolderLock(tmp_path)
    first.verify()
    (tmp_path / "lock").unlink()
    second = FolderLock(tmp_path)
    with pytest.raises(FolderLost):
        first.verify()
    second.verify()
    first.release()
    second.release()


@pytest.mark.parametrize("kind", ["none", "empty"])
def test_a_file_system_without_locks_is_refused_and_nothing_stays_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    """None at all, or such that everybody gets: both must be noticed."""

    def flock(handle: int, how: int) -> None:
        if kind == "none":
            raise OSError(errno.ENOLCK, "no locks available")

    monkeypatch.setattr(fcntl, "flock", flock)
    before = handles()
    with pytest.raises(InvalidField, match="folder must be on a file system whose locks work"):
        FolderLock(tmp_path)
    assert handles() == before
