"""The admin log only grows, up to its end; several processes may write it."""

import multiprocessing
import os
from pathlib import Path

import pytest

from hgldp.collector import admin_log
from hgldp.collector.admin_log import AdminLog, read_admin_log
from tests.patience import PATIENCE


def test_it_is_bounded_and_the_oldest_goes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(admin_log, "MOST_BYTES", 2_000)
    log = AdminLog(tmp_path)
    for number in range(400):
        log.note("anna", "task closed", f"{number:064x}", "x" * 10_000)
    files = sorted(tmp_path.glob("admin-log*.jsonl"))
    assert len(files) == admin_log.FILES
    assert all(path.stat().st_size <= 2_000 and path.stat().st_mode & 0o077 == 0 for path in files)
    found = [int(deed.task, 16) for deed in read_admin_log(tmp_path)]
    assert found == list(range(400 - len(found), 400))
    assert 20 < len(found) < 40


def test_half_a_line_and_a_strange_one_are_left_out(tmp_path: Path) -> None:
    log = AdminLog(tmp_path, lambda: 0.0)
    log.note("anna", "task closed")
    with (tmp_path / admin_log.FILE).open("ab") as file:
        file.write(b'{"time": "x"}\n[1]\n{"time": "x", "who": "y", "what": "z", "more": 1}\n\xff\n{"time": "197')
    assert [deed.what for deed in read_admin_log(tmp_path)] == ["task closed"]


def test_what_follows_half_a_line_is_kept(tmp_path: Path) -> None:
    log = AdminLog(tmp_path, lambda: 0.0)
    log.note("anna", "task closed")
    with (tmp_path / admin_log.FILE).open("ab") as file:
        file.write(b'{"time": "197')
    log.note("anna", "task deleted")
    assert [deed.what for deed in read_admin_log(tmp_path)] == ["task closed", "task deleted"]


def test_a_line_that_is_only_half_written_is_no_success(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.write
    monkeypatch.setattr(os, "write", lambda place, line: real(place, line[:10]))
    with pytest.raises(OSError, match="No space left"):
        AdminLog(tmp_path).note("anna", "task closed")


def _write(folder: Path, who: str) -> None:
    admin_log.MOST_BYTES = 1 << 14
    for number in range(100):
        AdminLog(folder).note(who, "task closed", detail=str(number))


def test_processes_do_not_lose_each_others_lines(tmp_path: Path) -> None:
    """They make room for each other several times; nothing is old enough to go."""
    several = [multiprocessing.get_context("fork").Process(target=_write, args=(tmp_path, f"p{n}")) for n in range(4)]
    for each in several:
        each.start()
    for each in several:
        each.join(PATIENCE)
        assert each.exitcode == 0
    found = read_admin_log(tmp_path)
    assert len(found) == 400
    for number in range(4):
        assert [deed.detail for deed in found if deed.who == f"p{number}"] == [str(n) for n in range(100)]
    assert os.path.getsize(tmp_path / admin_log.FILE) <= 1 << 14
