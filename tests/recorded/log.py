"""The log of a collector: a folder that 0.1.0 wrote, replayed, recovered and gone on with, and the same built anew."""

import gzip
import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from hgldp.collector.log.entry import Entry
from hgldp.collector.log.migration import OLD_FORMAT, OLD_START, migrate
from hgldp.collector.log.replay import replay
from tests.recorded.folder_life import ROUNDS, SECONDS, TASKS, FolderLife
from tests.recorded.record import Case, Found
from tests.recorded.world import plain, steady_entropy

FIXTURE = Path(__file__).parent / "collector-0.1.0.sqlite3.gz"
DATABASE = "collector.sqlite3"
LINE = ("item", "estimate", "standard_error", "low", "high", "tracked_count", "tracked_error", "since", "rank_change")
OLD_TERMS = ("name", "results", "origins", "reports_per_second", "reports_per_day")
REPLAYED = ("agrees", "tasks", "entries", "reports", "taken_over", "bulletins", "epochs", "unwritten")
OF_A_TASK = {
    "task": "SELECT number, id, document, seed, terms, created, write_digest, read_digest FROM tasks WHERE number = ?",
    "bulletins": "SELECT version, epoch, position, published, data FROM bulletins WHERE task = ? ORDER BY epoch",
    "results": "SELECT epoch, position, published, reports, bulletin, lines FROM results WHERE task = ? ORDER BY epoch",
    "snapshot": "SELECT position, consumed, state FROM snapshots WHERE task = ?",
    "entries": "SELECT position, grp, time, kind, bulletin, reports, chain, ids, counts, symbols FROM log"
    " WHERE task = ? ORDER BY position",
}
OF_ALL = {
    "chain-end": "SELECT position, grp, chain FROM log ORDER BY position DESC LIMIT 1",
    "days": "SELECT task, day, reports FROM days ORDER BY task, day",
    "format": "PRAGMA user_version",
}


def tables(folder: Path) -> dict[str, str]:
    """Every row of the database, task by task, and where its chain of hashes ends.

    A later format is shown as 0.1.0 would have written it: with one chain for all tasks, and without terms and
    numbers that it did not know.
    """
    with closing(sqlite3.connect(":memory:")) as reader:
        with closing(sqlite3.connect(folder / DATABASE)) as source:
            source.backup(reader)
        if reader.execute("PRAGMA user_version").fetchone() != (OLD_FORMAT,):
            _as_before(reader)
        found = {name: _rows(reader.execute(sql)) for name, sql in OF_ALL.items()}
        for number, task in enumerate(TASKS, start=1):
            for name, sql in OF_A_TASK.items():
                found[f"{task}-{name}"] = _rows(reader.execute(sql, (number,)))
    return found


def _as_before(reader: sqlite3.Connection) -> None:
    reader.execute("ALTER TABLE log RENAME COLUMN batch TO grp")
    chain = OLD_START
    for row in reader.execute("SELECT * FROM log ORDER BY position").fetchall():
        chain = Entry(*row).link(chain)
        reader.execute("UPDATE log SET chain = ? WHERE position = ?", (chain, row[0]))
    for number, text in reader.execute("SELECT number, terms FROM tasks").fetchall():
        terms = {name: value for name, value in json.loads(text).items() if name in OLD_TERMS}
        reader.execute("UPDATE tasks SET terms = ? WHERE number = ?", (json.dumps(terms), number))
    for task, epoch, text in reader.execute("SELECT task, epoch, lines FROM results").fetchall():
        lines = json.dumps([line[: len(LINE)] for line in json.loads(text)], ensure_ascii=False)
        reader.execute("UPDATE results SET lines = ? WHERE task = ? AND epoch = ?", (lines, task, epoch))


def _rows(rows: sqlite3.Cursor) -> str:
    lines = [" ".join(part.hex() if isinstance(part, bytes) else plain(part) for part in row) for row in rows]
    return "\n".join(lines)


def write_fixture() -> None:
    """Once, by 0.1.0: what is there already stays."""
    if FIXTURE.exists():
        raise FileExistsError(f"{FIXTURE.name} was made by 0.1.0 and must stay as it is")
    with TemporaryDirectory() as folder:
        FolderLife(Path(folder)).run()
        FIXTURE.write_bytes(gzip.compress((Path(folder) / DATABASE).read_bytes(), mtime=0))


@contextmanager
def old_folder() -> Iterator[Path]:
    """A copy of the folder that 0.1.0 left."""
    with TemporaryDirectory() as folder:
        (Path(folder) / DATABASE).write_bytes(gzip.decompress(FIXTURE.read_bytes()))
        yield Path(folder)


def _kept() -> Found:
    with old_folder() as folder:
        return tables(folder)


def _replayed() -> Found:
    with old_folder() as folder:
        migrate(folder, entropy=steady_entropy("migration"))
        return {"report": _report(folder)}


def _report(folder: Path) -> str:
    report = replay(folder)
    assert report.agrees, str(report.difference)
    return "\n".join(f"{name} {getattr(report, name)}" for name in REPLAYED)


def _recovered() -> Found:
    """The code of today opens the folder of 0.1.0, answers, takes one more round, and everything can be replayed."""
    with old_folder() as folder:
        migrate(folder, entropy=steady_entropy("migration"))
        life = FolderLife(folder, seed=131)
        life.clock.advance(ROUNDS * SECONDS)
        found = {f"{name}-answer": _answer(life, name) for name in TASKS}
        life.round()
        life.collector.close()
        after = {f"gone-on-{name}": text for name, text in tables(folder).items()}
        return found | after | {"receipts": "\n".join(life.receipts), "gone-on-report": _report(folder)}


def _answer(life: FolderLife, name: str) -> str:
    view = life.view(name)
    numbers = (view.epoch, view.reports, view.in_epoch, view.epoch_length, view.state_bytes, view.bulletin.version)
    answer = life.collector.top(view.id)
    lines = [" ".join(plain(getattr(line, field)) for field in LINE) for line in answer.top]
    shown = [" ".join(plain(getattr(line, field)) for field in LINE) for line in view.top]
    return "\n".join([" ".join(map(str, numbers)), f"{answer.epoch} {answer.reports}", *lines, "", *shown])


def _rebuilt() -> Found:
    """The same life again: every row must be the one in the fixture."""
    with TemporaryDirectory() as name:
        life = FolderLife(Path(name))
        life.run()
        return tables(Path(name)) | {"receipts": "\n".join(life.receipts), "report": _report(Path(name))}


CASES: dict[str, Case] = {"0.1.0": _kept, "replayed": _replayed, "recovered": _recovered, "rebuilt": _rebuilt}
