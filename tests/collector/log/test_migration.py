"""A folder of 0.1.0 becomes one of today; whatever interrupts it, one of the two is there, whole."""

import json
import shutil
import sqlite3
from contextlib import closing
from hashlib import blake2b
from pathlib import Path

import pytest

from hgldp.collector.collector import Collector
from hgldp.collector.log import migration
from hgldp.collector.log.backup import back_up
from hgldp.collector.log.migration import OLD_FILE, migrate
from hgldp.collector.log.replay import replay
from hgldp.collector.log.restore import restore
from hgldp.collector.log.schema import FILE
from hgldp.collector.views import TaskView
from hgldp.errors import DamagedLog, FolderInUse
from hgldp.model.bulletins import FrontierBulletin
from hgldp.model.randomness import SeededWords
from hgldp.system.folder_lock import FolderLock
from hgldp.tracker.frontier import FrontierFamily
from hgldp.wire.bulletin import read_bulletin
from tests.collector.fakes import now, upload
from tests.recorded.log import old_folder

REPORTS, PUBLISHED = 24_156, ("bulletins", "results")


@pytest.fixture
def old(tmp_path: Path) -> Path:
    with old_folder() as folder:
        shutil.copytree(folder, tmp_path / "data")
    return tmp_path / "data"


@pytest.fixture(scope="module")
def migrated_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    with old_folder() as folder:
        migrate(folder)
        return Path(shutil.copytree(folder, tmp_path_factory.mktemp("migrated") / "data"))


@pytest.fixture
def migrated(migrated_once: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(migrated_once, tmp_path / "data"))


def rows(database: Path, table: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(database)) as reader:
        return reader.execute(f"SELECT * FROM {table} ORDER BY task, epoch").fetchall()  # noqa: S608


def go_on(collector: Collector, view: TaskView, rounds: int = 3) -> None:
    for _ in range(rounds):
        collector.offer(now(collector, view), upload(now(collector, view), 30))
        collector.step()
        collector.seal(view.id)


def test_an_old_folder_is_refused_until_it_is_migrated_and_then_everything_is_there(old: Path) -> None:
    with pytest.raises(DamagedLog, match="run hgldp migrate"):
        Collector.open(old)
    steps: list[tuple[int, int]] = []
    done = migrate(old, lambda *step: steps.append(step))
    assert (done.tasks, done.reports, done.old_file) == (7, REPORTS, old / OLD_FILE)
    assert steps[-1][0] == steps[-1][1] > 0
    report = replay(old)
    assert report.agrees, str(report.difference)
    assert (report.reports, report.taken_over) == (0, REPORTS)
    assert migrate(old) == migration.Migrated()
    with closing(sqlite3.connect(old / OLD_FILE)) as copy:
        assert copy.execute("PRAGMA user_version").fetchone() == (3,)
        assert copy.execute("SELECT SUM(reports) FROM log").fetchone() == (REPORTS,)


def test_what_was_published_is_there_as_it_was_published(migrated: Path) -> None:
    for table in PUBLISHED:
        before, after = rows(migrated / OLD_FILE, table), rows(migrated / FILE, table)
        assert after == before
        assert len(after) >= 60
    collector = Collector.open(migrated, threaded=False)
    assert sum(view.reports for view in collector.tasks()) == REPORTS
    history = [each for view in collector.tasks() for each in collector.history(view.id)]
    assert len(history) == 60
    assert {line.may_be_noise for each in history for line in each.top} == {None}, "0.1.0 did not judge its lines"
    for view in collector.tasks():
        assert {line.may_be_noise for line in collector.top(view.id).top} <= {True, False}
    collector.close()


def test_a_migrated_folder_goes_on_and_what_comes_after_follows(migrated: Path, tmp_path: Path) -> None:
    collector = Collector.open(migrated, threaded=False)
    views = [view for view in collector.tasks() if view.closed is None and not view.terms.reports_per_day]
    assert len(views) == 4
    for view in views:
        go_on(collector, view)
    back_up(migrated, tmp_path / "copy.tar")
    collector.compact(all_reports=True)
    collector.close()
    restore(tmp_path / "copy.tar", tmp_path / "restored")
    for folder, folded in ((migrated, 12), (tmp_path / "restored", 0)):
        report = replay(folder)
        assert report.agrees, str(report.difference)
        assert report.folded >= folded
        assert report.taken_over + report.reports == REPORTS + 4 * 90
        assert report.epochs >= 12
        for table in PUBLISHED:
            assert set(rows(folder / FILE, table)) > set(rows(migrated / OLD_FILE, table))
    collector = Collector.open(tmp_path / "restored", threaded=False)
    assert sum(view.reports for view in collector.tasks()) == REPORTS + 4 * 90
    collector.close()


def test_nobody_can_tell_the_next_hash_key_from_what_0_1_0_published(
    migrated: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its keys were the outputs of SplitMix64, so that one of them tells all later ones."""
    assert set(_next_keys(migrated)) & _guesses(migrated) == set()
    monkeypatch.setattr(FrontierFamily, "renew", lambda *_: None)
    with old_folder() as folder:
        shutil.copytree(folder, tmp_path / "planted")
    migrate(tmp_path / "planted")
    assert set(_next_keys(tmp_path / "planted")) <= _guesses(tmp_path / "planted")


def _next_keys(folder: Path) -> list[int]:
    collector, found = Collector.open(folder, threaded=False), []
    for view in collector.tasks():
        if isinstance(view.bulletin, FrontierBulletin):
            go_on(collector, view, 1)
            bulletin = now(collector, view).bulletin
            assert isinstance(bulletin, FrontierBulletin)
            assert bulletin.epoch > view.epoch
            found.append(bulletin.key)
    collector.close()
    assert len(found) == 2
    return found


def _guesses(folder: Path) -> set[int]:
    """What somebody can try who knows all words of 0.1.0: the words themselves, and what is derived from one now."""
    guesses = set()
    with closing(sqlite3.connect(folder / OLD_FILE)) as database:
        seeds = [int.from_bytes(seed, "big") for (seed,) in database.execute("SELECT seed FROM tasks")]
        published = [read_bulletin(data) for (data,) in database.execute("SELECT data FROM bulletins")]
    for seed in seeds:
        words = SeededWords(seed)
        first = [words.word() for _ in range(20)]
        known = {seed, words.state, *first}
        guesses |= set(first)
        for number in range(20):
            for word in known:
                key = blake2b(number.to_bytes(8, "little"), digest_size=8, key=word.to_bytes(8, "little")).digest()
                guesses.add(int.from_bytes(key, "little"))
    keys = {each.key for each in published if isinstance(each, FrontierBulletin)}
    assert len(keys) > 10
    assert keys <= guesses
    return guesses - keys


@pytest.mark.parametrize("step", ["_back_up", "_Move.run", "take_over", "sync", "Path.replace"])
def test_an_interrupted_migration_can_be_run_again(old: Path, step: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    owner, _, name = step.rpartition(".")
    with monkeypatch.context() as patch:
        patch.setattr(getattr(migration, owner) if owner else migration, name, interrupted)
        with pytest.raises(KeyboardInterrupt):
            migrate(old)
    assert migrate(old).reports == REPORTS
    report = replay(old)
    assert (report.agrees, report.taken_over) == (True, REPORTS)


CHANGES = {
    "a report": ("UPDATE log SET symbols = zeroblob(length(symbols)) WHERE position = 20", "entry 20 is not the one"),
    "a bulletin's bytes": (
        "UPDATE bulletins SET data = (SELECT data FROM bulletins WHERE task = 5 AND epoch = 2) "
        "WHERE task = 5 AND epoch = 3",
        "must follow from the log: .*version",
    ),
    "the first bulletin's bytes": (
        "UPDATE bulletins SET data = (SELECT data FROM bulletins WHERE task = 6 AND epoch = 0) "
        "WHERE task = 5 AND epoch = 0",
        "must begin with a bulletin of its own",
    ),
    "when a bulletin was published": (
        "UPDATE bulletins SET published = published + 1 WHERE task = 5 AND epoch = 3",
        "the log leads to something else",
    ),
    "after which entry": (
        "UPDATE bulletins SET position = position + 1 WHERE task = 5 AND epoch = 3",
        "the log leads to something else",
    ),
    "when a result was published": (
        "UPDATE results SET published = published + 1 WHERE task = 1 AND epoch = 3",
        "the log leads to something else",
    ),
    "what a result counts": (
        "UPDATE results SET reports = reports + 100000 WHERE task = 5 AND epoch = 3",
        "must have ended an epoch, as was published",
    ),
    "whose result it is": (
        "UPDATE results SET bulletin = (SELECT version FROM bulletins WHERE task = 5 AND epoch = 1) "
        "WHERE task = 5 AND epoch = 3",
        "the log leads to something else",
    ),
    "the entry of a result": (
        "UPDATE results SET position = position - 1 WHERE task = 5 AND epoch = 3",
        "must have ended an epoch|leads to something else|must follow",
    ),
    "a missing result": ("DELETE FROM results WHERE task = 1 AND epoch = 3", "."),
    "a missing bulletin": ("DELETE FROM bulletins WHERE task = 5 AND epoch = 8", "does not follow from the log"),
    "a bulletin too many": (
        "INSERT INTO bulletins SELECT 'another', task, 99, position, published, data FROM bulletins "
        "WHERE task = 5 AND epoch = 3",
        "does not follow from the log",
    ),
    "a result too many": (
        "INSERT INTO results SELECT task, 99, position, published, reports, bulletin, lines FROM results "
        "WHERE task = 5 AND epoch = 3",
        "does not follow from the log",
    ),
    "a hot list": (
        "UPDATE bulletins SET version = (SELECT version FROM bulletins WHERE task = 2 AND epoch = 4) || 'x' "
        "WHERE task = 2 AND epoch = 3",
        "must follow from the log",
    ),
}


@pytest.mark.parametrize("change", CHANGES)
def test_an_old_folder_that_was_changed_is_not_migrated(old: Path, change: str) -> None:
    sql, told = CHANGES[change]
    with closing(sqlite3.connect(old / FILE)) as database:
        assert database.execute(sql).rowcount == 1
        database.commit()
    with pytest.raises(DamagedLog, match=told):
        migrate(old)
    with closing(sqlite3.connect(old / FILE)) as database:
        assert database.execute("PRAGMA user_version").fetchone() == (3,)


def test_the_numbers_of_0_1_0_are_not_compared_by_another_estimator(old: Path) -> None:
    """Nobody can: `hgldp replay` of 0.1.0 would tell."""
    with closing(sqlite3.connect(old / FILE)) as database:
        ((text,),) = database.execute("SELECT lines FROM results WHERE task = 5 AND epoch = 3").fetchall()
        changed = json.dumps([[each[0], 1.0, *each[2:]] for each in json.loads(text)])
        database.execute("UPDATE results SET lines = ? WHERE task = 5 AND epoch = 3", (changed,))
        database.commit()
    migrate(old)
    assert changed in {row[-1] for row in rows(old / FILE, "results")}


def test_what_a_crash_of_0_1_0_left_unwritten_is_written(old: Path) -> None:
    """A seal was in the log, and its bulletin and result were not in the database yet."""
    with closing(sqlite3.connect(old / FILE)) as database:
        for table in PUBLISHED:
            last = f"SELECT MAX(epoch) FROM {table} WHERE task = 7"  # noqa: S608
            assert database.execute(f"DELETE FROM {table} WHERE task = 7 AND epoch = ({last})").rowcount == 1  # noqa: S608
        database.commit()
    assert migrate(old).reports == REPORTS
    report = replay(old)
    assert report.agrees, str(report.difference)
    assert [len(rows(old / FILE, table)) for table in PUBLISHED] == [67, 60]


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
