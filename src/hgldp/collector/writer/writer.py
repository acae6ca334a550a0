"""A batch of uploads becomes entries, the entries become durable, and then they count.

The log is committed first and applied afterwards, so that a failed commit leaves nothing to undo. What follows from an
entry (bulletin, results, snapshot) is written with the next commit; after a crash it is derived again.
"""

from collections.abc import Iterable, Mapping, Sequence

from hgldp.collector.log.entry import RUN, SEAL, Entry
from hgldp.collector.log.recovery import Progress, recover
from hgldp.collector.log.storage import LogEnd, Storage, Transaction
from hgldp.collector.log.task_copy import TaskCopy
from hgldp.collector.log.task_state import TaskState
from hgldp.collector.problems import Problem, Refused
from hgldp.collector.settings import Limits
from hgldp.collector.timings import Timings
from hgldp.collector.views import TaskView
from hgldp.collector.writer.batch import Batch
from hgldp.collector.writer.checkpoints import Checkpoints
from hgldp.collector.writer.command import DELETE, Command, changed_rows, endings, of_known_tasks
from hgldp.collector.writer.counting import Counting
from hgldp.collector.writer.housekeeping import Housekeeping
from hgldp.collector.writer.pending import PendingUpload
from hgldp.collector.writer.quotas import DailyCap
from hgldp.collector.writer.schedule import EpochTimer, LiveTops
from hgldp.collector.writer.workshop import Job, Workshop
from hgldp.errors import StorageFailed
from hgldp.system.clock import Clock, day_of

RETRY_SECONDS = 5


class Writer:
    """Called by one thread at a time. `failing` says whether the last thing to be written could not be.

    A task whose epoch takes long to end is busy meanwhile: its uploads and commands wait, those of other tasks do not.
    """

    def __init__(
        self, storage: Storage, clock: Clock, limits: Limits, workshop: Workshop, progress: Progress | None = None
    ) -> None:
        self._storage, self._clock, self._limits = storage, clock, limits
        self.timings = Timings()
        self._tops = LiveTops(clock, limits.refresh_milliseconds / 1000, workshop, self.timings.top)
        self._counting = Counting(workshop, self._counted)
        self._busy = self._counting.busy
        self.failing = False
        self.reload(progress)
        self._changed.clear()
        self._tops.are_stale(number for number, state in self._states.items() if state.is_slow)

    def reload(self, progress: Progress | None = None) -> None:
        """Read everything from the store: at the start, and after an unexpected error."""
        self._counting.abandon()
        self._end: LogEnd = self._storage.end()
        self._states = self._recovered(progress)
        self._chains = {number: state.chain for number, state in self._states.items()}
        self._timer = EpochTimer(self._clock, self._states.values())
        self._caps = {number: self._cap(state) for number, state in self._states.items()}
        self._changed: set[int] = set(self._states)
        self._unwritten: set[int] = {number for number, state in self._states.items() if state.derived}
        self._checkpoints = Checkpoints()
        self._housekeeping = Housekeeping(self._storage, self._clock, self._states.values(), self._limits.free_bytes)

    def _recovered(self, progress: Progress | None) -> dict[int, TaskState]:
        return recover(self._storage, progress)

    def _cap(self, state: TaskState) -> DailyCap:
        per_day, today = state.row.terms.reports_per_day, day_of(self._clock.now())
        counted = self._storage.reports_on(state.row.number, today) if per_day else 0
        return DailyCap(per_day, self._clock, counted)

    def counted_today(self, task: int) -> int:
        """How many reports of today the log holds; 0 for a task without a cap."""
        return self._caps[task].counted

    def is_due(self) -> bool:
        """Whether the clock ends an epoch now."""
        return any(task not in self._busy for task in self._timer.due())

    def seconds_until_due(self) -> float | None:
        """Seconds until the clock ends an epoch or a top must be computed; None if neither is due."""
        waits = (self._timer.wait(self._busy), self._tops.wait(self._busy), self._housekeeping.wait())
        return min((each for each in waits if each is not None), default=None)

    def busy(self) -> Mapping[int, Job]:
        """The tasks that end an epoch beside the writer, and the job that keeps them busy."""
        self._counting.collect()
        return self._busy

    def copy_of(self, task: int) -> TaskCopy:
        """A task as it is now, for questions that take their time. It must not be busy."""
        if task not in self._states:
            raise Refused(Problem.UNKNOWN_TASK)
        return self._states[task].copied()

    def views(self) -> list[TaskView]:
        """Every task as it is now."""
        return [self._view(state) for state in self._states.values()]

    def _view(self, state: TaskState) -> TaskView:
        return state.view()

    @property
    def numbers(self) -> set[int]:
        """Of all tasks."""
        return set(self._states)

    def take_changed(self) -> list[TaskView]:
        """The tasks that changed since this was asked last; a busy one comes later."""
        changed = self._changed - self._busy.keys()
        self._changed -= changed
        self._tops.are_stale(changed)
        return [self._view(self._states[number]) for number in changed if number in self._states]

    def renew_tops(self) -> list[TaskView]:
        """Compute the tops that are due; the tasks that got a new one."""
        free = {number: state for number, state in self._states.items() if number not in self._busy}
        return [self._view(self._states[number]) for number in self._tops.renew(free)]

    def tidy_up(self) -> None:
        """Delete a little of what need not be kept, if it is time to."""
        try:
            for number in self._housekeeping.behind():
                if number not in self._busy:
                    self._write_down(number)
            self._housekeeping.step()
            self._changed |= self._housekeeping.take_changed()
        except StorageFailed:
            self.failing = True

    def compact(self, *, all_reports: bool) -> None:
        """Delete now what need not be kept; with `all_reports` every report that a snapshot stands for."""
        self._counting.wait()
        for number in self._states:
            self._write_down(number)
        self.flush()
        self._housekeeping.finish(all_reports=all_reports)

    def write(self, uploads: Sequence[PendingUpload], commands: Sequence[Command] = ()) -> None:
        """Settle a batch: when this ends, every upload has its outcome, and every failed command its failure.

        None of it may belong to a busy task.
        """
        batch, now = Batch(uploads, self._states, self._caps), self._clock.now()
        commands = of_known_tasks(commands, self._states)
        self._changed |= batch.tasks
        ends = self._endings(batch.reports, commands, now)
        entries = batch.entries(self._end, self._chains, now, ends)
        try:
            self._commit(entries, commands, batch.days(now))
        except StorageFailed:
            batch.refuse(Problem.STORAGE_FULL, RETRY_SECONDS)
            for command in commands:
                command.failure = Refused(Problem.STORAGE_FULL, retry_after=RETRY_SECONDS)
            raise
        self._counting.count(entries, self._states)
        batch.settle()
        self._delete([each for each in commands if each.kind == DELETE])

    def _endings(self, arriving: Mapping[int, int], commands: Sequence[Command], now: float) -> list[tuple[int, int]]:
        """The epochs and tasks that end now, as (task, kind), when these reports are about to be counted."""
        by_clock = self._timer.take_due(self._states, arriving, self._busy)
        return endings(commands, by_clock, self._states, now)

    def flush(self) -> None:
        """Write what follows from the entries so far, or after a failure anything at all, to see whether it works."""
        self._counting.collect()
        if self._unwritten - self._busy.keys():
            self._commit()
        elif self.failing:
            self._storage.probe()
            self.failing = False

    def put_down(self) -> None:
        """Before the end: wait for busy tasks, and write down where every task is, so that the next start is quick."""
        self._counting.wait()
        for number, state in self._states.items():
            if state.uncovered:
                self._write_down(number)
        self.flush()

    def _commit(
        self,
        entries: Sequence[Entry] = (),
        commands: Sequence[Command] = (),
        days: dict[tuple[int, int], int] | None = None,
        taken: Sequence[int] = (),
    ) -> None:
        """New entries and changed tasks, together with what follows from earlier entries and is not written yet.

        Of a store with an inbox, `taken` are the rows that the entries were made of.
        """
        created = [each.created for each in commands if each.created is not None]
        self._write_checkpoints()
        unwritten = [self._states[number] for number in sorted(self._unwritten - self._busy.keys())]
        transaction = Transaction(
            [state.row for state in created],
            list(entries),
            days=days or {},
            changed=changed_rows(commands, self._states),
            taken=list(taken),
            answered=[each.request for each in commands if each.request],
        )
        for state in (*unwritten, *created):
            transaction.extend(state.derived)
        if not transaction:
            return
        try:
            with self.timings.commit.timed():
                self._storage.write(transaction)
        except StorageFailed:
            self.failing = True
            raise
        self.failing = False
        for state in (*unwritten, *created):
            state.derived = Transaction()
            self._unwritten.discard(state.row.number)
        self._housekeeping.note(transaction.snapshots.values())
        for entry in entries:
            self._end, self._chains[entry.task] = LogEnd(entry.position, entry.batch), entry.chain
        self._checkpoints.note(entries)
        for state in created:
            self._adopt(state)
        for row in transaction.changed:
            self._states[row.number].row = row
            self._changed.add(row.number)

    def _delete(self, commands: Sequence[Command]) -> None:
        """Durable first: whatever comes for these tasks from now on is refused. What they had goes little by little."""
        tasks = sorted({each.task for each in commands})
        if not tasks:
            return
        try:
            self._storage.write(Transaction(deleted=tasks))
        except StorageFailed:
            self.failing = True
            for command in commands:
                command.failure = Refused(Problem.STORAGE_FULL, retry_after=RETRY_SECONDS)
            raise
        for number in tasks:
            self._forget(number)
        self._housekeeping.soon()

    def _write_checkpoints(self) -> None:
        for number in self._checkpoints.take():
            if number in self._busy:
                self._checkpoints.put_back(number)
            else:
                self._write_down(number)
                self._make_room()

    def _write_down(self, number: int) -> None:
        self._states[number].checkpoint()
        self._unwritten.add(number)

    def _make_room(self) -> None:
        """Only so many upload ids are remembered: the task with the most gives some up."""
        free = [state for number, state in self._states.items() if number not in self._busy]
        if free and sum(len(state.upload_ids) for state in free) > self._limits.remembered_ids:
            largest = max(free, key=lambda state: len(state.upload_ids))
            largest.upload_ids.drop_oldest(largest.derived)
            largest.choose_accepted()
            self._unwritten.add(largest.row.number)

    def _adopt(self, state: TaskState) -> None:
        number = state.row.number
        self._states[number] = state
        self._chains[number] = state.chain
        self._caps[number] = self._cap(state)
        self._timer.begin(state)
        self._housekeeping.adopt(state)
        self._changed.add(number)

    def _forget(self, number: int) -> None:
        for table in (self._states, self._chains, self._caps):
            table.pop(number, None)
        for part in (self._timer, self._tops, self._checkpoints, self._housekeeping, self._counting):
            part.forget(number)
        self._unwritten.discard(number)
        self._changed.discard(number)

    def _counted(self, state: TaskState, entries: Iterable[Entry]) -> None:
        number = state.row.number
        for entry in entries:
            if entry.kind == RUN:
                self._caps[number].count(entry.reports)
            if state.derived.results or entry.kind == SEAL:
                self._timer.begin(state)
        if state.derived.results:
            self.timings.seal.observe(state.seal_seconds)
        if state.derived:
            self._unwritten.add(number)
        self._changed.add(number)
