"""One task inside the writer: its tracker, what it has seen, and what follows from each entry of the log."""

from collections.abc import Sequence
from dataclasses import dataclass

from hgldp.collector.entry import CLOSE, RUN, SEAL, Entry
from hgldp.collector.gate import Gate, gates_of, read_symbols
from hgldp.collector.lines import lines_of
from hgldp.collector.sealing import SealingTracker
from hgldp.collector.seen import SeenIds
from hgldp.collector.storage import Batch, BulletinRow, ResultRow, Snapshot, TaskRow
from hgldp.collector.views import Line, PublishedEpoch, TaskView
from hgldp.model.bulletins import AnyBulletin
from hgldp.model.task import FRONTIER, Task
from hgldp.schemes.registry import scheme_of


@dataclass
class Uploads:
    """How uploads fared since the server started."""

    accepted: int = 0
    duplicate: int = 0
    refused: int = 0


class TaskState:
    """`apply` is the only thing that moves it, and it is a function of the entries alone."""

    def __init__(self, row: TaskRow, task: Task, tracker: SealingTracker, state_bytes: int) -> None:
        self.row, self.task, self.tracker = row, task, tracker
        self.scheme = scheme_of(task)
        self.closed: float | None = None
        self.published, self.last_epoch_seconds = row.created, 0.0
        self.published_lines: tuple[Line, ...] = ()
        self.lines_before: tuple[Line, ...] = ()
        self.top: tuple[Line, ...] = ()
        self.top_epoch = self.top_reports = 0
        self.state_bytes = state_bytes
        self.uploads = Uploads()
        self.seen: dict[bytes, SeenIds] = {}
        self.derived = Batch()
        self._entry: Entry | None = None
        self._reports_before = 0
        tracker.when_sealed = self._sealed
        self._begin()

    @classmethod
    def start(cls, row: TaskRow, task: Task) -> "TaskState":
        """Of a new task: its first bulletin follows from the seed."""
        tracker = SealingTracker(task, row.seed)
        state = cls(row, task, tracker, len(tracker.serialize()))
        state.derived.bulletins.append(_bulletin_row(row.number, tracker.bulletin, 0, row.created))
        return state

    @classmethod
    def restore(
        cls, row: TaskRow, task: Task, snapshot: Snapshot, bulletins: Sequence[AnyBulletin], published: float
    ) -> "TaskState":
        """As it was right after a seal; the bulletins are the accepted ones, oldest first."""
        tracker = SealingTracker.restored(task, snapshot.state, bulletins[:-1])
        state = cls(row, task, tracker, len(snapshot.state))
        state.published = published
        return state

    def _begin(self) -> None:
        self.gates: dict[bytes, Gate] = gates_of(self.scheme, self.tracker.bulletins)
        self.epoch_length = self.tracker.epoch_room

    @property
    def in_epoch(self) -> int:
        """How many reports the open epoch holds."""
        return self.epoch_length - self.tracker.epoch_room

    def is_worth_sealing(self, arriving: int) -> bool:
        """By the clock: pfr keeps so many epochs of a listed domain, and an empty one would push out a full one."""
        least = self.epoch_length // 8 if self.task.scheme == FRONTIER and not self.task.is_open else 1
        return self.in_epoch + arriving >= max(1, least)

    def apply(self, entry: Entry, consumed: int = 0) -> None:
        """Count an entry, or what is left of it; what follows from it is added to `derived`."""
        self._entry, self._reports_before = entry, self.tracker.reports - consumed
        if entry.kind == RUN:
            symbols = read_symbols(entry.symbols, self.gates[entry.bulletin].width)
            if consumed < symbols.size:
                self.tracker.insert_many(entry.bulletin.hex(), symbols[consumed:])
        elif entry.kind == SEAL and self.in_epoch:
            self.tracker.seal()
        elif entry.kind == CLOSE:
            self.closed = entry.time

    def _sealed(self, ended: AnyBulletin, state: bytes) -> None:
        entry, number = self._entry, self.row.number
        assert entry is not None  # noqa: S101
        self._begin()
        reports, bulletin = self.tracker.reports, self.tracker.bulletin
        self.lines_before = self.published_lines
        lines = lines_of(self.tracker.top(), self.lines_before)
        published = PublishedEpoch(ended.epoch, entry.time, reports, ended.version, lines)
        derived = self.derived
        derived.results.append(ResultRow(number, entry.position, published))
        derived.bulletins.append(_bulletin_row(number, bulletin, entry.position, entry.time))
        derived.snapshots[number] = Snapshot(number, entry.position, reports - self._reports_before, state)
        self.published_lines = lines
        self._show(lines)
        self.last_epoch_seconds = max(0.0, entry.time - self.published)
        self.published, self.state_bytes = entry.time, len(state)

    def refresh_top(self) -> None:
        """The top with the open epoch in it; ranks change against the epoch before the one that was published last."""
        self._show(lines_of(self.tracker.top(), self.lines_before))

    def _show(self, lines: tuple[Line, ...]) -> None:
        self.top, self.top_epoch, self.top_reports = lines, self.tracker.bulletin.epoch, self.tracker.reports

    def forget_old_ids(self) -> None:
        """Only accepted bulletins' uploads can be sent again."""
        for version in [each for each in self.seen if each not in self.gates]:
            del self.seen[version]

    def view(self) -> TaskView:
        """What the rest of the service sees."""
        row, tracker, uploads = self.row, self.tracker, self.uploads
        return TaskView(
            id=row.id,
            number=row.number,
            task=self.task,
            terms=row.terms,
            write_digest=row.write_digest,
            read_digest=row.read_digest,
            created=row.created,
            closed=self.closed,
            bulletin=tracker.bulletin,
            published=self.published,
            bulletins=tracker.bulletins,
            gates=self.gates,
            epoch=tracker.bulletin.epoch,
            reports=tracker.reports,
            in_epoch=self.in_epoch,
            epoch_length=self.epoch_length,
            state_bytes=self.state_bytes,
            top=self.top,
            top_epoch=self.top_epoch,
            top_reports=self.top_reports,
            accepted=uploads.accepted,
            duplicate=uploads.duplicate,
            refused=uploads.refused,
            last_epoch_seconds=self.last_epoch_seconds,
        )

    def copied_tracker(self) -> SealingTracker:
        """For a question that takes its time."""
        return self.tracker.copied()


def _bulletin_row(number: int, bulletin: AnyBulletin, position: int, published: float) -> BulletinRow:
    return BulletinRow(bulletin.version, number, bulletin.epoch, position, published, bulletin.canonical)
