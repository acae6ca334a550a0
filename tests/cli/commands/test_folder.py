"""`hgldp backup`, `restore`, `compact` and `migrate`, as an operator types them."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from unittest.mock import patch

import pytest

from hgldp.collector.collector import Collector
from hgldp.collector.log.backup import back_up
from tests.cli.conftest import run
from tests.collector.fakes import HOT, create, now, upload
from tests.collector.live_service import WORDS, live_service
from tests.patience import PATIENCE

SLOW_RESTORE = """
import sys, time
from hgldp.cli import main
from hgldp.collector.log import restore
honest = restore._copy_checked
def slow(*rest):
    honest(*rest)
    print("unpacking", flush=True)
    time.sleep(60)
restore._copy_checked = slow
sys.exit(main())
"""


def test_back_up_a_running_collector_restore_elsewhere_and_compact(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, elsewhere = str(tmp_path / "data"), str(tmp_path / "new" / "data")
    with live_service(tmp_path / "data") as running:
        made = running.create(**WORDS)
        running.upload(made, ["tea"] * 250)
        for day in (1, 2, 3):
            code, out, _ = run(
                capsys, "backup", "--data", folder, "--output", str(tmp_path / f"{day}.tar"), "--keep", "2"
            )
            assert code == 0
            assert "Backed up" in out
    assert sorted(each.name for each in tmp_path.glob("*.tar")) == ["2.tar", "3.tar"]
    code, out, _ = run(capsys, "restore", str(tmp_path / "3.tar"), "--data", elsewhere)
    assert (code, "250" in out) == (0, True)
    code, _, err = run(capsys, "restore", str(tmp_path / "3.tar"), "--data", elsewhere)
    assert (code, "new or empty" in err) == (2, True)
    code, _, err = run(capsys, "restore", str(tmp_path / "1.tar"), "--data", elsewhere)
    assert (code, "1.tar cannot be read: No such file" in err) == (2, True)
    code, out, _ = run(capsys, "compact", "--data", elsewhere, "--all-reports", "--json")
    assert code == 0
    assert json.loads(out).keys() == {"bytes_before", "bytes_after"}
    code, out, _ = run(capsys, "replay", elsewhere)
    assert (code, "without their reports" in out) == (0, True)


def test_no_other_archive_is_deleted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    collector = Collector.open(tmp_path / "data", threaded=False)
    (view,) = create(collector, HOT)
    collector.offer(now(collector, view), upload(view, 3))
    collector.close()
    (tmp_path / "photos.tar").write_bytes(b"manifest.json" + bytes(1000))
    for name in ("a.tar", "b.tar"):
        assert run(capsys, "backup", "--data", str(tmp_path / "data"), "--output", str(tmp_path / name), "--keep", "1")
    assert sorted(each.name for each in tmp_path.glob("*.tar")) == ["b.tar", "photos.tar"]


def test_collectors_that_share_a_folder_of_backups_keep_their_own(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("one", "two"):
        Collector.open(tmp_path / name, threaded=False).close()
    (tmp_path / "out").mkdir()
    for day in (1, 2, 3):
        for name in ("one", "two"):
            words = ("--data", str(tmp_path / name), "--output", str(tmp_path / "out" / f"{name}-{day}.tar"))
            assert run(capsys, "backup", *words, "--keep", "2")[0] == 0
    left = sorted(each.name for each in (tmp_path / "out").iterdir())
    assert left == ["one-2.tar", "one-3.tar", "two-2.tar", "two-3.tar"]


def test_a_strange_archive_does_not_fail_a_good_backup(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Collector.open(tmp_path / "data", threaded=False).close()
    words = ("backup", "--data", str(tmp_path / "data"), "--output", str(tmp_path / "a.tar"), "--keep", "1")
    assert run(capsys, *words)[0] == 0
    whole = (tmp_path / "a.tar").read_bytes()
    (tmp_path / "cut.tar").write_bytes(whole[:600])
    (tmp_path / "other.tar").write_bytes(whole[:512] + b"[" * 1000 + whole[1512:])
    os.mkfifo(tmp_path / "pipe.tar")
    (tmp_path / "gone.tar").symlink_to(tmp_path / "nowhere")
    assert run(capsys, *words)[0] == 0
    assert len(list(tmp_path.glob("*.tar"))) == 5


def test_the_newest_backup_stays_if_the_clock_was_put_back(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Collector.open(tmp_path / "data", threaded=False).close()
    with patch.object(time, "time", lambda: 4e9):
        back_up(tmp_path / "data", tmp_path / "future.tar")
    os.utime(tmp_path / "future.tar", (4e9, 4e9))
    words = ("--data", str(tmp_path / "data"), "--output", str(tmp_path / "a.tar"))
    assert run(capsys, "backup", *words, "--keep", "1")[0] == 0
    assert [each.name for each in tmp_path.glob("*.tar")] == ["a.tar"]


def test_what_killed_backups_left_is_deleted_a_day_later(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Collector.open(tmp_path / "data", threaded=False).close()
    for name in (".hgldp-backup-old", ".hgldp-backup-new", "mine"):
        (tmp_path / name).mkdir()
    for name in (".hgldp-backup-old", "mine"):
        os.utime(tmp_path / name, (time.time() - 90_000,) * 2)
    run(capsys, "backup", "--data", str(tmp_path / "data"), "--output", str(tmp_path / "a.tar"))
    assert sorted(each.name for each in tmp_path.iterdir()) == [".hgldp-backup-new", "a.tar", "data", "mine"]


def test_a_folder_called_like_a_backup_is_not_in_the_way(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Before: a traceback."""
    Collector.open(tmp_path / "data", threaded=False).close()
    (tmp_path / "photos.tar").mkdir()
    words = ("backup", "--data", str(tmp_path / "data"), "--output", str(tmp_path / "a.tar"), "--keep", "1")
    assert run(capsys, *words)[0] == 0


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
@pytest.mark.parametrize(
    "words", [("compact", "--data"), ("migrate", "--data"), ("replay",), ("backup", "--output", "x.tar", "--data")]
)
def test_a_folder_of_another_user_is_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...]
) -> None:
    """Before: a traceback."""
    Collector.open(tmp_path / "data", threaded=False).close()
    os.seteuid(65_534)
    try:
        code, _, err = run(capsys, *words, str(tmp_path / "data"))
    finally:
        os.seteuid(0)
    assert (code, "must be a folder that you may use" in err, "(Permission denied)" in err) == (2, True, True)


@pytest.mark.parametrize("command", [("compact",), ("migrate",), ("backup", "--output", "x.tar")])
def test_a_folder_without_data_is_not_made_into_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], command: tuple[str, ...]
) -> None:
    code, _, err = run(capsys, *command, "--data", str(tmp_path / "none"))
    assert (code, "must hold the data of a collector" in err) == (2, True)
    assert not (tmp_path / "none").exists()


@pytest.mark.parametrize("told", [signal.SIGTERM, signal.SIGINT])
def test_a_restore_that_is_told_to_end_leaves_nothing_behind(tmp_path: Path, told: signal.Signals) -> None:
    collector = Collector.open(tmp_path / "data", threaded=False)
    create(collector, HOT)
    back_up(tmp_path / "data", tmp_path / "a.tar")
    collector.close()
    words = [sys.executable, "-c", SLOW_RESTORE, "restore", str(tmp_path / "a.tar"), "--data", str(tmp_path / "new")]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        assert running.stdout.readline() == "unpacking\n"
        assert (tmp_path / "new" / "restoring").is_dir()
        running.send_signal(told)
        _, err = running.communicate(timeout=PATIENCE)
    assert (running.returncode, err) == ({signal.SIGTERM: 143, signal.SIGINT: 130}[told], "")
    assert sorted(each.name for each in tmp_path.iterdir()) == ["a.tar", "data"]


@pytest.mark.parametrize("name", ["HGLDP_STORE", "HGLDP_STORE_FILE"])
@pytest.mark.parametrize(("words", "instead"), [
    (("backup", "--output", "x.tar"), "use pg_dump: docs/several-collectors.md#backups"),
    (("restore", "x.tar"), "use pg_restore: docs/several-collectors.md#backups"),
    (("compact",), "nothing need be done: the sealer deletes what may go"),
])  # fmt: skip
def test_whoever_has_a_store_learns_what_to_do_instead(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], name: str, words: tuple[str, ...], instead: str
) -> None:
    monkeypatch.delenv("HGLDP_STORE", raising=False)
    monkeypatch.delenv("HGLDP_STORE_FILE", raising=False)
    code, _, err = run(capsys, *words)
    assert (code, f"--data must be given to hgldp {words[0]}, got none" in err) == (2, True)
    monkeypatch.setenv(name, "store")
    code, _, err = run(capsys, *words)
    assert (code, f"--data must be a data folder; for a store {instead}, got none" in err) == (2, True)
