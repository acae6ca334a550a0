"""Machine code is made in another process, which ends when the collector is told to."""

import logging
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from hgldp.collector import compiling, rehearsal
from hgldp.collector.compiling import STEPS, compile_apart, some_code_folder
from hgldp.collector.http.starting import Starting, Stopped
from hgldp.kernels.compile import code_folder
from hgldp.system import code_folder as places
from hgldp.system.code_folder import COMPLETE, VARIABLE


class Pipe:
    """Ends of it; what is read comes in pieces, and None if there is nothing yet."""

    def __init__(self, *pieces: bytes | None) -> None:
        self._pieces, self.is_closed = list(pieces), False

    def read(self, _: int) -> bytes | None:
        return self._pieces.pop(0) if self._pieces else None

    def close(self) -> None:
        self.is_closed = True


class Child:
    """A process that lives for some looks at it, or until it is killed."""

    def __init__(self, looks: int, code: int, *pieces: bytes | None) -> None:
        self._looks, self._code, self.killed = looks, code, 0
        self.stdin, self.stdout = Pipe(), Pipe(*pieces)

    def wait(self, timeout: float | None = None) -> int:
        if self._looks and not self.killed:
            assert timeout is not None, "nothing may wait for a compiler"
            self._looks -= 1
            raise subprocess.TimeoutExpired("child", timeout)
        return self._code

    def kill(self) -> None:
        self.killed += 1

    @property
    def is_gone(self) -> bool:
        return bool(self.killed) and self.stdin.is_closed and self.stdout.is_closed


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(compiling, "code_folder", lambda: str(tmp_path))
    return tmp_path


def said(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.message for record in caplog.records if record.levelno >= logging.WARNING]


def test_progress_is_what_the_other_process_has_done(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    child, seen, data = Child(4, 0, b".", None, b"..."), [], []

    def start(place: Path) -> Child:
        data.append(place)
        assert not place.exists(), "its own to make"
        return child

    compile_apart(lambda done, total: seen.append((done, total)), start)
    assert seen == [(1, STEPS), (1, STEPS), (4, STEPS), (4, STEPS), (4, STEPS)]
    assert child.is_gone
    assert data[0].parent.parent == folder
    assert list(folder.iterdir()) == []
    assert said(caplog) == []


def test_a_stop_ends_it_at_once(folder: Path) -> None:
    """Before: the compiler ran in the collector's own process, which had to wait for it."""
    child, starting = Child(1_000_000, 0), Starting()
    looks = iter(range(10))

    def progress(done: int, total: int) -> None:
        if next(looks) == 3:
            starting.stop()
        starting.progress(done, total)

    with pytest.raises(Stopped):
        compile_apart(progress, lambda _: child)
    assert child.is_gone
    assert list(folder.iterdir()) == []


def test_a_complete_folder_needs_none(folder: Path) -> None:
    (folder / COMPLETE).touch()
    compile_apart(lambda *_: None, lambda _: pytest.fail("started"))


def fails(_: Path) -> Child:
    return Child(2, -9)


def cannot_start(_: Path) -> Child:
    raise BlockingIOError(11, "Resource temporarily unavailable")


@pytest.mark.parametrize("start", [fails, cannot_start])
def test_if_it_fails_the_collector_compiles_itself_and_says_so(
    folder: Path, caplog: pytest.LogCaptureFixture, start: Callable[[Path], Child]
) -> None:
    compile_apart(lambda *_: None, start)
    assert said(caplog) == [
        "compiling failed in a process of its own: this process compiles, and cannot stop meanwhile"
    ]
    assert list(folder.iterdir()) == []


KILLED = """
import os, sys
from hgldp.collector import compiling
compiling.code_folder = lambda: sys.argv[1]
compiling.compile_apart(lambda *_: None, lambda _: os.kill(os.getpid(), 9))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGKILL")
def test_the_next_start_removes_what_a_killed_one_has_left_and_nothing_that_is_used(folder: Path) -> None:
    """Before: each SIGKILL while compiling left a folder for ever."""
    subprocess.run([sys.executable, "-c", KILLED, str(folder)], check=False)
    (left,) = folder.iterdir()
    (folder / "hgldp-compiling-of another").mkdir()
    used = []

    def start(data: Path) -> Child:
        assert not left.exists()
        used.append(data.parent)
        if len(used) == 1:
            compile_apart(lambda *_: None, start)
            assert used[0].is_dir()
            assert not used[1].exists()
        return Child(1, 0)

    compile_apart(lambda *_: None, start)
    assert [each.name for each in folder.iterdir()] == ["hgldp-compiling-of another"]


@pytest.mark.skipif(os.name == "nt" or os.geteuid() != 0, reason="only root can give a folder away")
def test_nothing_of_another_user_is_removed(folder: Path) -> None:
    """In /tmp anybody can make such a folder, or put a link to another there."""
    (folder / "hgldp-compiling-theirs").mkdir()
    (folder / "hgldp-compiling-link").symlink_to(folder / "hgldp-compiling-theirs")
    (folder / "hgldp-compiling-theirs" / "lock").touch()
    for each in folder.iterdir():
        os.chown(each, 54_321, 54_321, follow_symlinks=False)
    before = {*folder.rglob("*")}
    compile_apart(lambda *_: None, lambda _: Child(1, 0))
    assert {*folder.rglob("*")} == before


@pytest.fixture
def nowhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    monkeypatch.setenv(VARIABLE, "off")
    monkeypatch.setattr(places, "_for_now", [])
    monkeypatch.setattr(compiling.tempfile, "tempdir", str(tmp_path))
    code_folder.cache_clear()
    yield tmp_path
    code_folder.cache_clear()


def test_a_temporary_folder_serves_while_the_collector_runs(nowhere: Path) -> None:
    with some_code_folder():
        found = Path(code_folder() or "")
        assert found.is_relative_to(nowhere)
        assert found.is_dir()
    assert list(nowhere.iterdir()) == []
    assert code_folder() is None


def test_where_there_is_none_the_log_says_that_the_collector_compiles_itself(
    nowhere: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compiling.tempfile, "tempdir", str(nowhere / "missing"))
    with some_code_folder():
        assert code_folder() is None
        compile_apart(lambda *_: None, lambda _: pytest.fail("started"))
    assert said(caplog) == ["no folder can keep machine code: this process compiles, and cannot stop meanwhile"]


def test_what_fails_inside_is_not_taken_for_a_lack_of_a_folder(nowhere: Path) -> None:
    with pytest.raises(OSError, match="the port is taken"), some_code_folder():
        raise OSError("the port is taken")
    assert list(nowhere.iterdir()) == []


def test_the_rehearsal_tells_each_of_its_steps(tmp_path: Path) -> None:
    steps, folder = [], tmp_path / "code"
    folder.mkdir()
    (tmp_path / "data").mkdir()
    rehearsal.fill(folder, tmp_path / "data", lambda: steps.append(1))
    assert len(steps) == STEPS
    assert (folder / COMPLETE).exists()
