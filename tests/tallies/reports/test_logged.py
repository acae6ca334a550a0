"""The reports in a collector's log, counted offline, are those that the collector counted."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from shutil import copytree
from weakref import WeakSet

import pyarrow as pa
import pytest
from pyarrow import parquet

from hgldp.collector.donation import Donation
from hgldp.collector.log.reading import Frozen
from hgldp.collector.log.schema import FILE
from hgldp.collector.log.storage import KeptEpoch
from hgldp.collector.views import TaskTerms
from hgldp.errors import DamagedLog, InvalidField
from hgldp.model.task import Task
from hgldp.tallies import SealState, Tally, combine, estimate
from hgldp.tallies.from_collector import state_of
from hgldp.tallies.reports.counting import count_files
from hgldp.tallies.reports.layout import UPLOADS
from hgldp.tallies.reports.logged import LoggedReports
from tests.collector.fakes import HOT, FakeClock, create, open_by_hand
from tests.tallies.lives import FAMILIES, LISTED, Life, pairs


@pytest.fixture
def log(life: Life) -> Iterator[Frozen]:
    with closing(Frozen(life.folder)) as storage:
        yield storage


def task_of(life: Life) -> Task:
    return next(task for task in FAMILIES.values() if task.id == life.row.id)


def test_every_epoch_follows_from_the_reports_in_the_log(life: Life, log: Frozen) -> None:
    """States, bulletins and results, bit for bit: also where an epoch ended in the middle of an entry."""
    logged, state = LoggedReports(log, life.row), SealState.start(task_of(life), life.row.seed)
    assert any(each.consumed > 0 for each in life.kept)
    for kept, published, bulletin in pairs(life):
        sealed = estimate(state, logged.tally(kept.epoch), published=published.result.published)
        assert (sealed.bulletin.canonical, sealed.result) == (bulletin.data, published.result)
        state = sealed.state
    snapshot = log.snapshot(life.row.number)
    assert snapshot is not None
    assert state.tracker == snapshot.state
    assert state.write() == state_of(log, life.row).write()
    assert logged.tally() == combine([*(logged.tally(each.epoch) for each in life.kept), logged.tally(since_seal=True)])
    assert logged.tally(since_seal=True)


def test_planted_a_count_that_does_not_cut_inside_an_entry_is_noticed(
    life: Life, log: Frozen, monkeypatch: pytest.MonkeyPatch
) -> None:
    logged = LoggedReports(log, life.row)
    right = [logged.tally(each.epoch) for each in life.kept]
    monkeypatch.setattr(log, "each_kept", lambda *_: (replace(each, consumed=0) for each in life.kept))
    assert sum(logged.tally(each.epoch) != tally for each, tally in zip(life.kept, right, strict=True)) > 3


def test_of_what_epochs_brought_no_more_than_two_are_in_memory(
    life: Life, log: Frozen, monkeypatch: pytest.MonkeyPatch
) -> None:
    alive, most, honest = WeakSet[KeptEpoch](), 0, log.each_kept

    def each_kept(task: int, first: int) -> Iterator[KeptEpoch]:
        nonlocal most
        for each in honest(task, first):
            alive.add(each)
            most = max(most, len(alive))
            yield each

    monkeypatch.setattr(log, "each_kept", each_kept)
    assert LoggedReports(log, life.row).tally(5)
    assert most == 2 < len(life.kept)


def test_a_state_from_a_folder_goes_on_as_the_collector_does(life: Life, log: Frozen, tmp_path: Path) -> None:
    state, opened = state_of(log, life.row), LoggedReports(log, life.row).tally(since_seal=True)
    sealed = estimate(state, opened)
    copytree(life.folder, tmp_path / "copy")
    collector = open_by_hand(tmp_path / "copy", FakeClock())
    collector.seal(life.row.id)
    collector.close()
    with closing(Frozen(tmp_path / "copy")) as after:
        (row,) = after.latest_results(1, 1)
        (bulletin,) = after.bulletins(1, 1)
        assert sealed.result.top == row.result.top
        assert sealed.bulletin.canonical == bulletin.data
        assert sealed.state.write() == state_of(after, life.row).write()


def test_the_uploads_of_a_log_are_a_table_with_the_same_tally(life: Life, log: Frozen, tmp_path: Path) -> None:
    tables = list(LoggedReports(log, life.row).tables())
    whole = pa.Table.from_batches(tables)
    assert whole.schema == UPLOADS
    assert len(tables) == 1  # many entries, one batch
    parquet.write_table(pa.concat_tables([whole, whole]), tmp_path / "all.parquet")
    found = count_files([tmp_path / "all.parquet"])
    assert found.tally == LoggedReports(log, life.row).tally()
    assert found.repeated == whole.num_rows
    total = state_of(log, life.row).new_of(
        Tally({version: counts for version, counts in found.tally.counts.items() if version in _read(log, life)})
    )
    assert total == LoggedReports(log, life.row).tally(since_seal=True)


def _read(log: Frozen, life: Life) -> set[str]:
    return set(state_of(log, life.row).symbol_limits)


def test_a_new_task_begins_with_its_first_bulletin(tmp_path: Path) -> None:
    collector = open_by_hand(tmp_path, FakeClock())
    create(collector, *FAMILIES.values(), HOT)
    collector.close()
    with closing(Frozen(tmp_path)) as log:
        *ours, hot = log.tasks()
        for row in ours:
            state = state_of(log, row)
            (bulletin,) = log.bulletins(row.number)
            assert (state.bulletin.canonical, state.counted) == (bulletin.data, Tally())
            assert not LoggedReports(log, row).tally(since_seal=True)
            with pytest.raises(InvalidField, match="epoch must be one that has ended; none has, got 0"):
                LoggedReports(log, row).tally(0)
        for refused in (state_of, LoggedReports):
            with pytest.raises(InvalidField, match="scheme must be pfr"):
                refused(log, hot)


def test_a_task_with_a_warm_up_begins_with_it(tmp_path: Path) -> None:
    collector = open_by_hand(tmp_path, FakeClock())
    given = Donation.of(LISTED.domain, [[7, 30], [9, 20]])
    collector.create_task(LISTED, TaskTerms("given", warmup=given.size), given)
    collector.close()
    with closing(Frozen(tmp_path)) as log:
        (row,) = log.tasks()
        state, (bulletin,) = state_of(log, row), log.bulletins(1)
        assert (state.bulletin.canonical, state.bulletin.leaves[:2]) == (bulletin.data, (7, 9))
        assert state != SealState.start(LISTED, row.seed)


@pytest.mark.parametrize("change", ["UPDATE log SET symbols = zeroblob(length(symbols))", "DELETE FROM log"])
@pytest.mark.parametrize("epoch", [None, 3, 4])
def test_a_changed_entry_is_noticed(life: Life, tmp_path: Path, epoch: int | None, change: str) -> None:
    """Epoch 3 ends in the middle of it and epoch 4 begins there."""
    copytree(life.folder, tmp_path / "copy")
    place = life.kept[3].position
    assert life.kept[3].consumed
    with closing(sqlite3.connect(tmp_path / "copy" / FILE)) as database:
        database.execute(f"{change} WHERE position = ?", (place,))
        database.commit()
    with closing(Frozen(tmp_path / "copy")) as log, pytest.raises(DamagedLog, match=r"entry \d+ of task"):
        LoggedReports(log, life.row).tally(epoch)


def test_an_epoch_whose_reports_are_gone_is_refused(life: Life, tmp_path: Path) -> None:
    copytree(life.folder, tmp_path / "copy")
    collector = open_by_hand(tmp_path / "copy", FakeClock())
    collector.compact(all_reports=True)
    collector.close()
    with closing(Frozen(tmp_path / "copy")) as log:
        logged = LoggedReports(log, life.row)
        assert not logged.tally()
        with pytest.raises(InvalidField, match="must be one whose reports the log still holds"):
            logged.tally(2)
        with pytest.raises(InvalidField, match=r"epoch must be one of 0 … \d+, got 10000"):
            logged.tally(10_000)
        assert state_of(log, life.row).counted
