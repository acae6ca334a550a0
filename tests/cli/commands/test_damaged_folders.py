"""Commands that read a data folder: whatever is in it, they end with one sentence and never with a traceback."""

import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from hgldp.collector.collector import Collector
from hgldp.collector.log.schema import FILE
from tests.cli.conftest import run
from tests.collector.fakes import TASKS, create, now, upload

Capture = pytest.CaptureFixture[str]
SPARSE = 1 if "HGLDP_FUZZ_SECONDS" in os.environ else 8  # `make test-long` tries eight times as many places


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with three tasks, and all tables filled."""
    folder = tmp_path_factory.mktemp("whole") / "data"
    collector = Collector.open(folder, threaded=False)
    views = [create(collector, task, results_kept_days=30)[0] for task in TASKS]
    for _ in range(15):
        for view in views:
            collector.offer(now(collector, view), upload(now(collector, view), 6))
        collector.step()
    collector.close()
    return folder


def commands(folder: Path, beside: Path) -> Iterator[tuple[str, ...]]:
    yield "replay", str(folder)
    yield "backup", "--data", str(folder), "--output", str(beside / "a.tar"), "--keep", "1"
    yield "doctor", "--data", str(folder)
    yield "doctor", "--data", str(folder), "--accept-loss"
    yield "compact", "--data", str(folder)
    yield "migrate", "--data", str(folder), "--no-progress"


def try_all(whole: Path, folder: Path, damage: object, capsys: Capture) -> bool:
    """Each command on its own copy; an exception that leaves `main` would be a traceback. True if all is well."""
    for words in commands(folder, folder.parent):
        if folder.exists():
            shutil.rmtree(folder)
        shutil.copytree(whole, folder)
        damage(folder)  # type: ignore[operator]
        try:
            code, _, err = run(capsys, *words)
        except Exception as failure:
            raise AssertionError(f"{words[0]}: {type(failure).__name__}: {failure}") from failure
        assert code in (0, 1, 2), words
        if code == 2:
            assert err.startswith("hgldp: error: "), (words, err)
            assert err.count("\n") == 1, (words, err)
        assert "Traceback" not in err
    return True


def test_garbage_in_any_page_of_the_database(whole: Path, tmp_path: Path, capsys: Capture) -> None:
    data = (whole / FILE).read_bytes()
    pages = range(0, len(data), 4096)
    for at in [*pages[:3], *pages[3 :: 5 * SPARSE]]:

        def damage(folder: Path, at: int = at) -> None:
            (folder / FILE).write_bytes(data[:at] + Random(at).randbytes(4096) + data[at + 4096 :])

        assert try_all(whole, tmp_path / "data", damage, capsys)


def test_a_few_bytes_that_differ_in_any_page(whole: Path, tmp_path: Path, capsys: Capture) -> None:
    data, chance = (whole / FILE).read_bytes(), Random(3)
    for at in range(0, len(data), SPARSE << 15):
        place, noise = at + chance.randrange(4000), chance.randbytes(40)

        def damage(folder: Path, place: int = place, noise: bytes = noise) -> None:
            (folder / FILE).write_bytes(data[:place] + noise + data[place + len(noise) :])

        assert try_all(whole, tmp_path / "data", damage, capsys)


def test_files_that_were_cut(whole: Path, tmp_path: Path, capsys: Capture) -> None:
    for name in (FILE, "collector.end"):
        size = (whole / name).stat().st_size
        for length in {0, 10, size // 3, 8192, size - 1}:
            if length < size:

                def damage(folder: Path, name: str = name, length: int = length) -> None:
                    os.truncate(folder / name, length)

                assert try_all(whole, tmp_path / "data", damage, capsys)


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE tasks SET terms = 'x'",
        "UPDATE tasks SET terms = '[]'",
        "UPDATE tasks SET terms = '{\"tea\": 1}'",
        "UPDATE tasks SET document = x'00'",
        "UPDATE tasks SET seed = 'x'",
        "UPDATE tasks SET id = number",
        "UPDATE tasks SET created = 'x'",
        "UPDATE results SET lines = 'x'",
        "UPDATE results SET lines = '[1]'",
        "UPDATE results SET lines = '[[1]]'",
        "UPDATE results SET lines = replace(hex(zeroblob(50000)), '0', '[')",
        "UPDATE bulletins SET data = 'x'",
        "UPDATE bulletins SET version = version || 'x'",
        "UPDATE kept SET opened = 'x'",
        "UPDATE kept SET chain = 5",
        "UPDATE kept SET position = 'x'",
        "UPDATE log SET symbols = 'x'",
        "UPDATE log SET reports = -1",
        "UPDATE log SET reports = 'x'",
        "UPDATE log SET kind = 9",
        "UPDATE snapshots SET state = x'00'",
        "UPDATE ids SET data = 5",
        "UPDATE service SET value = 'x' WHERE name = 'end'",
        "UPDATE service SET value = x'ff' WHERE name = 'end'",
        "UPDATE service SET value = 7 WHERE name = 'end'",
        "UPDATE service SET value = 'x' WHERE name = 'last task'",
        "UPDATE service SET value = 9 WHERE name = 'secret'",
        "DELETE FROM service",
        "DELETE FROM tasks",
        "DELETE FROM bulletins",
        "DELETE FROM snapshots",
        "DELETE FROM log",
        "DROP TABLE log",
        "DROP TABLE service",
        "ALTER TABLE log ADD COLUMN more",
        "ALTER TABLE tasks ADD COLUMN more",
        "ALTER TABLE snapshots ADD COLUMN more",
        "PRAGMA user_version = 3",
        "PRAGMA user_version = 99",
        "PRAGMA user_version = 0",
    ],
)
def test_rows_that_hold_something_else(whole: Path, tmp_path: Path, capsys: Capture, change: str) -> None:
    def damage(folder: Path) -> None:
        with closing(sqlite3.connect(folder / FILE)) as database, database:
            database.execute(change)

    assert try_all(whole, tmp_path / "data", damage, capsys)
