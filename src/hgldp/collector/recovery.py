"""The tasks of a data folder, as they were after the last durable entry."""

from pathlib import Path

from hgldp.collector.entry import RUN
from hgldp.collector.limits import Limits
from hgldp.collector.seen import SeenIds
from hgldp.collector.storage import Storage, TaskRow
from hgldp.collector.task_state import TaskState
from hgldp.errors import DamagedLog
from hgldp.model.task import Task
from hgldp.tracker import RETAINED
from hgldp.wire.bulletin import read_bulletin
from hgldp.wire.task import read_task


def recover(storage: Storage, folder: Path, limits: Limits) -> dict[int, TaskState]:
    """By number. Whatever followed from the last entries and had not been written yet is in their `derived`."""
    return {row.number: _recover_task(storage, row, folder, limits) for row in storage.tasks()}


def read_task_row(row: TaskRow) -> Task:
    """The task, if it is the one that the row names."""
    task = read_task(row.document)
    if task.id != row.id:
        raise DamagedLog(f"task {row.number} must have the id of its document")
    return task


def _recover_task(storage: Storage, row: TaskRow, folder: Path, limits: Limits) -> TaskState:
    task, snapshot = read_task_row(row), storage.snapshot(row.number)
    if snapshot is None:
        state, position, consumed, accepted_since = TaskState.start(row, task), 0, 0, 0
        if storage.bulletins(row.number, 1):
            state.derived.bulletins.clear()
    else:
        bulletins = storage.bulletins(row.number, RETAINED)
        if not bulletins:
            raise DamagedLog(f"task {row.number} must have published a bulletin")
        read = [read_bulletin(each.data, each.version) for each in bulletins]
        state = TaskState.restore(row, task, snapshot, read, bulletins[-1].published)
        if state.tracker.bulletin.version != bulletins[-1].version:
            raise DamagedLog(f"task {row.number} must have published what its state says")
        if len(bulletins) > 1:
            state.last_epoch_seconds = max(0.0, bulletins[-1].published - bulletins[-2].published)
        position, consumed, accepted_since = snapshot.position, snapshot.consumed, bulletins[0].position
        before, latest = ([()] * 2 + [each.result.lines for each in storage.latest_results(row.number, 2)])[-2:]
        state.lines_before, state.published_lines = before, latest
    for entry in storage.entries(row.number, min(position, accepted_since)):
        if entry.position > position:
            state.apply(entry)
        elif entry.position == position:
            state.apply(entry, consumed)
        if entry.kind == RUN and entry.bulletin in state.gates:
            remember(state, entry.bulletin, entry.upload_ids, folder, limits)
    state.forget_old_ids()
    state.refresh_top()
    return state


def remember(state: TaskState, bulletin: bytes, ids: list[bytes], folder: Path, limits: Limits) -> None:
    """That uploads were counted."""
    if bulletin not in state.seen:
        state.seen[bulletin] = SeenIds(folder, limits.remembered_ids)
    state.seen[bulletin].add(ids)
