"""The tasks of a data folder, as they were after the last durable entry."""

from pathlib import Path

from hgldp.collector.log.storage import Storage, TaskRow
from hgldp.collector.log.task_state import TaskState
from hgldp.collector.log.upload_ids import UploadIds
from hgldp.errors import DamagedLog
from hgldp.model.task import Task
from hgldp.schemes.base import RETAINED
from hgldp.wire.bulletin import read_bulletin
from hgldp.wire.task import read_task


def recover(storage: Storage, folder: Path, remembered_ids: int) -> dict[int, TaskState]:
    """By number. What follows from the last entries and was not written yet is in the `derived` of each state."""
    return {row.number: _recover_task(storage, row, UploadIds(folder, remembered_ids)) for row in storage.tasks()}


def read_task_row(row: TaskRow) -> Task:
    """The task, if it is the one that the row names."""
    task = read_task(row.document)
    if task.id != row.id:
        raise DamagedLog(f"task {row.number} must have the id of its document")
    return task


def _recover_task(storage: Storage, row: TaskRow, upload_ids: UploadIds) -> TaskState:
    """From the last snapshot on; entries before it are read only for ids that could still be sent again."""
    task, snapshot = read_task_row(row), storage.snapshot(row.number)
    if snapshot is None:
        state, position, consumed, accepted_since = TaskState.start(row, task, upload_ids), 0, 0, 0
        if storage.bulletins(row.number, 1):
            state.derived.bulletins.clear()
    else:
        bulletins = storage.bulletins(row.number, RETAINED)
        if not bulletins:
            raise DamagedLog(f"task {row.number} must have published a bulletin")
        read = [read_bulletin(each.data, each.version) for each in bulletins]
        state = TaskState.restore(row, task, snapshot, read, upload_ids)
        if state.bulletin.version != bulletins[-1].version:
            raise DamagedLog(f"task {row.number} must have published what its state says")
        state.published = bulletins[-1].published
        if len(bulletins) > 1:
            state.last_epoch_seconds = max(0.0, bulletins[-1].published - bulletins[-2].published)
        position, consumed, accepted_since = snapshot.position, snapshot.consumed, bulletins[0].position
        before, latest = ([()] * 2 + [each.result.top for each in storage.latest_results(row.number, 2)])[-2:]
        state.items_before, state.published_items = before, latest
    for entry in storage.entries(row.number, min(position, accepted_since)):
        if entry.position >= position:
            state.apply(entry, consumed if entry.position == position else 0)
        state.remember(entry)
    state.refresh_top()
    return state
