"""Derive everything that was ever published from the log again, and compare it bit for bit."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from hgldp.collector.log.entry import Entry
from hgldp.collector.log.recovery import read_task_row
from hgldp.collector.log.sqlite import FILE, SQLiteStorage
from hgldp.collector.log.storage import BulletinRow, LogEnd, ResultRow, Snapshot, Storage, Transaction
from hgldp.collector.log.task_state import TaskState
from hgldp.errors import DamagedLog, HgldpError


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
    """How much was derived again. `unwritten` rows follow from the log, but a crash came before they were written."""

    tasks: int = 0
    entries: int = 0
    reports: int = 0
    bulletins: int = 0
    epochs: int = 0
    unwritten: int = 0
    difference: Difference | None = None

    @property
    def agrees(self) -> bool:
        """Whether everything that was published follows from the log."""
        return self.difference is None


def replay(folder: Path) -> ReplayReport:
    """Check a data folder. It is only read, and a server may run on it meanwhile."""
    if not (folder / FILE).is_file():
        raise DamagedLog(f"{folder} must hold the data of a collector, but it has no {FILE}")
    storage = SQLiteStorage(folder)
    try:
        return Replay(storage).run()
    finally:
        storage.close()


class Replay:
    """Reads what was published before it reads the log, so that the log holds every entry that led to it."""

    def __init__(self, storage: Storage) -> None:
        self._storage, self.report = storage, ReplayReport()
        self._bulletins: dict[tuple[int, int], BulletinRow] = {}
        self._results: dict[tuple[int, int], ResultRow] = {}
        self._snapshots: dict[int, Snapshot] = {}
        self._states: dict[int, TaskState] = {}
        self._behind: set[str] = set()

    def run(self) -> ReplayReport:
        """Stops at the first difference."""
        try:
            self._start()
            self._follow(self._storage.entries())
        except _Differs as found:
            self.report.difference = found.difference
        return self.report

    def _start(self) -> None:
        for row in self._storage.tasks():
            number = row.number
            if snapshot := self._storage.snapshot(number):
                self._snapshots[number] = snapshot
            self._bulletins |= {(number, each.epoch): each for each in self._storage.bulletins(number)}
            self._results |= {(number, each.result.epoch): each for each in self._storage.results(number)}
            try:
                self._states[number] = TaskState.start(row, read_task_row(row))
            except HgldpError as wrong:
                raise _Differs(0, row.id.hex(), str(wrong)) from None
            self.report.tasks += 1
            self._compare(self._states[number], 0)

    def _follow(self, entries: Iterable[Entry]) -> None:
        end, position = LogEnd(), 0
        for entry in entries:
            position, state = entry.position, self._states.get(entry.task)
            if state is None:
                raise _Differs(position, "", "it belongs to a task that does not exist")
            name = state.row.id.hex()
            if position != end.position + 1 or entry.link(end.chain) != entry.chain:
                raise _Differs(position, name, "it is not the entry that was written here: the hash chain is broken")
            try:
                state.apply(entry)
            except (HgldpError, KeyError, ValueError):
                raise _Differs(position, name, "it cannot be counted") from None
            end = LogEnd(position, entry.batch, entry.chain)
            self.report.entries += 1
            self.report.reports += entry.reports
            self._compare(state, position)
        for number, _ in (*self._bulletins, *self._results, *((number, 0) for number in self._snapshots)):
            name = self._states[number].row.id.hex()
            raise _Differs(position, name, "something was published that does not follow from the log")

    def _compare(self, state: TaskState, position: int) -> None:
        """Hold what follows from an entry against what was published."""
        derived, state.derived = state.derived, Transaction()
        number, name = state.row.number, state.row.id.hex()
        for bulletin in derived.bulletins:
            self._same(bulletin, self._bulletins.pop((number, bulletin.epoch), None), position, name, "bulletin")
            self.report.bulletins += 1
        for result in derived.results:
            epoch = result.result.epoch
            self._same(result, self._results.pop((number, epoch), None), position, name, f"result of epoch {epoch}")
            self.report.epochs += 1
        for snapshot in derived.snapshots.values():
            stored = self._snapshots.get(number)
            if stored is not None and stored.position == snapshot.position:
                self._same(snapshot, self._snapshots.pop(number), position, name, "state")

    def _same(self, derived: object, stored: object, position: int, task: str, what: str) -> None:
        if stored is None:
            self.report.unwritten += 1
            self._behind.add(task)
        elif derived != stored:
            raise _Differs(position, task, f"the {what} that was published is not the one that follows from the log")
        elif task in self._behind:
            raise _Differs(position, task, f"a {what} was published after one that is missing")


class _Differs(Exception):
    def __init__(self, position: int, task: str, what: str) -> None:
        super().__init__(what)
        self.difference = Difference(position, task, what)
