"""Derive everything that was ever published from the log again, and compare it bit for bit.

Where reports are gone, what is kept of their epoch stands for them; where that is gone too, a milestone. One row of
each table is in memory at a time, however long the history.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

from hgldp.collector.log.entry import start_of_chain
from hgldp.collector.log.milestones import bulletins_from, results_from
from hgldp.collector.log.reading import Frozen, Reading
from hgldp.collector.log.recovery import begin_at, given_to, read_task_row
from hgldp.collector.log.rows import as_written
from hgldp.collector.log.storage import TaskRow, Transaction
from hgldp.collector.log.task_state import TaskState
from hgldp.errors import DamagedLog, HgldpError

Row = TypeVar("Row")
NOT_READABLE = (HgldpError, ValueError, TypeError)


@dataclass(frozen=True)
class Difference:
    """The first place where the log and what was published disagree: the entry (0: before the first) and the task."""

    position: int
    task: str
    what: str

    def __str__(self) -> str:
        return f"entry {self.position}, task {self.task or '-'}: {self.what}"


@dataclass
class ReplayReport:
    """How much was derived again. `unwritten` rows follow from the log, but a crash came before they were written.

    `folded` epochs were derived from what is kept of them, since their reports are gone. `earlier` reports were counted
    in epochs of which nothing is kept.
    """

    tasks: int = 0
    entries: int = 0
    reports: int = 0
    bulletins: int = 0
    epochs: int = 0
    folded: int = 0
    earlier: int = 0
    unwritten: int = 0
    difference: Difference | None = None

    @property
    def agrees(self) -> bool:
        """Whether everything that was published follows from the log."""
        return self.difference is None


def replay(folder: Path) -> ReplayReport:
    """Check a data folder as it is at this moment. It is only read, and a server may run on it meanwhile."""
    storage, report = Frozen(folder), ReplayReport()
    try:
        for row in storage.tasks():
            TaskReplay(storage, row, report).run()
            report.tasks += 1
    except _Differs as found:
        report.difference = found.difference
    finally:
        storage.close()
    return report


class TaskReplay:
    """One task, from its creation or the first epoch that is kept to its last entry."""

    def __init__(self, storage: Reading, row: TaskRow, report: ReplayReport) -> None:
        self._storage, self._number, self._name, self._report = storage, row.number, row.id.hex(), report
        self._behind = False
        number, limited = row.number, bool(row.terms.results_kept_days)
        try:
            self._snapshot, self._pruned = storage.snapshot(number), storage.pruned(number)
            first = storage.kept_from(number) if limited else 0
            self._bulletins = _InOrder(storage.each_bulletin(number, bulletins_from(first)), lambda row: row.epoch)
            self._results = _InOrder(storage.each_result(number, results_from(first)), lambda row: row.result.epoch)
            self._kept = _InOrder(storage.each_kept(number, first), lambda row: row.epoch)
            self._milestones = _InOrder(storage.each_milestone(number) if limited else iter(()), lambda row: row.epoch)
            self._state = self._begin_at(first, row) if first else self._begin(row)
        except NOT_READABLE as wrong:
            raise _Differs(0, self._name, str(wrong)) from None

    def _begin(self, row: TaskRow) -> TaskState:
        return TaskState.start(row, read_task_row(row), given=given_to(row, self._storage.warmup(row.number)))

    def _begin_at(self, epoch: int, row: TaskRow) -> TaskState:
        """What is before is gone, but for the last bulletins and results: the milestone stands for it."""
        milestone = self._milestones.take(epoch)
        if milestone is None:
            raise DamagedLog(f"what is kept must begin with a milestone of epoch {epoch}")
        bulletins = [self._bulletins.take(each) for each in range(bulletins_from(epoch), epoch + 1)]
        results = [self._results.take(each) for each in range(results_from(epoch), epoch)]
        if None in bulletins or None in results:
            raise DamagedLog(f"what was published right before epoch {epoch} must be kept")
        state = begin_at(milestone, row, [each for each in bulletins if each], [each for each in results if each])
        self._report.earlier += state.reports
        return state

    def run(self) -> None:
        """Stops at the first difference."""
        self._compare(0)
        gone = self._pruned.position if self._pruned else 0
        self._fold(gone)
        first, consumed, _ = self._state.last_seal
        if gone and first <= gone:
            first, consumed = self._reopen(gone), 0
        position = self._follow(first, consumed)
        left = [
            self._peek(self._bulletins, position),
            self._peek(self._results, position),
            self._peek(self._kept, position),
            self._peek(self._milestones, position),
        ]
        if any(left) or self._snapshot is not None:
            raise self._differs(position, "something was published that does not follow from the log")

    def _fold(self, gone: int) -> None:
        """Derive the epochs whose reports are gone, all or in part."""
        while gone and self._state.last_seal[0] <= gone:
            kept = self._peek(self._kept, self._state.last_seal[0])
            if kept is None or kept.epoch != self._state.bulletin.epoch:
                break
            before = self._state.reports
            try:
                self._state.repeat(kept)
            except (HgldpError, ValueError):
                raise self._differs(kept.position, f"what is kept of epoch {kept.epoch} cannot be counted") from None
            if self._state.bulletin.epoch == kept.epoch:
                raise self._differs(kept.position, f"what is kept of epoch {kept.epoch} does not end it")
            self._report.folded += 1
            self._report.reports += self._state.reports - before
            self._compare(kept.position)

    def _reopen(self, gone: int) -> int:
        """The reports of the open epoch are gone in part: go on from the snapshot that stands for them."""
        snapshot, before = self._snapshot, self._state.reports
        if snapshot is None or snapshot.upto < gone:
            raise self._differs(gone, "reports are gone that no state stands for")
        if self._state.last_seal != (snapshot.position, snapshot.consumed, snapshot.state):
            raise self._differs(
                snapshot.position, "the state that was written is not the one that follows from the log"
            )
        try:
            self._state.reopen(snapshot)
        except (HgldpError, ValueError):
            raise self._differs(snapshot.upto, "what is kept of the open epoch cannot be counted") from None
        self._report.reports += self._state.reports - before
        self._snapshot = None
        return snapshot.upto + 1

    def _follow(self, first: int, consumed: int) -> int:
        """Count the entries from `first` on, that one without its first `consumed` reports; check the chain of all."""
        chain = self._pruned.chain if self._pruned else start_of_chain(bytes.fromhex(self._name))
        position = self._pruned.position if self._pruned else 0
        for entry in self._storage.entries(self._number):
            position = entry.position
            if not entry.follows(chain):
                raise self._differs(position, "it is not the entry that was written here: the hash chain is broken")
            chain = entry.chain
            if position < first:
                continue
            try:
                self._state.apply(entry, consumed if position == first else 0)
            except (HgldpError, KeyError, ValueError):
                raise self._differs(position, "it cannot be counted") from None
            self._report.entries += 1
            self._report.reports += entry.reports - (consumed if position == first else 0)
            self._compare(position)
            self._compare_snapshot(position)
        return position

    def _compare(self, position: int) -> None:
        """Hold what follows from an entry against what was published."""
        derived, self._state.derived = self._state.derived, Transaction()
        for bulletin in derived.bulletins:
            self._same(bulletin, self._bulletins, bulletin.epoch, position, "bulletin")
            self._report.bulletins += 1
        for result in derived.results:
            epoch = result.result.epoch
            stored, written = self._peek(self._results, position), result
            if stored is not None and stored.result.epoch == epoch:
                written = as_written(result, stored)
            self._same(written, self._results, epoch, position, f"result of epoch {epoch}")
            self._report.epochs += 1
        for kept in derived.kept:
            self._same(kept, self._kept, kept.epoch, position, f"tally of epoch {kept.epoch}")
        for each in derived.milestones:
            self._same(each, self._milestones, each.epoch, position, f"milestone of epoch {each.epoch}")

    def _compare_snapshot(self, position: int) -> None:
        stored = self._snapshot
        if stored is None or position != (stored.position if stored.opened is None else stored.upto):
            return
        if self._behind:
            raise self._differs(position, "something is missing that was written together with the state")
        if stored != self._state.snapshot():
            raise self._differs(position, "the state that was written is not the one that follows from the log")
        self._snapshot = None

    def _peek(self, table: "_InOrder[Row]", position: int) -> Row | None:
        try:
            return table.next
        except NOT_READABLE as wrong:
            raise self._differs(position, str(wrong)) from None

    def _same(self, derived: Row, table: "_InOrder[Row]", epoch: int, position: int, what: str) -> None:
        self._peek(table, position)
        stored = table.take(epoch)
        if stored is None:
            self._report.unwritten += 1
            self._behind = True
        elif derived != stored:
            raise self._differs(position, f"the {what} that was published is not the one that follows from the log")
        elif self._behind:
            raise self._differs(position, f"a {what} was published after one that is missing")

    def _differs(self, position: int, what: str) -> "_Differs":
        return _Differs(position, self._name, what)


class _InOrder(Generic[Row]):
    """The rows of a table by epoch: only the next one is in memory."""

    def __init__(self, rows: Iterator[Row], epoch_of: Callable[[Row], int]) -> None:
        self._rows, self._epoch_of = rows, epoch_of
        self._next: Row | None = None

    @property
    def next(self) -> Row | None:
        """The oldest that was not taken."""
        if self._next is None:
            self._next = next(self._rows, None)
        return self._next

    def take(self, epoch: int) -> Row | None:
        """The next one, if it is of this epoch."""
        found = self.next
        if found is None or self._epoch_of(found) != epoch:
            return None
        self._next = None
        return found


class _Differs(Exception):
    def __init__(self, position: int, task: str, what: str) -> None:
        super().__init__(what)
        self.difference = Difference(position, task, what)
