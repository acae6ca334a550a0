"""One task, derived again and compared row by row."""

from dataclasses import replace

from hgldp.collector.log.entry import start_of_chain
from hgldp.collector.log.milestones import bulletins_from, results_from
from hgldp.collector.log.reading import Reading
from hgldp.collector.log.recovery import begin_at, given_to, read_task_row
from hgldp.collector.log.replay.in_order import InOrder, Row
from hgldp.collector.log.replay.report import Difference, ReplayReport
from hgldp.collector.log.storage import Milestone, Takeover, TaskRow, Transaction
from hgldp.collector.log.task_state import TaskState
from hgldp.errors import DamagedLog, HgldpError

NOT_READABLE = (HgldpError, ValueError, TypeError)


class Differs(Exception):
    """The first difference ends a replay."""

    def __init__(self, position: int, task: str, what: str) -> None:
        super().__init__(what)
        self.difference = Difference(position, task, what)


class TaskReplay:
    """One task to its last entry: from its creation, the first epoch that is kept, or where it was taken over."""

    def __init__(self, storage: Reading, row: TaskRow, report: ReplayReport) -> None:
        self._storage, self._number, self._name, self._report = storage, row.number, row.id.hex(), report
        self._behind = False
        number, limited = row.number, bool(row.terms.results_kept_days)
        try:
            self._snapshot, self._pruned = storage.snapshot(number), storage.pruned(number)
            first = storage.kept_from(number) if limited else 0
            self._takeover = storage.takeover(number)
            if self._takeover is not None and self._takeover.epoch >= first:
                first = self._takeover.epoch
            else:
                self._takeover = None
            self._bulletins = InOrder(storage.each_bulletin(number, bulletins_from(first)), lambda row: row.epoch)
            self._results = InOrder(storage.each_result(number, results_from(first)), lambda row: row.result.epoch)
            self._kept = InOrder(storage.each_kept(number, first), lambda row: row.epoch)
            milestones = storage.each_milestone(number) if limited else iter(())
            self._milestones = InOrder(milestones, lambda row: row.epoch)
            if self._takeover is not None:
                self._state = self._begin_taken_over(self._takeover, row)
            else:
                self._state = self._begin_at(first, row) if first else self._begin(row)
        except NOT_READABLE as wrong:
            raise Differs(0, self._name, str(wrong)) from None

    def _begin(self, row: TaskRow) -> TaskState:
        return TaskState.start(row, read_task_row(row), given=given_to(row, self._storage.warmup(row.number)))

    def _begin_at(self, epoch: int, row: TaskRow) -> TaskState:
        """What is before is gone, but for the last bulletins and results: the milestone stands for it."""
        milestone = self._milestones.take(epoch)
        if milestone is None:
            raise DamagedLog(f"what is kept must begin with a milestone of epoch {epoch}")
        state = self._begin_after(milestone, row)
        self._report.earlier += state.reports
        return state

    def _begin_taken_over(self, takeover: Takeover, row: TaskRow) -> TaskState:
        """What is before stays as it was published; the milestones before still say when the next one is due."""
        state = self._begin_after(takeover, row)
        state.last_milestone = None
        while (milestone := self._milestones.next) is not None and milestone.epoch <= takeover.epoch:
            state.last_milestone = milestone.time
            self._milestones.take(milestone.epoch)
        return state

    def _begin_after(self, milestone: Milestone, row: TaskRow) -> TaskState:
        epoch = milestone.epoch
        bulletins = [self._bulletins.take(each) for each in range(bulletins_from(epoch), epoch + 1)]
        results = [self._results.take(each) for each in range(results_from(epoch), epoch)]
        if None in bulletins or None in results:
            raise DamagedLog(f"what was published right before epoch {epoch} must be kept")
        return begin_at(milestone, row, [each for each in bulletins if each], [each for each in results if each])

    def run(self) -> None:
        """Stops at the first difference."""
        self._compare(0)
        self._compare_snapshot(0)
        gone = self._pruned.position if self._pruned else 0
        reached = self._resume(gone)
        self._fold(gone if reached is None else 0)
        first, consumed, _ = self._state.last_seal
        if reached is not None:
            first, consumed = reached + 1, 0
        elif gone and first <= gone:
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

    def _resume(self, gone: int) -> int | None:
        """Go on in the middle of the epoch in which the task was taken over, if all reports since then are there.

        Returns the last entry that was counted before; None if the epoch is to be counted from its beginning.
        """
        takeover = self._takeover
        if takeover is None:
            return None
        are_there = takeover.opened is not None and takeover.upto >= gone
        if are_there:
            try:
                self._state.reopen(takeover.snapshot)
            except (HgldpError, ValueError):
                raise self._differs(takeover.upto, "what the open epoch held at the takeover is unreadable") from None
            self._compare_snapshot(takeover.upto)
        self._report.taken_over += self._state.reports
        return takeover.upto if are_there else None

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
            self._same(result, self._results, epoch, position, f"result of epoch {epoch}")
            self._report.epochs += 1
        for kept in derived.kept:
            self._same(kept, self._kept, kept.epoch, position, f"tally of epoch {kept.epoch}")
        for each in derived.milestones:
            self._same(each, self._milestones, each.epoch, position, f"milestone of epoch {each.epoch}")

    def _compare_snapshot(self, position: int) -> None:
        """Hold the state after an entry against what was written then, if anything was."""
        stored = self._snapshot
        if stored is None or position != (stored.position if stored.opened is None else stored.upto):
            return
        if self._behind:
            raise self._differs(position, "something is missing that was written together with the state")
        if stored.opened is None:  # it says where to begin, and is of a later moment
            stored = replace(stored, closed=self._state.closed)
        if stored != self._state.snapshot():
            raise self._differs(position, "the state that was written is not the one that follows from the log")
        self._snapshot = None

    def _peek(self, table: InOrder[Row], position: int) -> Row | None:
        try:
            return table.next
        except NOT_READABLE as wrong:
            raise self._differs(position, str(wrong)) from None

    def _same(self, derived: Row, table: InOrder[Row], epoch: int, position: int, what: str) -> None:
        self._peek(table, position)
        stored = table.take(epoch)
        if stored is None:
            self._report.unwritten += 1
            self._behind = True
        elif derived != stored:
            raise self._differs(position, f"the {what} that was published is not the one that follows from the log")
        elif self._behind:
            raise self._differs(position, f"a {what} was published after one that is missing")

    def _differs(self, position: int, what: str) -> "Differs":
        return Differs(position, self._name, what)
