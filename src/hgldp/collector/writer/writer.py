"""A batch of uploads becomes entries, the entries become durable, and then they count.

The log is committed first and applied afterwards, so that a failed commit leaves nothing to undo. What follows from an
entry (bulletin, results, snapshot) is written with the next commit; after a crash it is derived again.
"""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from hgldp.collector.log.entry import CLOSE, RUN, SEAL, Entry
from hgldp.collector.log.recovery import recover
from hgldp.collector.log.storage import LogEnd, Storage, TaskRow, Transaction
from hgldp.collector.log.task_state import TaskCopy, TaskState
from hgldp.collector.problems import Problem, Refused
from hgldp.collector.settings import Limits
from hgldp.collector.views import TaskView
from hgldp.collector.writer.batch import Batch
from hgldp.collector.writer.pending import PendingUpload
from hgldp.collector.writer.queue import DELETE, Command
from hgldp.collector.writer.quotas import DailyCap
from hgldp.collector.writer.schedule import EpochTimer, LiveTops
from hgldp.errors import StorageFailed
from hgldp.system.clock import Clock, day_of

RETRY_SECONDS = 5


class Writer:
    """Called by one thread at a time. `failing` says whether the last thing to be written could not be."""

    def __init__(self, storage: Storage, folder: Path, clock: Clock, limits: Limits) -> None:
        self._storage, self._folder, self._clock, self._limits = storage, folder, clock, limits
        self._tops = LiveTops(clock, limits.refresh_milliseconds / 1000)
        self.failing = False
        self._deleted = False
        self.reload()
        self._changed.clear()

    def reload(self) -> None:
        """Read everything from the store: at the start, and after an unexpected error."""
        self._states: dict[int, TaskState] = recover(self._storage, self._folder, self._limits.remembered_ids)
        self._end: LogEnd = self._storage.end()
        self._timer = EpochTimer(self._clock, self._states.values())
        self._caps = {number: self._cap(state) for number, state in self._states.items()}
        self._changed: set[int] = set(self._states)
        self._unwritten: set[int] = {number for number, state in self._states.items() if state.derived}

    def _cap(self, state: TaskState) -> DailyCap:
        per_day, today = state.row.terms.reports_per_day, day_of(self._clock.now())
        counted = self._storage.reports_on(state.row.number, today) if per_day else 0
        return DailyCap(per_day, self._clock, counted)

    def is_due(self) -> bool:
        """Whether the clock ends an epoch now."""
        return bool(self._timer.due())

    def seconds_until_due(self) -> float | None:
        """Seconds until the clock ends an epoch or a top must be computed; None if neither is due."""
        waits = [each for each in (self._timer.wait(), self._tops.wait()) if each is not None]
        return min(waits, default=None)

    def copy_of(self, task: int) -> TaskCopy:
        """A task as it is now, for questions that take their time."""
        return self._states[task].copied()

    def views(self) -> list[TaskView]:
        """Every task as it is now."""
        return [state.view() for state in self._states.values()]

    def take_changed(self) -> list[TaskView]:
        """The tasks that changed since this was asked last."""
        changed, self._changed = self._changed, set()
        self._tops.are_stale(changed)
        return [self._states[number].view() for number in changed]

    def renew_tops(self) -> list[TaskView]:
        """Compute the tops that are due; the tasks that got a new one."""
        return [self._states[number].view() for number in self._tops.renew(self._states)]

    def write(self, uploads: Sequence[PendingUpload], commands: Sequence[Command] = ()) -> None:
        """Settle a batch: when this ends, every upload has its outcome, and every failed command its failure."""
        now = self._clock.now()
        batch = Batch(self._known(uploads), self._states, self._caps)
        self._changed |= batch.tasks
        entries = batch.entries(self._end, now, self._endings(commands, batch.reports))
        created = [each.created for each in commands if each.created is not None]
        changed = self._changed_rows(commands)
        try:
            if entries or created or changed:
                self._commit(entries, created, changed)
        except StorageFailed:
            batch.refuse(Problem.STORAGE_FULL, RETRY_SECONDS)
            for command in commands:
                command.failure = Refused(Problem.STORAGE_FULL, retry_after=RETRY_SECONDS)
            raise
        self._apply(entries)
        batch.settle()
        self._delete([each for each in commands if each.kind == DELETE])

    def _known(self, uploads: Sequence[PendingUpload]) -> Sequence[PendingUpload]:
        """Those whose task was not deleted while they waited; the others are refused."""
        if not self._deleted:
            return uploads
        for upload in uploads:
            if upload.task not in self._states:
                upload.outcome = Refused(Problem.UNKNOWN_KEY)
        return [upload for upload in uploads if upload.task in self._states]

    def _changed_rows(self, commands: Sequence[Command]) -> list[TaskRow]:
        """The rows that operators have changed, each once."""
        rows: dict[int, TaskRow] = {}
        for each in commands:
            if each.changes and each.task in self._states:
                row = rows.get(each.task, self._states[each.task].row)
                rows[each.task] = replace(row, **each.changes)  # type: ignore[arg-type]
        return list(rows.values())

    def _delete(self, commands: Sequence[Command]) -> None:
        """Durable first: whatever comes for these tasks from now on is refused."""
        tasks = {each.task for each in commands}
        if not tasks:
            return
        try:
            self._storage.write(Transaction(deleted=sorted(tasks)))
        except StorageFailed:
            self.failing = True
            for command in commands:
                command.failure = Refused(Problem.STORAGE_FULL, retry_after=RETRY_SECONDS)
            raise
        self._deleted = True
        for number in tasks & self._states.keys():
            self._timer.forget(number)
            self._tops.forget(number)
            del self._states[number], self._caps[number]
        self._changed -= tasks
        self._unwritten -= tasks

    def flush(self) -> None:
        """Write what follows from the entries so far, if any of it is not written yet."""
        if self._unwritten:
            self._commit()

    def _endings(self, commands: Sequence[Command], arriving: dict[int, int]) -> list[tuple[int, int]]:
        """Task and SEAL or CLOSE. An operator may end any epoch, the clock only one that is worth sealing."""
        closing = {each.task for each in commands if each.kind == CLOSE}
        sealing = closing | {each.task for each in commands if each.kind == SEAL}
        for task in self._timer.due():
            if self._states[task].is_worth_sealing(arriving.get(task, 0)):
                sealing.add(task)
            else:
                self._timer.begin(self._states[task])
        asked = [(task, SEAL) for task in sorted(sealing)] + [(task, CLOSE) for task in sorted(closing)]
        return [(task, kind) for task, kind in asked if self._states[task].closed is None]

    def _commit(
        self, entries: Sequence[Entry] = (), created: Sequence[TaskState] = (), changed: Sequence[TaskRow] = ()
    ) -> None:
        """New entries and tasks, together with what follows from earlier entries and is not written yet."""
        transaction = Transaction(
            [state.row for state in created], list(entries), days=self._days(entries), changed=list(changed)
        )
        unwritten = [*(self._states[number] for number in sorted(self._unwritten)), *created]
        for state in unwritten:
            transaction.extend(state.derived)
        try:
            self._storage.write(transaction)
        except StorageFailed:
            self.failing = True
            raise
        self.failing = False
        for state in unwritten:
            state.derived = Transaction()
        self._unwritten.clear()
        if entries:
            last = entries[-1]
            self._end = LogEnd(last.position, last.batch, last.chain)
        for state in created:
            self._adopt(state)
        for row in changed:
            self._states[row.number].row = row
            self._changed.add(row.number)

    def _days(self, entries: Sequence[Entry]) -> dict[tuple[int, int], int]:
        days: dict[tuple[int, int], int] = {}
        for entry in entries:
            if entry.reports and self._states[entry.task].row.terms.reports_per_day:
                key = (entry.task, day_of(entry.time))
                days[key] = days.get(key, 0) + entry.reports
        return days

    def _adopt(self, state: TaskState) -> None:
        number = state.row.number
        self._states[number] = state
        self._caps[number] = self._cap(state)
        self._timer.begin(state)
        self._changed.add(number)

    def _apply(self, entries: Sequence[Entry]) -> None:
        for entry in entries:
            state = self._states[entry.task]
            more_to_write = state.count(entry)
            if entry.kind == RUN:
                self._caps[entry.task].count(entry.reports)
            if more_to_write:
                self._unwritten.add(entry.task)
            if more_to_write or entry.kind == SEAL:
                self._timer.begin(state)
            self._changed.add(entry.task)
