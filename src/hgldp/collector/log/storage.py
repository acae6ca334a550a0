"""What the writer needs of a database: one durable write at a time, and consistent reads from any thread."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Protocol

from hgldp.collector.log.entry import START_OF_CHAIN, Entry
from hgldp.collector.views import PublishedEpoch, TaskTerms
from hgldp.model.bulletins import AnyBulletin


@dataclass(frozen=True)
class TaskRow:
    """A task and what an operator may change of it. The seed drives the server's own random choices.

    Key and token are stored as hashes. After a change of the key the old one is accepted until `old_until`.
    """

    number: int
    id: bytes
    document: bytes
    seed: int
    terms: TaskTerms
    created: float
    write_digest: bytes = field(repr=False)
    read_digest: bytes = field(repr=False)
    old_write_digest: bytes = field(repr=False, default=b"")
    old_until: float = 0.0


@dataclass(frozen=True)
class BulletinRow:
    """A bulletin, and the position of the entry that led to it (0: the task was created with it)."""

    version: str
    task: int
    epoch: int
    position: int
    published: float
    data: bytes = field(repr=False)


@dataclass(frozen=True)
class ResultRow:
    """What the end of an epoch published."""

    task: int
    position: int
    result: PublishedEpoch


@dataclass(frozen=True)
class Snapshot:
    """The state right after a seal. By then `consumed` reports of the entry at `position` had been counted."""

    task: int
    position: int
    consumed: int
    state: bytes = field(repr=False)


@dataclass
class Transaction:
    """New facts (tasks, entries, reports of a day), and what follows from the facts before them.

    In `changed` are tasks whose row is replaced, in `deleted` the numbers of tasks that go with all they have.
    """

    tasks: list[TaskRow] = field(default_factory=list)
    entries: list[Entry] = field(default_factory=list)
    bulletins: list[BulletinRow] = field(default_factory=list)
    results: list[ResultRow] = field(default_factory=list)
    snapshots: dict[int, Snapshot] = field(default_factory=dict)
    days: dict[tuple[int, int], int] = field(default_factory=dict)
    changed: list[TaskRow] = field(default_factory=list)
    deleted: list[int] = field(default_factory=list)

    def add_bulletin(self, task: int, bulletin: AnyBulletin, position: int, published: float) -> None:
        """A bulletin that follows from the entry at a position."""
        row = BulletinRow(bulletin.version, task, bulletin.epoch, position, published, bulletin.canonical)
        self.bulletins.append(row)

    def add_seal(
        self, task: int, position: int, consumed: int, result: PublishedEpoch, bulletin: AnyBulletin, state: bytes
    ) -> None:
        """The end of an epoch: what it published, the next bulletin, and the state."""
        self.results.append(ResultRow(task, position, result))
        self.add_bulletin(task, bulletin, position, result.published)
        self.snapshots[task] = Snapshot(task, position, consumed, state)

    def extend(self, other: "Transaction") -> None:
        """Add what follows from other facts. A later snapshot of a task replaces an earlier one."""
        self.bulletins += other.bulletins
        self.results += other.results
        self.snapshots |= other.snapshots

    def __bool__(self) -> bool:
        return any(vars(self).values())


@dataclass(frozen=True)
class LogEnd:
    """The last entry's numbers and its chain: the next entry goes after it."""

    position: int = 0
    batch: int = 0
    chain: bytes = START_OF_CHAIN


class Storage(Protocol):
    """Reads see whole transactions only. `write` is called by one thread at a time."""

    def write(self, transaction: Transaction) -> None:
        """Write everything durably, or raise StorageFailed and write nothing."""

    def tasks(self) -> list[TaskRow]:
        """In order of creation."""

    def end(self) -> LogEnd:
        """Where the log ends now."""

    def entries(self, task: int | None = None, first: int = 0) -> Iterator[Entry]:
        """The entries of one task or of all, in order, starting at a position."""

    def bulletins(self, task: int, latest: int | None = None) -> list[BulletinRow]:
        """All or the latest of a task, oldest first."""

    def bulletin(self, version: str) -> bytes | None:
        """The canonical bytes of a version."""

    def results(self, task: int, first: int = 0, last: int | None = None) -> list[ResultRow]:
        """What the epochs from first to last published, in order."""

    def latest_results(self, task: int, count: int) -> list[ResultRow]:
        """The last epochs that were published, in order."""

    def snapshot(self, task: int) -> Snapshot | None:
        """The latest state of a task."""

    def reports_on(self, task: int, day: int) -> int:
        """How many reports were counted on a day and on later ones."""

    def close(self) -> None:
        """Close the database."""
