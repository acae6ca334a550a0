"""A folder of 0.1.0 becomes one of today; whatever interrupts it, one of the two is there, whole."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from hgldp.collector.collector import Collector
from hgldp.collector.log import migration
from hgldp.collector.log.migration import OLD_FILE, migrate
from hgldp.collector.log.replay import replay
from hgldp.collector.log.schema import FILE
from hgldp.errors import DamagedLog, FolderInUse
from hgldp.system.folder_lock import FolderLock
from tests.recorded.log import old_folder


@pytest.fixture
def old(tmp_path: Path) -> Path:
    with old_folder() as folder:
        shutil.copytree(folder, tmp_path / "data")
    return tmp_path / "data"


def test_an_old_folder_is_refused_until_it_is_migrated_and_then_everything_is_there(old: Path) -> None:
    with pytest.raises(DamagedLog, match="run hgldp migrate"):
        Collector.open(old)
    steps: list[tuple[int, int]] = []
    done = migrate(old, lambda *step: steps.append(step))
    assert (done.tasks, done.reports, done.old_file) == (7, 24_156, old / OLD_FILE)
    assert steps[-1][0] == steps[-1][1] > 0
    report = replay(old)
    assert report.agrees, str(report.difference)
    assert (report.reports, report.epochs) == (24_156, 60)
    collector = Collector.open(old, threaded=False)
    assert sum(view.reports for view in collector.tasks()) == 24_156
    published = [line for view in collector.tasks() for each in collector.history(view.id, 0, 99) for line in each.top]
    assert {type(line.may_be_noise) for line in published} == {bool}, "derived again, with what 0.1.0 did not store"
    collector.compact(all_reports=True)
    collector.close()
    assert replay(old).agrees
    assert migrate(old) == migration.Migrated()
    with closing(sqlite3.connect(old / OLD_FILE)) as copy:
        assert copy.execute("PRAGMA user_version").fetchone() == (3,)
        assert copy.execute("SELECT SUM(reports) FROM log").fetchone() == (24_156,)


@pytest.mark.parametrize("step", ["_back_up", "_Move.run", "sync", "Path.replace"])
def test_an_interrupted_migration_can_be_run_again(old: Path, step: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    owner, _, name = step.rpartition(".")
    with monkeypatch.context() as patch:
        patch.setattr(getattr(migration, owner) if owner else migration, name, interrupted)
        with pytest.raises(KeyboardInterrupt):
            migrate(old)
    assert migrate(old).reports == 24_156
    assert replay(old).agrees


def test_a_damaged_old_log_is_not_migrated(old: Path) -> None:
    with closing(sqlite3.connect(old / FILE)) as database:
        database.execute("UPDATE log SET symbols = zeroblob(length(symbols)) WHERE position = 20")
        database.commit()
    with pytest.raises(DamagedLog, match="entry 20 is not the one"):
        migrate(old)
    with closing(sqlite3.connect(old / FILE)) as database:
        assert database.execute("PRAGMA user_version").fetchone() == (3,)


def test_a_folder_in_use_or_of_a_later_version_is_refused(old: Path, tmp_path: Path) -> None:
    lock = FolderLock(old, "collector.lock")
    with pytest.raises(FolderInUse):
        migrate(old)
    lock.release()
    with closing(sqlite3.connect(old / FILE)) as database:
        database.execute("PRAGMA user_version = 5")
    with pytest.raises(DamagedLog, match="format 5"):
        migrate(old)
    with pytest.raises(DamagedLog, match="must hold the data"):
        migrate(tmp_path / "nothing")
