"""Derive everything that was ever published from the log again, and compare it bit for bit.

Where reports are gone, what is kept of their epoch stands for them.
"""

from dataclasses import dataclass
from pathlib import Path

from hgldp.collector.log.entry import start_of_chain
from hgldp.collector.log.reading import Frozen, Reading
from hgldp.collector.log.recovery import read_task_row
from hgldp.collector.log.storage import BulletinRow, KeptEpoch, ResultRow, TaskRow, Transaction
from hgldp.collector.log.task_state import TaskState
from hgldp.errors import HgldpError


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

    `folded` epochs were derived from what is kept of them, since their reports are gone.
    """

    tasks: int = 0
    entries: int = 0
    reports: int = 0
    bulletins: int = 0
    epochs: int = 0
    folded: int = 0
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
    """One task, from its creation to its last entry."""

    def __init__(self, storage: Reading, row: TaskRow, report: ReplayReport) -> None:
        self._storage, self._number, self._name, self._report = storage, row.number, row.id.hex(), report
        try:
            self._kept = {each.epoch: each for each in storage.kept(row.number)}
            self._bulletins = {each.epoch: each for each in storage.bulletins(row.number)}
            self._results = {each.result.epoch: each for each in storage.results(row.number)}
            self._snapshot, self._pruned = storage.snapshot(row.number), storage.pruned(row.number)
            self._state = TaskState.start(row, read_task_row(row))
        except (HgldpError, ValueError) as wrong:
            raise _Differs(0, self._name, str(wrong)) from None
        self._behind = False

    def run(self) -> None:
        """Stops at the first difference."""
        self._compare(0)
        last = self._fold()
        gone = self._pruned.position if self._pruned else 0
        first, consumed = (last.position, last.consumed) if last else (1, 0)
        if gone and first <= gone:
            first, consumed = self._reopen(gone), 0
        position = self._follow(first, consumed)
        left = [*self._bulletins, *self._results, *self._kept]
        if left or self._snapshot is not None:
            raise self._differs(position, "something was published that does not follow from the log")

    def _fold(self) -> KeptEpoch | None:
        """Derive the epochs whose reports are gone, all or in part; returns the last of them."""
        last = None
        while self._pruned is not None and (last is None or last.position <= self._pruned.position):
            kept = self._kept.get(self._state.bulletin.epoch)
            if kept is None:
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
            last = kept
            self._compare(kept.position)
        return last

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
            if entry.link(chain) != entry.chain:
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
            self._same(bulletin, self._bulletins.pop(bulletin.epoch, None), position, "bulletin")
            self._report.bulletins += 1
        for result in derived.results:
            epoch = result.result.epoch
            self._same(result, self._results.pop(epoch, None), position, f"result of epoch {epoch}")
            self._report.epochs += 1
        for kept in derived.kept:
            self._same(kept, self._kept.pop(kept.epoch, None), position, f"tally of epoch {kept.epoch}")

    def _compare_snapshot(self, position: int) -> None:
        stored = self._snapshot
        if stored is None or position != (stored.position if stored.opened is None else stored.upto):
            return
        if self._behind:
            raise self._differs(position, "something is missing that was written together with the state")
        if stored != self._state.snapshot():
            raise self._differs(position, "the state that was written is not the one that follows from the log")
        self._snapshot = None

    def _same(
        self, derived: object, stored: BulletinRow | ResultRow | KeptEpoch | None, position: int, what: str
    ) -> None:
        if stored is None:
            self._report.unwritten += 1
            self._behind = True
        elif derived != stored:
            raise self._differs(position, f"the {what} that was published is not the one that follows from the log")
        elif self._behind:
            raise self._differs(position, f"a {what} was published after one that is missing")

    def _differs(self, position: int, what: str) -> "_Differs":
        return _Differs(position, self._name, what)


class _Differs(Exception):
    def __init__(self, position: int, task: str, what: str) -> None:
        super().__init__(what)
        self.difference = Difference(position, task, what)
