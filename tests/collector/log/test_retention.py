"""Results go after their days, rows stay bounded, and everything that is kept still follows, bit for bit."""
# ruff: noqa: S608 - the conditions are those of this file

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from hgldp.collector.collector import Collector
from hgldp.collector.log import milestones, recovery, rows
from hgldp.collector.log.backup import back_up
from hgldp.collector.log.milestones import IN_A_LIMIT, RESULTS_BEFORE
from hgldp.collector.log.replay import ReplayReport, replay
from hgldp.collector.log.restore import restore
from hgldp.collector.log.schema import FILE
from hgldp.collector.log.task_state import TaskState
from hgldp.collector.views import TaskTerms, TaskView
from hgldp.collector.writer import housekeeping
from hgldp.errors import DamagedLog, InvalidField
from hgldp.schemes.base import RETAINED
from hgldp.tracker import Tracker
from tests.collector.fakes import TASKS, FakeClock, create, now, open_by_hand, upload
from tests.collector.homes import Home

HOUR = 3_600
DAYS = 4
TABLES = ("kept", "results", "bulletins", "milestones")


def live(collector: Collector, views: list[TaskView], clock: FakeClock, hours: int, every: int = 1) -> None:
    """At least one epoch an hour, or one in as many hours as are said, and housekeeping in between."""
    for _ in range(hours // every):
        for view in views:
            here = now(collector, view)
            collector.offer(here, upload(here, 4, here.bulletins[0]))
            collector.offer(here, upload(here, 6))
        for _ in range(2):
            collector.step()
            clock.advance(every * HOUR / 2)
        for view in views:
            collector.seal(view.id)


def tidy(collector: Collector, clock: FakeClock) -> None:
    for _ in range(60):
        clock.advance(housekeeping.ROUND_SECONDS)
        collector.step()


def counts(folder: Path, task: int) -> dict[str, int]:
    with closing(sqlite3.connect(folder / FILE)) as database:
        counted = "SELECT COUNT(*) FROM {} WHERE task = ?"
        return {table: database.execute(counted.format(table), (task,)).fetchone()[0] for table in TABLES}


def agreed(folder: Path) -> tuple[int, int]:
    return checked(replay(folder))


def checked(report: ReplayReport) -> tuple[int, int]:
    assert report.agrees, str(report.difference)
    assert report.unwritten == 0
    return report.reports, report.earlier


def counted(home: Home, task: int) -> dict[str, int]:
    return {table: home.rows(table, task) for table in TABLES}


def agreed_at(home: Home) -> tuple[int, int]:
    return checked(home.replayed())


@pytest.mark.parametrize("task", TASKS, ids=lambda task: f"{task.scheme}-{task.domain.size}")
def test_rows_stay_bounded_and_everything_that_is_kept_follows(tmp_path: Path, task: object) -> None:
    clock = FakeClock()
    collector = open_by_hand(tmp_path, clock)
    (view,) = create(collector, task, reports_kept_hours=24, results_kept_days=DAYS)  # type: ignore[arg-type]
    sizes, published = [], {}
    for day in range(1, 12):
        live(collector, [view], clock, 24, every=6)
        tidy(collector, clock)
        published |= {each.epoch: each for each in collector.history(view.id)}
        sizes.append(counts(tmp_path, view.number))
        seen = now(collector, view)
        assert sum(agreed(tmp_path)) == seen.reports
        assert seen.first_epoch == min(each.epoch for each in collector.history(view.id))
        if day % 4 == 0:
            before = (seen.top, seen.first_epoch, collector.history(view.id))
            collector.close()
            collector = open_by_hand(tmp_path, clock)
            seen = now(collector, view)
            assert (seen.top, seen.first_epoch, collector.history(view.id)) == before
    assert seen.first_epoch > 20
    milestone = collector.history(view.id)[RESULTS_BEFORE - 1].published
    assert DAYS <= (clock.now() - milestone) / 86_400 < DAYS * (1 + 1 / IN_A_LIMIT) + 0.3
    for table in TABLES:
        assert max(each[table] for each in sizes[7:]) <= 1.2 * max(each[table] for each in sizes[:6]), table
    assert sizes[-1]["milestones"] <= IN_A_LIMIT + 2
    kept = sizes[-1]["kept"]
    assert sizes[-1]["results"] == kept + RESULTS_BEFORE
    assert sizes[-1]["bulletins"] == kept + RETAINED
    assert all(each == published[each.epoch] for each in collector.history(view.id))
    collector.close()


def test_a_task_without_a_limit_has_no_milestones_and_keeps_everything(home: Home) -> None:
    clock = FakeClock()
    collector = home.collector(clock)
    views = create(collector, *TASKS, reports_kept_hours=1)
    live(collector, views, clock, 10)
    clock.advance(400 * 86_400)
    tidy(collector, clock)
    collector.close()
    for view in views:
        found = counted(home, view.number)
        assert found["milestones"] == 0
        assert found["results"] == found["kept"] == found["bulletins"] - 1 >= 10


def test_a_quiet_task_keeps_its_last_results_and_goes_on(home: Home) -> None:
    clock = FakeClock()
    collector = home.collector(clock)
    views = create(collector, *TASKS, reports_kept_hours=1, results_kept_days=1)
    live(collector, views, clock, 30, every=3)
    clock.advance(400 * 86_400)
    tidy(collector, clock)
    for view in views:
        found = counted(home, view.number)
        assert found["milestones"] == 1
        assert found["results"] <= 2 * 24 / IN_A_LIMIT + RESULTS_BEFORE
    for _ in range(2):
        collector.close()
        assert sum(agreed_at(home)) == 10 * 10 * 3
        collector = home.collector(clock)
    live(collector, views, clock, 30, every=3)
    tidy(collector, clock)
    collector.close()
    assert sum(agreed_at(home)) == 20 * 10 * 3


def test_a_restart_right_after_everything_before_the_last_seal_went_goes_on_with_the_same_digests(
    tmp_path: Path,
) -> None:
    """Each seal is a milestone: what is kept of epochs is gone up to the last one."""
    clock = FakeClock()
    collector = open_by_hand(tmp_path, clock)
    views = create(collector, *TASKS, reports_kept_hours=1, results_kept_days=1)
    for _ in range(12):
        live(collector, views, clock, 1)
        for view in views:
            collector.seal(view.id)
        clock.advance(10 * HOUR)
    clock.advance(30 * HOUR)
    tidy(collector, clock)
    tops = [now(collector, view).top for view in views]
    assert [counts(tmp_path, view.number)["kept"] for view in views] == [0, 0, 0]
    collector.close()
    collector = open_by_hand(tmp_path, clock)
    assert [now(collector, view).top for view in views] == tops
    live(collector, views, clock, 3)
    collector.close()
    assert sum(agreed(tmp_path)) == 15 * 10 * 3


@pytest.fixture(scope="module")
def aged(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A database whose first epochs are gone."""
    folder, clock = tmp_path_factory.mktemp("aged"), FakeClock()
    collector = open_by_hand(folder, clock)
    views = create(collector, *TASKS, reports_kept_hours=3, results_kept_days=1)
    live(collector, views, clock, 50, every=2)
    tidy(collector, clock)
    collector.close()
    return (folder / FILE).read_bytes()


def change(folder: Path, change: str, *values: object) -> None:
    with closing(sqlite3.connect(folder / FILE)) as database:
        assert database.execute(change, values).rowcount > 0
        database.commit()


def rewrite(folder: Path, oldest: bool, **fields: Callable[[object], object]) -> None:
    """A milestone of task 1 with other values and the right hash."""
    order = "ASC" if oldest else "DESC"
    with closing(sqlite3.connect(folder / FILE)) as database:
        row = database.execute(f"SELECT * FROM milestones WHERE task = 1 ORDER BY epoch {order}").fetchone()
        names = [each[0] for each in database.execute("SELECT * FROM milestones").description]
        values = [fields.get(name, lambda same: same)(value) for name, value in zip(names[:-1], row[:-1], strict=True)]
        database.execute("DELETE FROM milestones WHERE task = 1 AND epoch = ?", (row[1],))
        digest = rows.hash_of(tuple(values))
        database.execute("INSERT INTO milestones VALUES (?,?,?,?,?,?,?,?,?)", (*values, digest))
        database.commit()


def test_without_damage_it_agrees(tmp_path: Path, aged: bytes) -> None:
    (tmp_path / FILE).write_bytes(aged)
    assert sum(agreed(tmp_path)) == 25 * 10 * 3
    rewrite(tmp_path, oldest=True)
    assert sum(agreed(tmp_path)) == 25 * 10 * 3


FIRST = "task = 1 AND epoch = (SELECT epoch FROM kept_from WHERE task = 1)"
LAST = "task = 1 AND epoch = (SELECT MAX(epoch) FROM milestones WHERE task = 1)"


@pytest.mark.parametrize("which", [FIRST, LAST])
@pytest.mark.parametrize("column", ["state", "kept_digest", "shown", "digest"])
def test_a_changed_byte_of_a_milestone_is_a_difference(tmp_path: Path, aged: bytes, which: str, column: str) -> None:
    (tmp_path / FILE).write_bytes(aged)
    with closing(sqlite3.connect(tmp_path / FILE)) as database:
        data = bytearray(database.execute(f"SELECT {column} FROM milestones WHERE {which}").fetchone()[0])
    data[len(data) // 2] ^= 1
    change(tmp_path, f"UPDATE milestones SET {column} = ? WHERE {which}", bytes(data))
    assert "milestone" in str(replay(tmp_path).difference)


@pytest.mark.parametrize(
    ("damage", "what"),
    [
        (lambda folder: rewrite(folder, oldest=True, epoch=lambda epoch: epoch + 1), "begin with a milestone"),
        (lambda folder: rewrite(folder, oldest=False, epoch=lambda epoch: epoch - 1), "after one that is missing"),
        (lambda folder: rewrite(folder, oldest=True, time=lambda time: time - 1), "milestone"),
        (lambda folder: rewrite(folder, oldest=True, kept_digest=lambda _: bytes(32)), "tally"),
        (lambda folder: rewrite(folder, oldest=True, position=lambda at: at - 1), "milestone"),
        (lambda folder: change(folder, "UPDATE kept_from SET epoch = epoch + 1 WHERE task = 1"), "milestone"),
        (lambda folder: change(folder, "DELETE FROM kept_from WHERE task = 1"), ""),
        (lambda folder: change(folder, f"DELETE FROM milestones WHERE {FIRST}"), "begin with a milestone"),
        (lambda folder: change(folder, f"DELETE FROM milestones WHERE {LAST}"), "after one that is missing"),
        (lambda folder: change(folder, f"DELETE FROM kept WHERE {FIRST}"), ""),
        (
            lambda folder: change(
                folder, "UPDATE results SET lines = replace(lines, '1', '2') WHERE task = 1 AND epoch = "
                "(SELECT epoch - 1 FROM kept_from WHERE task = 1)",
            ),
            "from before",
        ),
        (
            lambda folder: change(
                folder, "DELETE FROM bulletins WHERE task = 1 AND epoch = "
                "(SELECT epoch - 3 FROM kept_from WHERE task = 1)",
            ),
            "right before",
        ),
    ],
)  # fmt: skip
def test_a_wrong_milestone_is_a_difference(
    tmp_path: Path, aged: bytes, damage: Callable[[Path], None], what: str
) -> None:
    (tmp_path / FILE).write_bytes(aged)
    damage(tmp_path)
    report = replay(tmp_path)
    assert report.difference is not None
    assert what in str(report.difference)


def test_the_state_of_another_milestone_is_a_difference(tmp_path: Path, aged: bytes) -> None:
    (tmp_path / FILE).write_bytes(aged)
    with closing(sqlite3.connect(tmp_path / FILE)) as database:
        other = database.execute(f"SELECT state FROM milestones WHERE {LAST}").fetchone()[0]
    rewrite(tmp_path, oldest=True, state=lambda _: other)
    assert "milestone" in str(replay(tmp_path).difference)


def test_a_start_refuses_a_damaged_last_milestone(tmp_path: Path, aged: bytes) -> None:
    (tmp_path / FILE).write_bytes(aged)
    change(tmp_path, f"UPDATE milestones SET state = zeroblob(length(state)) WHERE {LAST}")
    with pytest.raises(DamagedLog, match="milestone of epoch"):
        open_by_hand(tmp_path, FakeClock())


def as_it_is(_: TaskState) -> None:
    """Nothing is planted."""


def forget_the_digest(state: TaskState) -> None:
    state.kept_digest = bytes(32)


def forget_the_last_milestone(state: TaskState) -> None:
    state.last_milestone = None


@pytest.mark.parametrize("plant", [as_it_is, forget_the_digest, forget_the_last_milestone])
def test_planted_bugs_of_a_restart_are_seen(
    tmp_path: Path, aged: bytes, monkeypatch: pytest.MonkeyPatch, plant: Callable[[TaskState], None]
) -> None:
    (tmp_path / FILE).write_bytes(aged)
    honest, clock = recovery._restored, FakeClock()
    clock.advance(50 * HOUR)  # right after its last epoch

    def restored(*arguments: object) -> TaskState:
        state = honest(*arguments)  # type: ignore[arg-type]
        plant(state)
        return state

    monkeypatch.setattr(recovery, "_restored", restored)
    collector = open_by_hand(tmp_path, clock)
    live(collector, list(collector.tasks()), clock, 4)
    collector.close()
    assert replay(tmp_path).agrees is (plant is as_it_is)


@pytest.mark.parametrize("late", ["results_from", "bulletins_from"])
def test_the_planted_bug_that_deletes_too_much_is_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, late: str
) -> None:
    monkeypatch.setattr(milestones, late, lambda epoch: epoch)
    clock = FakeClock()
    collector = open_by_hand(tmp_path, clock)
    views = create(collector, *TASKS, reports_kept_hours=3, results_kept_days=1)
    live(collector, views, clock, 40, every=2)
    tidy(collector, clock)
    collector.close()
    assert "right before" in str(replay(tmp_path).difference)


def test_a_kill_between_the_steps_of_a_deletion_leaves_what_agrees(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(milestones, "AT_ONCE", 2)
    clock = FakeClock()
    collector = open_by_hand(tmp_path, clock)
    views = create(collector, *TASKS, reports_kept_hours=3, results_kept_days=1)
    live(collector, views, clock, 8)
    clock.advance(30 * HOUR)
    collector.compact()
    live(collector, views, clock, 6)
    clock.advance(16 * HOUR)
    steps = 0
    for view in views:
        collector.compact(all_reports=True)
        while collector.storage.expire(view.number, clock.now() - 5 * HOUR):
            steps += 1
            assert sum(agreed(tmp_path)) == 14 * 10 * 3
    assert steps > 20
    collector.close()


def test_compact_applies_it_and_a_backup_holds_it(tmp_path: Path) -> None:
    clock, folder = FakeClock(), tmp_path / "data"
    collector = open_by_hand(folder, clock)
    views = create(collector, *TASKS, reports_kept_hours=3, results_kept_days=1)
    for _ in range(3):
        for _ in range(12):
            for view in views:
                collector.offer(now(collector, view), upload(now(collector, view), 10))
            collector.step()
        clock.advance(20 * HOUR)
    collector.step()  # a timer may be over
    before = counts(folder, 1)
    collector.compact()
    assert all(counts(folder, 1)[table] < before[table] for table in TABLES)
    history = [collector.history(view.id) for view in views]
    collector.close()
    back_up(folder, tmp_path / "copy.tar")
    restore(tmp_path / "copy.tar", tmp_path / "again")
    assert agreed(tmp_path / "again") == agreed(folder)
    again = open_by_hand(tmp_path / "again", clock)
    assert [again.history(view.id) for view in views] == history
    again.delete_task(views[0].id)
    tidy(again, clock)
    assert counts(tmp_path / "again", 1) == dict.fromkeys(TABLES, 0)
    assert again.storage.kept_from(1) == 0
    again.close()
    agreed(tmp_path / "again")


def test_a_folder_that_was_made_before_there_were_milestones_just_works(tmp_path: Path) -> None:
    clock = FakeClock()
    collector = open_by_hand(tmp_path, clock)
    views = create(collector, *TASKS)
    live(collector, views, clock, 3)
    collector.close()
    with closing(sqlite3.connect(tmp_path / FILE)) as database:
        database.execute("DROP TABLE milestones")
        database.execute("DROP TABLE kept_from")
        database.execute("ALTER TABLE ids DROP COLUMN digest")
        database.execute("UPDATE tasks SET terms = json_remove(terms, '$.results_kept_days')")
        database.commit()
    assert sum(agreed(tmp_path)) == 90
    collector = open_by_hand(tmp_path, clock)
    live(collector, views, clock, 3)
    assert now(collector, views[0]).terms.results_kept_days == 0
    collector.close()
    assert sum(agreed(tmp_path)) == 180


def test_a_scheme_that_cannot_write_its_epoch_down_keeps_its_results(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Tracker, "open_epoch", lambda _: None)
    clock = FakeClock()
    collector = open_by_hand(tmp_path, clock)
    views = create(collector, *TASKS, reports_kept_hours=1, results_kept_days=1)
    live(collector, views, clock, 40, every=2)
    tidy(collector, clock)
    collector.close()
    assert all(counts(tmp_path, view.number)["milestones"] == 0 for view in views)
    assert agreed(tmp_path) == (20 * 10 * 3, 0)


@pytest.mark.parametrize(("hours", "days"), [(168, 6), (0, 30), (24, -1), (24, 36_501)])
def test_results_must_not_go_before_their_reports(hours: int, days: int) -> None:
    with pytest.raises(InvalidField, match="results_kept_days"):
        TaskTerms("words", reports_kept_hours=hours, results_kept_days=days)
    assert TaskTerms("words", results_kept_days=7).results_kept_days == 7
