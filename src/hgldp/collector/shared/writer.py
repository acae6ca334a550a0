"""The writer of a shared store. The sealer puts the inbox into the log; the others count what is in the log."""

import logging
from collections import deque
from collections.abc import Iterable, Sequence
from itertools import islice, takewhile

from hgldp.collector.log.entry import CLOSE, Entry
from hgldp.collector.log.postgres.gates import SHUT
from hgldp.collector.log.postgres.inbox import Inbox
from hgldp.collector.log.postgres.store import PostgresStorage
from hgldp.collector.log.recovery import Progress, recover, recover_with_top
from hgldp.collector.log.storage import LogEnd, Transaction
from hgldp.collector.log.task_state import TaskState
from hgldp.collector.settings import Limits
from hgldp.collector.shared.runs import Runs
from hgldp.collector.shared.task import SharedTask
from hgldp.collector.views import TaskView, UploadCounts
from hgldp.collector.writer.command import Command, of_known_tasks
from hgldp.collector.writer.workshop import Workshop
from hgldp.collector.writer.writer import Writer
from hgldp.errors import DamagedLog
from hgldp.schemes.base import RETAINED
from hgldp.system.clock import Clock

ROWS_AT_ONCE, ENTRIES_AT_ONCE, BYTES_AT_ONCE = 256, 1_024, 32 << 20
MOST_TOUCHED = 1 << 16
log = logging.getLogger("hgldp.collector")


class SharedWriter(Writer):
    """Called by one thread at a time. Only the sealer calls `seal_some`; all others call `follow`.

    Both count the same entries in the same order, so every collector shows the same bulletins and results. `is_behind`
    says whether there may be bulletins that this collector has not derived yet. A bulletin is shown when the sealer
    has written it: a later version that takes over goes on from what is written, and could not read answers to others.
    """

    _storage: PostgresStorage

    def __init__(
        self,
        storage: PostgresStorage,
        inbox: Inbox,
        clock: Clock,
        limits: Limits,
        workshop: Workshop,
        progress: Progress | None = None,
    ) -> None:
        self._inbox = inbox
        self.is_behind = False
        self._uploads: dict[int, UploadCounts] = {}
        self._unreadable: set[int] = set()
        self._ahead: dict[int, int] = {}
        self._touched: deque[int] = deque(maxlen=MOST_TOUCHED)
        super().__init__(storage, clock, limits, workshop, progress)

    def _recovered(self, progress: Progress | None) -> dict[int, TaskState]:
        self._seen_changes, self._tasks_changed = self._storage.task_changes(), True
        with self._storage.at_one_moment() as moment:
            found = recover(moment, progress, SharedTask)
        for state in found.values():
            self._keep_counts(state)
        return found

    def reload(self, progress: Progress | None = None) -> None:
        """Read everything from the store."""
        super().reload(progress)
        self._ahead.clear()
        for state in self._states.values():
            self._note_bulletins(state)
        self._see_written()

    def _keep_counts(self, state: TaskState) -> None:
        """How uploads fared is counted where they came in, however often the task is read again."""
        state.uploads = self._uploads.setdefault(state.row.number, state.uploads)

    def _note_bulletins(self, state: TaskState) -> None:
        """A task is ahead from the first epoch on whose bulletin may not be written yet."""
        if state.derived.bulletins:
            self._ahead.setdefault(state.row.number, state.derived.bulletins[0].epoch)

    def _see_written(self) -> None:
        """The bulletins that the sealer has written meanwhile are shown from now on."""
        free = self._ahead.keys() - self._busy.keys()
        for number, epoch in (self._storage.latest_epochs(free) if free else {}).items():
            if epoch >= self._states[number].bulletin.epoch:
                del self._ahead[number]
                self._changed.add(number)
            elif epoch >= self._ahead[number]:
                self._ahead[number] = epoch + 1
                self._changed.add(number)

    def _view(self, state: TaskState) -> TaskView:
        view, ahead = state.view(), self._ahead.get(state.row.number)
        return view if ahead is None else view.before(ahead)

    def _counted(self, state: TaskState, entries: Iterable[Entry]) -> None:
        self._note_bulletins(state)
        super()._counted(state, entries)

    def _forget(self, number: int) -> None:
        super()._forget(number)
        self._ahead.pop(number, None)

    def upload_counts(self, task: int) -> UploadCounts:
        """How the uploads of a task have fared in this process; whoever asks is about to change them."""
        self._touched.append(task)
        return self._uploads.setdefault(task, UploadCounts())

    def see_tasks(self) -> None:
        """Tasks that another collector has created, changed or deleted, and those that uploads came for."""
        while self._touched:
            self._changed.add(self._touched.popleft())
        self._changed &= self._states.keys()
        changes = self._storage.task_changes()
        if changes == self._seen_changes:
            return
        self._tasks_changed = True
        rows = self._storage.tasks_now({number: state.row for number, state in self._states.items()})
        for number in self._states.keys() - rows.keys() - self._busy.keys():
            self._forget(number)
            self._uploads.pop(number, None)
        for number, row in rows.items():
            if row is None:
                self._see_new(number)
            elif self._states[number].row != row:
                self._states[number].row = row
                self._changed.add(number)
        if not self._states.keys() - rows.keys():
            self._seen_changes = changes

    def take_tasks_changed(self) -> bool:
        """Whether tasks have changed since this was asked last."""
        found = self._tasks_changed
        self._tasks_changed = found and bool(self._changed)  # only busy tasks are left in it: they are shown later
        return found

    def _see_new(self, number: int) -> None:
        with self._storage.at_one_moment() as moment:
            row = moment.task(number)
            if row is None:
                return  # it is gone again
            state = recover_with_top(moment, row, SharedTask)
        self._keep_counts(state)
        self._adopt(state)
        self._note_bulletins(state)
        if state.derived:
            self._unwritten.add(row.number)

    def follow(self) -> bool:
        """Count some of what the sealer has put into the log. False if there was nothing new.

        What belongs to a busy task is read again when the task is done; the other tasks do not wait for it.
        """
        self._counting.collect()
        self.see_tasks()
        self._see_written()
        entries = self._next_entries()
        if any(entry.task not in self._states for entry in entries):
            self.see_tasks()
        seen = list(takewhile(lambda entry: entry.task not in self._busy, entries))
        news = [entry for entry in entries if entry.task not in self._busy and self._is_new(entry)]
        self._check_chains(news)
        self._counting.count(news, self._states)
        if seen:
            self._end = LogEnd(seen[-1].position, seen[-1].batch)
        for number in self._unwritten - self._busy.keys():
            self._states[number].derived = Transaction()  # the sealer writes it
        self._unwritten &= self._busy.keys()
        self._see_written()
        self.is_behind = bool(entries or self._busy)
        return bool(seen or news)

    def _next_entries(self) -> list[Entry]:
        """As many as may be in memory at once."""
        found, size = [], 0
        for entry in islice(self._storage.entries(None, self._end.position + 1), ENTRIES_AT_ONCE):
            found.append(entry)
            size += len(entry.symbols) + len(entry.ids)
            if size > BYTES_AT_ONCE:
                break
        return found

    def _is_new(self, entry: Entry) -> bool:
        return entry.task in self._states and entry.position > self._states[entry.task].position

    def _check_chains(self, entries: Sequence[Entry]) -> None:
        for entry in entries:
            if not entry.follows(self._chains[entry.task]):
                raise DamagedLog(f"entry {entry.position} must be the one that was written, but its bytes have changed")
            self._chains[entry.task] = entry.chain

    def seal_some(self) -> bool:
        """Put some of the inbox into the log, with the end of every epoch that is due. False if there was nothing."""
        self._counting.collect()
        self.see_tasks()
        free = self._states.keys() - self._busy.keys()
        runs = Runs(self._inbox.waiting(free, ROWS_AT_ONCE), self._states)
        self._complain(runs)
        requests = [each for each in self._storage.requests() if each[1] not in self._busy]
        commands = [Command(task=task, kind=kind, request=number) for number, task, kind in requests]
        more = bool(runs.numbers or commands or self.is_due())
        if more:
            self._put(runs, commands)
        self.flush()
        self._see_written()
        self.is_behind = bool(self._busy)
        return more

    def _complain(self, runs: Runs) -> None:
        for row in runs.unreadable:
            if row.number not in self._unreadable:
                self._unreadable.add(row.number)
                log.error("row %d of the inbox answers a bulletin that this version did not publish", row.number)

    def _put(self, runs: Runs, commands: Sequence[Command]) -> None:
        """A request for a task that is gone is answered too: nobody could do more about it."""
        now = self._clock.now()
        ends = self._endings(runs.reports, of_known_tasks(commands, self._states), now)
        self._make_way(runs, ends)
        entries = runs.entries(self._end, self._chains, now, ends)
        self._commit(entries, commands, taken=runs.numbers)
        self._counting.count(entries, self._states)

    def _make_way(self, runs: Runs, ends: Sequence[tuple[int, int]]) -> None:
        """Before an epoch ends: what answers the bulletin that goes with it comes in no more, and counts first."""
        closing = {task for task, kind in ends if kind == CLOSE}
        entries = runs.unchained(self._end, 0.0, ends)
        for task in closing | self._ended_by(entries):
            bulletins = self._states[task].bulletins
            if task in closing:
                self._drain(runs, task, SHUT)
            elif len(bulletins) == RETAINED:
                self._drain(runs, task, bulletins[0].epoch + 1)

    def _ended_by(self, entries: Sequence[Entry]) -> set[int]:
        by_task: dict[int, list[Entry]] = {}
        for entry in entries:
            by_task.setdefault(entry.task, []).append(entry)
        return {task for task, some in by_task.items() if self._states[task].seals(some)}

    def _drain(self, runs: Runs, task: int, epoch: int) -> None:
        """Shut the gate for bulletins before that of an epoch, and count what came in before."""
        self._inbox.shut(task, epoch)
        while found := self._inbox.behind(task, epoch, ROWS_AT_ONCE):
            rows = Runs(found, self._states)
            if not rows.numbers:
                break
            taken = set(rows.numbers)
            if epoch == SHUT:
                self._make_way(rows, ())  # which may put some of them into the log already
            entries = rows.entries(self._end, self._chains, self._clock.now())
            self._commit(entries, taken=rows.numbers)
            self._counting.count(entries, self._states)
            self._counting.wait()
            runs.leave_out(taken)
