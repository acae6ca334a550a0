"""`hgldp replay`: what was published follows from the log, and a change of the log is noticed."""

import json
import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from hgldp.collector.log.schema import FILE
from tests.cli.conftest import run
from tests.collector.fakes import FakeClock, open_by_hand
from tests.collector.live_service import WORDS, live_service
from tests.collector.log.eras import written_elsewhere


def test_what_was_published_follows_from_the_log_and_a_changed_row_does_not(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "data"
    with live_service(folder) as running:
        made = running.create(**WORDS)
        for seed in range(4):
            running.upload(made, ["tea"] * 70 + ["mate"] * 50, seed)
        code, out, _ = run(capsys, "replay", str(folder), "--json")
        assert (code, json.loads(out)["agrees"]) == (0, True)
    code, out, _ = run(capsys, "replay", str(folder))
    assert code == 0
    assert "follows from the log, bit for bit" in out
    with closing(sqlite3.connect(folder / FILE)) as database:
        database.execute("UPDATE results SET reports = reports + 1 WHERE epoch = 1")
        database.commit()
    code, out, _ = run(capsys, "replay", str(folder))
    assert code == 1
    assert "First difference: entry" in out
    assert made.id in out.replace("\n", "")


def test_a_folder_that_was_taken_over_says_so_and_one_of_another_version_is_not_replayed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    clock = FakeClock()
    written_elsewhere(tmp_path, clock)
    code, _, err = run(capsys, "replay", str(tmp_path))
    assert code == 2
    assert "was last written by another version of hgldp" in " ".join(err.split())
    open_by_hand(tmp_path, clock).close()
    code, out, _ = run(capsys, "replay", str(tmp_path))
    assert code == 0
    assert re.search(r"reports before this version took over +264", out)
    assert "Everything that was published since then follows from the log" in " ".join(out.split())
    code, out, _ = run(capsys, "replay", str(tmp_path), "--json")
    assert (code, json.loads(out)["taken_over"]) == (0, 264)


def test_a_folder_without_a_log_cannot_be_replayed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = run(capsys, "replay", str(tmp_path))
    assert code == 2
    assert "must hold the data of a collector" in err
