"""The tasks of a data folder, as they were after the last durable entry."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from hgldp.collector.donation import NOTHING_GIVEN, Donation
from hgldp.collector.log.milestones import hash_of_shown, results_from
from hgldp.collector.log.reading import Reading
from hgldp.collector.log.storage import BulletinRow, Milestone, ResultRow, Snapshot, Storage, Takeover, TaskRow
from hgldp.collector.log.task_state import TaskState
from hgldp.errors import DamagedLog
from hgldp.model.task import Task
from hgldp.schemes.base import RETAINED
from hgldp.wire.bulletin import read_bulletin
from hgldp.wire.task import read_task, with_its_list

Progress = Callable[[int, int], None]
State = TypeVar("State", bound=TaskState)


def recover(
    storage: Storage | Reading, progress: Progress | None = None, kind: type[TaskState] = TaskState
) -> dict[int, TaskState]:
    """By number. What follows from the last entries and was not written yet is in the `derived` of each state.

    Every entry that is read is checked against the chain. `progress` is told how many tasks of how many are ready.
    """
    found: dict[int, TaskState] = {}
    rows = storage.tasks()
    for row in rows:
        if progress is not None:
            progress(len(found), len(rows))
        found[row.number] = recover_with_top(storage, row, kind)
    return found


def recover_with_top(storage: Storage | Reading, row: TaskRow, kind: type[TaskState] = TaskState) -> TaskState:
    """One task, with the top that people see of it."""
    state = recover_task(storage, row, kind)
    if state.is_slow:
        state.top.show_result(storage.latest_results(row.number, 1))
    else:
        state.top.refresh()
    return state


def read_task_row(row: TaskRow) -> Task:
    """The task, if it is the one that the row names."""
    task = with_its_list(read_task(row.document), row.hints)
    if task.id != row.id:
        raise DamagedLog(f"task {row.number} must have the id of its document")
    return task


def given_to(row: TaskRow, found: Donation | None) -> Donation:
    """What a task started from: what is stored for it, if that is as much as its terms say."""
    given = found or NOTHING_GIVEN
    if given.size != row.terms.warmup:
        raise DamagedLog(
            f"task {row.number} must have a warm-up of {row.terms.warmup:,} items, but it has {given.size:,}"
        )
    return given


def recover_task(storage: Storage | Reading, row: TaskRow, kind: type[State]) -> State:
    """From the last snapshot on: it is never far behind the end of the log. The top is not computed yet."""
    snapshot = storage.snapshot(row.number)
    state = _started(storage, row, kind) if snapshot is None else _restored(storage, row, snapshot, kind)
    state.upload_ids.load(storage.id_pieces(row.number))
    state.choose_accepted()
    for entry in storage.entries(row.number, 1 if snapshot is None else snapshot.upto + 1):
        if not entry.follows(state.chain):
            raise DamagedLog(
                f"entry {entry.position} of task {row.id.hex()} must be the one that was written, but its bytes have "
                f"changed: of this task, {entry.reports:,} reports and all later ones cannot be counted. Nothing was "
                "changed. Restore a backup (hgldp restore)"
            )
        partly = snapshot is not None and entry.position == snapshot.position
        state.count(entry, snapshot.consumed if snapshot is not None and partly else 0)
    return state


def _started(storage: Storage | Reading, row: TaskRow, kind: type[State]) -> State:
    given = given_to(row, storage.warmup(row.number))
    state = kind.start(row, read_task_row(row), storage.secret, given)
    for first in storage.bulletins(row.number, 1):
        state.begin_with(first)
        state.derived.bulletins.clear()  # it is written
    return state


def _restored(storage: Storage | Reading, row: TaskRow, snapshot: Snapshot, kind: type[State]) -> State:
    bulletins = storage.bulletins(row.number, RETAINED)
    if not bulletins:
        raise DamagedLog(f"task {row.number} must have published a bulletin")
    read = [read_bulletin(each.data, each.version) for each in bulletins]
    state = kind.restore(row, read_task_row(row), snapshot, read, storage.secret)
    if state.bulletin.version != bulletins[-1].version:
        raise DamagedLog(f"task {row.number} must have published what its state says")
    state.published = bulletins[-1].published
    if len(bulletins) > 1:
        state.last_epoch_seconds = max(0.0, bulletins[-1].published - bulletins[-2].published)
    before, latest = ([()] * 2 + [each.result.top for each in storage.latest_results(row.number, 2)])[-2:]
    state.top.before, state.top.published = before, latest
    if row.terms.results_kept_days:
        state.first_epoch = results_from(storage.kept_from(row.number))
        if (milestone := storage.latest_milestone(row.number)) is not None:
            state.last_milestone, state.kept_digest = milestone.time, milestone.kept_digest
    for kept in storage.kept(row.number, 1):
        state.kept_digest = kept.digest
    return state


def begin_at(
    milestone: Milestone, row: TaskRow, bulletins: Sequence[BulletinRow], results: Sequence[ResultRow]
) -> TaskState:
    """The task right after the seal before a milestone, from it and what stays from before: or a DamagedLog."""
    read = [read_bulletin(each.data, each.version) for each in bulletins]
    chain = milestone.chain if isinstance(milestone, Takeover) else b""
    place = (milestone.position, milestone.consumed, milestone.state, milestone.position, chain, None)
    state = TaskState.restore(row, read_task_row(row), Snapshot(row.number, *place), read, bytes(16))
    before, last = ([()] * 2 + [each.result.top for each in results])[-2:]
    published = BulletinRow(
        state.bulletin.version,
        row.number,
        milestone.epoch,
        milestone.position,
        milestone.time,
        state.bulletin.canonical,
    )
    latest = results[-1] if results else None
    if bulletins[-1:] != [published] or hash_of_shown(read, latest, before) != milestone.shown:
        raise DamagedLog(f"what is kept from before epoch {milestone.epoch} must be what its milestone says")
    state.published, state.top.published, state.top.before = milestone.time, last, before
    state.kept_digest, state.last_milestone = milestone.kept_digest, milestone.time
    return state
