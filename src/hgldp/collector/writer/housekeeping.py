"""What need not be kept goes, a little at a time, while nobody waits for the writer."""

from collections.abc import Iterable

from hgldp.collector.log.milestones import DAY, results_from
from hgldp.collector.log.storage import Snapshot, Storage
from hgldp.collector.log.task_state import TaskState
from hgldp.collector.writer.disk_room import DiskRoom
from hgldp.system.clock import Clock

ROUND_SECONDS, SHARE, SHARE_IF_SHORT = 60.0, 10, 1
HOUR = 3_600.0


class Housekeeping:
    """Reports older than their task wants them kept are deleted once a snapshot stands for them, and then results.

    One round a minute. A step of a round deletes some megabytes at most, and a tenth of the time is spent on it. If
    less than `free_bytes` of the disk are free, half of the time is: then reports go before their time, but never those
    of a task that keeps them for ever.
    """

    def __init__(self, storage: Storage, clock: Clock, states: Iterable[TaskState], free_bytes: int = 0) -> None:
        self._storage, self._clock = storage, clock
        self._room = DiskRoom(storage.free_bytes, free_bytes, clock)
        self._next_relief = self._next_demand = float("-inf")
        self._states: dict[int, TaskState] = {}
        self._covered: dict[int, int] = {}
        self._round: list[int] = []
        self._changed: set[int] = set()
        self._next = clock.monotonic() + ROUND_SECONDS
        for state in states:
            self.adopt(state)
            state.kept_since = storage.oldest_report(state.row.number)
            if snapshot := storage.snapshot(state.row.number):
                self.note([snapshot])

    def adopt(self, state: TaskState) -> None:
        """A task to look after."""
        self._states[state.row.number] = state

    def forget(self, task: int) -> None:
        """It was deleted; `tidy` deletes what it left."""
        self._states.pop(task, None)
        self._covered.pop(task, None)
        self._changed.discard(task)

    def note(self, snapshots: Iterable[Snapshot]) -> None:
        """Durable snapshots: the entries up to them can go. A scheme that cannot write its epochs down keeps them."""
        for each in snapshots:
            if each.opened is not None:
                self._covered[each.task] = each.upto
                self._next_relief = float("-inf")

    def soon(self) -> None:
        """There is something to delete."""
        self._next = self._clock.monotonic()

    def wait(self) -> float:
        """Seconds until the next step."""
        first = min(self._next, self._next_relief) if self._room.is_short else self._next
        return max(0.0, first - self._clock.monotonic())

    def behind(self) -> list[int]:
        """At the beginning of a round: tasks with old reports that no snapshot stands for yet.

        While the disk is short, once a minute all tasks whose reports may go before their time.
        """
        moment = self._clock.monotonic()
        if self._room.look() and moment >= self._next_demand:
            self._next_demand = moment + ROUND_SECONDS
            return [state.row.number for state in self._oldest_first() if state.uncovered]
        if self._round or self._clock.monotonic() < self._next:
            return []
        found = [(number, state, state.row.terms.reports_kept_hours) for number, state in self._states.items()]
        now = self._clock.now()
        return [
            number
            for number, state, hours in found
            if hours and state.uncovered and state.kept_since is not None and state.kept_since < now - hours * HOUR
        ]

    def step(self) -> None:
        """If it is time: delete something, and begin a new round after the last task of one."""
        began = self._clock.monotonic()
        if self._room.look() and began >= self._next_relief:
            relieved, now = self._relieve(), self._clock.monotonic()
            self._next_relief = now + (SHARE_IF_SHORT * (now - began) if relieved else ROUND_SECONDS)
            return
        if began < self._next:
            return
        if not self._round:
            self._round = [*self._covered, 0]
        if not self._delete(self._round[-1]):
            self._round.pop()
        now = self._clock.monotonic()
        self._next = now + SHARE * (now - began) if self._round else now + ROUND_SECONDS

    def _relieve(self) -> bool:
        """Give back what is unused; if that is not enough, delete some of the oldest reports. False if none may go."""
        if self._storage.tidy(spare=False):
            return True
        return self._room.look(now=True) and any(self._prune(state, all_of_it=True) for state in self._oldest_first())

    def _oldest_first(self) -> list[TaskState]:
        """The tasks with reports that need not be kept for ever."""
        limited = [state for state in self._states.values() if state.row.terms.reports_kept_hours]
        found = [(state.kept_since, state.row.number, state) for state in limited if state.kept_since is not None]
        return [state for _, _, state in sorted(found)]

    def _delete(self, task: int, *, all_of_it: bool = False) -> bool:
        """Some of the reports of a task, or of its results; for 0, some of the space that nothing needs."""
        if not task:
            return self._storage.tidy()
        state = self._states.get(task)
        return state is not None and (self._prune(state, all_of_it=all_of_it) or self._expire(state))

    def _prune(self, state: TaskState, *, all_of_it: bool) -> bool:
        task, hours = state.row.number, state.row.terms.reports_kept_hours
        if not all_of_it and not hours:
            return False
        before = float("inf") if all_of_it else self._clock.now() - hours * HOUR
        gone = self._storage.prune(task, self._covered.get(task, 0), before)
        if gone:
            state.kept_since = self._storage.oldest_report(task)
        return bool(gone)

    def _expire(self, state: TaskState) -> bool:
        task, days = state.row.number, state.row.terms.results_kept_days
        if not days or not self._storage.expire(task, self._clock.now() - days * DAY):
            return False
        state.first_epoch = results_from(self._storage.kept_from(task))
        self._changed.add(task)
        return True

    def take_changed(self) -> set[int]:
        """The tasks that lost results since this was asked last."""
        found, self._changed = self._changed, set()
        return found

    def finish(self, *, all_reports: bool) -> None:
        """All of it now, however long it takes; with `all_reports` also those that could still be kept."""
        for task in self._covered:
            while self._delete(task, all_of_it=all_reports):
                pass
        while self._storage.tidy(spare=False):
            pass
