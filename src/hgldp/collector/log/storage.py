"""What the writer needs of a database: one durable write at a time, and consistent reads from any thread."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Protocol

from hgldp.collector.donation import Donation
from hgldp.collector.log.entry import Entry
from hgldp.collector.views import PublishedEpoch, TaskTerms
from hgldp.model.bulletins import AnyBulletin
from hgldp.model.hints import Hints


@dataclass(frozen=True)
class TaskRow:
    """A task and what an operator may change of it. The seed drives the server's own random choices.

    Key and token are stored as hashes. After a change of the key the old one is accepted until `old_until`. The list
    that a task names is stored with its document.
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
    hints: Hints | None = None


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
class KeptEpoch:
    """What an epoch brought, without its reports: with the state before it, everything that its end published.

    It ended when `consumed` reports of the entry at `position` had been counted. `chain` is that of this entry, and
    `digest` the hash of all this and of the epoch before: nobody can change, remove or reorder epochs unnoticed.
    """

    task: int
    epoch: int
    position: int
    consumed: int
    time: float
    chain: bytes = field(repr=False)
    opened: bytes = field(repr=False)
    digest: bytes = field(repr=False)


@dataclass(frozen=True)
class Milestone:
    """The state right after the seal that began `epoch`: once it is old, everything before it can go.

    At that seal `consumed` reports of the entry at `position` had been counted. `kept_digest` is the digest of the last
    epoch that is kept up to then, and `shown` the hash of the few bulletins and results from before that stay.
    """

    task: int
    epoch: int
    position: int
    consumed: int
    time: float
    kept_digest: bytes = field(repr=False)
    shown: bytes = field(repr=False)
    state: bytes = field(repr=False)


@dataclass(frozen=True)
class Snapshot:
    """The state right after the last seal, and what was counted since then, up to the entry `upto` and with it.

    At the seal `consumed` reports of the entry at `position` had been counted. `chain` is that of the entry `upto`.
    A scheme that cannot write its open epoch down has no `opened`; then `upto` is the entry before `position`.
    `closed` is when the task was closed.
    """

    task: int
    position: int
    consumed: int
    state: bytes = field(repr=False)
    upto: int
    chain: bytes = field(repr=False)
    opened: bytes | None = field(repr=False)
    closed: float | None = None


@dataclass(frozen=True)
class Takeover(Milestone):
    """A milestone in mid-epoch: where a version took a task over that derives something else from the same reports.

    What came before stays as it was published. Replay begins here: with the state after the last seal, and what had
    been counted since then, up to the entry `upto`, as in a snapshot.
    """

    upto: int
    chain: bytes = field(repr=False)
    opened: bytes | None = field(repr=False)
    closed: float | None

    @property
    def snapshot(self) -> Snapshot:
        """The task at that moment."""
        seal = (self.task, self.position, self.consumed, self.state)
        return Snapshot(*seal, self.upto, self.chain, self.opened, self.closed)


@dataclass(frozen=True)
class IdPiece:
    """Fingerprints of upload ids, and the latest epoch that one of the uploads answered.

    Number 0 holds none: its epoch is the latest of which ids were forgotten early.
    """

    task: int
    number: int
    epoch: int
    data: bytes = field(repr=False)


@dataclass(frozen=True)
class Pruned:
    """Up to which entry the reports of a task are gone, and the chain of that entry: the entries after it go on."""

    position: int
    chain: bytes = field(repr=False)


@dataclass
class Transaction:
    """New facts (tasks, their warm-ups, entries, reports of a day), and what follows from the facts before them.

    In `changed` are tasks whose row is replaced, in `deleted` the numbers of tasks that go with all they have. An id
    piece that is None is deleted. An `era` begins when every task has its takeover. Only a store that several
    collectors share has an inbox: `taken` are rows of it that became entries, and `answered` the requests that were
    carried out.
    """

    tasks: list[TaskRow] = field(default_factory=list)
    entries: list[Entry] = field(default_factory=list)
    bulletins: list[BulletinRow] = field(default_factory=list)
    results: list[ResultRow] = field(default_factory=list)
    kept: list[KeptEpoch] = field(default_factory=list)
    milestones: list[Milestone] = field(default_factory=list)
    snapshots: dict[int, Snapshot] = field(default_factory=dict)
    id_pieces: dict[tuple[int, int], IdPiece | None] = field(default_factory=dict)
    days: dict[tuple[int, int], int] = field(default_factory=dict)
    changed: list[TaskRow] = field(default_factory=list)
    deleted: list[int] = field(default_factory=list)
    warmups: dict[int, Donation] = field(default_factory=dict)
    takeovers: list[Takeover] = field(default_factory=list)
    era: int | None = None
    taken: list[int] = field(default_factory=list)
    answered: list[int] = field(default_factory=list)

    def add_bulletin(self, task: int, bulletin: AnyBulletin, position: int, published: float) -> None:
        """A bulletin that follows from the entry at a position."""
        row = BulletinRow(bulletin.version, task, bulletin.epoch, position, published, bulletin.canonical)
        self.bulletins.append(row)

    def extend(self, other: "Transaction") -> None:
        """Add what follows from other facts. A later snapshot of a task replaces an earlier one."""
        self.bulletins += other.bulletins
        self.results += other.results
        self.kept += other.kept
        self.milestones += other.milestones
        self.snapshots |= other.snapshots
        self.id_pieces |= other.id_pieces
        self.warmups |= other.warmups
        self.takeovers += other.takeovers

    def __bool__(self) -> bool:
        return any(vars(self).values())


@dataclass(frozen=True)
class LogEnd:
    """The last entry's numbers: the next entry goes after it."""

    position: int = 0
    batch: int = 0


class Storage(Protocol):
    """Reads see whole transactions only. Whatever writes or deletes is called by one thread at a time."""

    @property
    def secret(self) -> bytes:
        """Sixteen bytes that the folder keeps to itself: the key of the upload ids' fingerprints."""

    def write(self, transaction: Transaction) -> None:
        """Write everything durably, or raise StorageFailed and write nothing."""

    def probe(self) -> None:
        """Raise StorageFailed unless something can be written durably now."""

    def tasks(self) -> list[TaskRow]:
        """In order of creation."""

    def last_number(self) -> int:
        """The highest number that a task ever had, deleted ones included."""

    def warmup(self, task: int) -> Donation | None:
        """What was given to a task when it was created; the terms say whether anything was."""

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

    def kept(self, task: int, latest: int | None = None) -> list[KeptEpoch]:
        """What all or the latest epochs brought, oldest first."""

    def latest_milestone(self, task: int) -> Milestone | None:
        """The last one, if the task has any."""

    def era(self) -> int:
        """Of the version that writes the folder; 0 if that was before there were eras."""

    def takeover(self, task: int) -> Takeover | None:
        """Where the era of the folder begins for a task that is older than it."""

    def kept_from(self, task: int) -> int:
        """With which epoch begins what is kept; 0 if nothing that was published is gone."""

    def snapshot(self, task: int) -> Snapshot | None:
        """The latest state of a task."""

    def pruned(self, task: int) -> Pruned | None:
        """Up to where the reports of a task are gone."""

    def oldest_report(self, task: int) -> float | None:
        """When the oldest report came that is kept as it came."""

    def id_pieces(self, task: int) -> Iterator[IdPiece]:
        """The upload ids of a task, oldest first."""

    def reports_on(self, task: int, day: int) -> int:
        """How many reports were counted on a day and on later ones."""

    def prune(self, task: int, upto: int, before: float) -> int:
        """Delete some of the oldest entries of a task: up to a position, and older than a time. Returns how many."""

    def expire(self, task: int, before: float) -> bool:
        """Delete some of what was published before a time and a milestone stands for; False if nothing was left."""

    def free_bytes(self) -> int:
        """How much of the disk is free."""

    def tidy(self, *, spare: bool = True) -> bool:
        """Give some unused space back, and delete some of what deleted tasks left. False when nothing is left to do.

        With `spare`, what a running collector will need again stays unused.
        """

    def close(self) -> None:
        """Close the database."""
