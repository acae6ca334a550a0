"""The one writer: a group of uploads becomes entries, the entries become durable, then they count.

The log is committed first and applied afterwards, so that a failed commit leaves nothing to undo. What follows from an
entry (bulletin, results, snapshot) is written with the next commit: after a crash it follows again.
"""

from collections.abc import Sequence
from pathlib import Path

from hgldp.collector import inbox
from hgldp.collector.allowance import DailyCap
from hgldp.collector.arrival import Arrival
from hgldp.collector.entry import CLOSE, RUN, SEAL, Entry
from hgldp.collector.epoch_timer import EpochTimer
from hgldp.collector.group import Group
from hgldp.collector.inbox import Command
from hgldp.collector.limits import Limits
from hgldp.collector.problems import Problem, Refused
from hgldp.collector.recovery import recover, remember
from hgldp.collector.storage import Batch, LogEnd, Storage
from hgldp.collector.task_state import TaskState
from hgldp.errors import StorageFailed
from hgldp.system.clock import Clock, day_of

RETRY_SECONDS = 5


class Writer:
    """Called by one thread at a time. `changed` are the tasks whose views are out of date."""

    def __init__(self, storage: Storage, folder: Path, clock: Clock, limits: Limits) -> None:
        self._storage, self._folder, self._clock, self._limits = storage, folder, clock, limits
        self.failing = False
        self.reload()

    def reload(self) -> None:
        """Everything from the store: at the start, and after a failure that nobody foresaw."""
        self.states: dict[int, TaskState] = recover(self._storage, self._folder, self._limits)
        self.end: LogEnd = self._storage.end()
        self.timer = EpochTimer(self._clock, self.states.values())
        self.caps = {number: self._cap(state) for number, state in self.states.items()}
        self.changed: set[int] = set(self.states)
        self._unwritten: set[int] = {number for number, state in self.states.items() if state.derived}

    def _cap(self, state: TaskState) -> DailyCap:
        per_day, today = state.row.terms.reports_per_day, day_of(self._clock.now())
        counted = self._storage.reports_on(state.row.number, today) if per_day else 0
        return DailyCap(per_day, self._clock, counted)

    def write(self, arrivals: Sequence[Arrival], commands: Sequence[Command] = ()) -> None:
        """Settle a group: every arrival has an outcome, and every command that failed its failure, when this ends."""
        now = self._clock.now()
        group = Group.sort(arrivals, self.states, self.caps)
        created = [each.state for each in commands if each.state is not None]
        entries = self._chained(group.entries(self.end, now) + self._ends(commands, group, now))
        batch = Batch(tasks=[state.row for state in created], entries=entries, days=self._days(entries, now))
        try:
            if batch:
                self._commit(batch, created)
        except StorageFailed as failure:
            group.refuse(Problem.STORAGE_FULL, RETRY_SECONDS)
            self._count(group)
            for command in commands:
                command.failure = Refused(Problem.STORAGE_FULL, retry_after=RETRY_SECONDS)
            self.failing = True
            raise failure from None
        self._apply(entries)
        group.settle()
        self._count(group)

    def _ends(self, commands: Sequence[Command], group: Group, now: float) -> list[Entry]:
        """Epochs and tasks that end now; on request always, by the clock only if there is something to seal."""
        asked = {each.task for each in commands if each.kind in (inbox.SEAL, inbox.CLOSE)}
        due = self._due(group)
        ending = [(task, SEAL) for task in sorted(asked | due)]
        ending += [(task, CLOSE) for task in sorted({each.task for each in commands if each.kind == inbox.CLOSE})]
        first, number = self.end.position + len(group.runs) + 1, self.end.group + 1
        open_ones = [each for each in ending if self.states[each[0]].closed is None]
        return [Entry(first + place, number, now, *each) for place, each in enumerate(open_ones)]

    def _due(self, group: Group) -> set[int]:
        due = set(self.timer.due())
        empty = {task for task in due if not self.states[task].is_worth_sealing(group.reports_of(task))}
        for task in empty:
            self.timer.begin(self.states[task])
        return due - empty

    def _chained(self, entries: list[Entry]) -> list[Entry]:
        chained, chain = [], self.end.chain
        for entry in entries:
            chained.append(entry.chained(chain))
            chain = chained[-1].chain
        return chained

    def _days(self, entries: list[Entry], now: float) -> dict[tuple[int, int], int]:
        days: dict[tuple[int, int], int] = {}
        for entry in entries:
            if entry.reports and self.states[entry.task].row.terms.reports_per_day:
                key = (entry.task, day_of(now))
                days[key] = days.get(key, 0) + entry.reports
        return days

    def _commit(self, batch: Batch, created: Sequence[TaskState] = ()) -> None:
        unwritten = [*(self.states[number] for number in sorted(self._unwritten)), *created]
        for state in unwritten:
            batch.extend(state.derived)
        self._storage.write(batch)
        for state in unwritten:
            state.derived = Batch()
        self._unwritten.clear()
        self.failing = False
        if batch.entries:
            last = batch.entries[-1]
            self.end = LogEnd(last.position, last.group, last.chain)
        for state in created:
            self.states[state.row.number] = state
            self.caps[state.row.number] = self._cap(state)
            self.timer.begin(state)
            self.changed.add(state.row.number)

    def _apply(self, entries: Sequence[Entry]) -> None:
        for entry in entries:
            state = self.states[entry.task]
            state.apply(entry)
            if entry.kind == RUN:
                remember(state, entry.bulletin, entry.upload_ids, self._folder, self._limits)
                self.caps[entry.task].count(entry.reports)
            if state.derived:
                self._unwritten.add(entry.task)
                state.forget_old_ids()
            if entry.kind == SEAL or state.derived:
                self.timer.begin(state)
            self.changed.add(entry.task)

    def flush(self) -> None:
        """Write what follows from the entries so far, if anything is left to write."""
        if self._unwritten:
            try:
                self._commit(Batch())
            except StorageFailed:
                self.failing = True
                raise

    def _count(self, group: Group) -> None:
        for task, outcome, number in group.outcomes():
            uploads = self.states[task].uploads
            self.changed.add(task)
            if isinstance(outcome, Refused):
                uploads.refused += number
            elif outcome is not None and outcome.duplicate:
                uploads.duplicate += number
            else:
                uploads.accepted += number
