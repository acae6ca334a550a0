"""One task inside the writer: its tracker, the ids it has counted, and what follows from each entry of the log."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from hgldp.collector.log.entry import CLOSE, RUN, SEAL, Entry
from hgldp.collector.log.storage import Snapshot, TaskRow, Transaction
from hgldp.collector.log.upload_ids import UploadIds
from hgldp.collector.problems import Problem, Refused
from hgldp.collector.symbol_format import SymbolFormat, read_symbols, symbol_formats
from hgldp.collector.tokens import digest, kept, new_token
from hgldp.collector.views import Answer, NewTask, PublishedEpoch, RankedItem, TaskTerms, TaskView
from hgldp.errors import HgldpError
from hgldp.model.bulletins import AnyBulletin
from hgldp.model.estimate import Estimate
from hgldp.model.task import Task
from hgldp.schemes.registry import scheme_of
from hgldp.tracker import Tracker

SEED_BYTES = 8


@dataclass
class UploadCounts:
    """How uploads fared since the server started."""

    accepted: int = 0
    duplicate: int = 0
    refused: int = 0


class TaskState:
    """Only `apply` moves it, and the result depends on the entries alone.

    `derived` holds what follows from the entries so far and is not written yet.
    """

    def __init__(
        self, row: TaskRow, task: Task, tracker: Tracker, state_bytes: int, upload_ids: UploadIds | None
    ) -> None:
        self.row = row
        self.task = task
        self.closed: float | None = None
        self.published = row.created
        self.last_epoch_seconds = 0.0
        self.published_items: tuple[RankedItem, ...] = ()
        self.items_before: tuple[RankedItem, ...] = ()
        self.uploads = UploadCounts()
        self.upload_ids = upload_ids or UploadIds()
        self.derived = Transaction()
        self._tracker = tracker
        self._scheme = scheme_of(task)
        self._state_bytes = state_bytes
        self._top: tuple[RankedItem, ...] = ()
        self._top_epoch = 0
        self._top_reports = 0
        self._entry = Entry(0, 0, row.created, row.number, SEAL)
        self._reports_before = 0
        tracker.when_sealed = self._sealed
        self._begin_epoch()

    @classmethod
    def start(cls, row: TaskRow, task: Task, upload_ids: UploadIds | None = None) -> "TaskState":
        """The state of a new task. Its first bulletin follows from the seed."""
        tracker = Tracker(task, row.seed, hides_order=row.terms.hides_order)
        state = cls(row, task, tracker, len(tracker.serialize()), upload_ids)
        state.derived.add_bulletin(row.number, tracker.bulletin, 0, row.created)
        return state

    @classmethod
    def restore(
        cls, row: TaskRow, task: Task, snapshot: Snapshot, bulletins: Sequence[AnyBulletin], upload_ids: UploadIds
    ) -> "TaskState":
        """The state right after a seal. `bulletins` are those that are still accepted, oldest first."""
        tracker = Tracker.restore(task, snapshot.state, bulletins[:-1])
        return cls(row, task, tracker, len(snapshot.state), upload_ids)

    def _begin_epoch(self) -> None:
        self.formats: dict[bytes, SymbolFormat] = symbol_formats(self._scheme, self._tracker.bulletins)
        self.epoch_length = self._tracker.epoch_room
        self.upload_ids.keep(self.formats)

    @property
    def bulletin(self) -> AnyBulletin:
        """What clients answer now."""
        return self._tracker.bulletin

    @property
    def in_epoch(self) -> int:
        """How many reports the open epoch holds."""
        return self.epoch_length - self._tracker.epoch_room

    def is_worth_sealing(self, arriving: int) -> bool:
        """Whether the clock may end the epoch, when `arriving` more reports are about to be counted."""
        return self._tracker.is_worth_sealing(self.in_epoch + arriving, self.epoch_length)

    def apply(self, entry: Entry, consumed: int = 0) -> None:
        """Count an entry without its first `consumed` reports, and add what follows from it to `derived`."""
        self._entry = entry
        self._reports_before = self._tracker.reports - consumed
        if entry.kind == RUN:
            symbols = read_symbols(entry.symbols, self.formats[entry.bulletin].width)
            if consumed < symbols.size:
                self._tracker.insert_many(entry.bulletin.hex(), symbols[consumed:])
        elif entry.kind == SEAL and self.in_epoch:
            self._tracker.seal()
        elif entry.kind == CLOSE:
            self.closed = entry.time

    def count(self, entry: Entry) -> bool:
        """Apply a new entry and remember its uploads. True if something else must be written because of it."""
        self.apply(entry)
        self.remember(entry)
        return bool(self.derived)

    def remember(self, entry: Entry) -> None:
        """That the uploads of an entry are counted, for as long as their bulletin is accepted."""
        if entry.kind == RUN and entry.bulletin in self.formats:
            self.upload_ids.add(entry.bulletin, entry.upload_ids)

    def _sealed(self, ended: AnyBulletin, state: bytes) -> None:
        self._begin_epoch()
        entry, tracker = self._entry, self._tracker
        self.items_before = self.published_items
        self.published_items = _ranked_items(tracker.top(), self.items_before)
        published = PublishedEpoch(ended.epoch, entry.time, tracker.reports, ended.version, self.published_items)
        consumed = tracker.reports - self._reports_before
        self.derived.add_seal(self.row.number, entry.position, consumed, published, tracker.bulletin, state)
        self._show(self.published_items)
        self.last_epoch_seconds = max(0.0, entry.time - self.published)
        self.published = entry.time
        self._state_bytes = len(state)

    def refresh_top(self) -> None:
        """Recompute the top, including the open epoch. Ranks change against the epoch before the last published."""
        self._show(_ranked_items(self._tracker.top(), self.items_before))

    def _show(self, items: tuple[RankedItem, ...]) -> None:
        self._top = items
        self._top_epoch = self._tracker.bulletin.epoch
        self._top_reports = self._tracker.reports

    def copied(self) -> "TaskCopy":
        """For a question that takes its time."""
        return TaskCopy(self._tracker.copied(), self.items_before)

    def view(self) -> TaskView:
        """What the rest of the service sees."""
        row, tracker, uploads = self.row, self._tracker, self.uploads
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
            formats=self.formats,
            epoch=tracker.bulletin.epoch,
            reports=tracker.reports,
            in_epoch=self.in_epoch,
            epoch_length=self.epoch_length,
            state_bytes=self._state_bytes,
            top=self._top,
            top_epoch=self._top_epoch,
            top_reports=self._top_reports,
            accepted=uploads.accepted,
            duplicate=uploads.duplicate,
            refused=uploads.refused,
            last_epoch_seconds=self.last_epoch_seconds,
            old_write_digest=row.old_write_digest,
            old_until=row.old_until,
        )


class TaskCopy:
    """A task at one moment, which may be asked in any thread while the writer goes on."""

    def __init__(self, tracker: Tracker, items_before: tuple[RankedItem, ...]) -> None:
        self._tracker, self._before = tracker, items_before

    def top(self, k: int | None, window: int | None) -> Answer:
        """The top k (by default the task's k); with a window, of about the last `window` reports."""
        tracker = self._tracker
        k = tracker.task.k if k is None else k
        items = _ranked_items(tracker.top(k, window), self._before)
        return Answer(k, window, tracker.bulletin.epoch, tracker.reports, tracker.covered(window), items)


def new_task(
    number: int,
    task: Task,
    terms: TaskTerms,
    now: float,
    entropy: Callable[[int], bytes],
    upload_ids: UploadIds | None = None,
) -> tuple[NewTask, TaskState]:
    """What the creator of a task is told, and its first state, which holds only hashes of the key and the token.

    Some tasks turn out to be illegal only when they start, such as one whose memory does not hold two epochs.
    """
    key, token = new_token(entropy), new_token(entropy)
    seed = int.from_bytes(entropy(SEED_BYTES), "big")
    row = TaskRow(number, task.id, task.canonical, seed, terms, now, digest(key), kept(token))
    try:
        return NewTask(task.id, key, token), TaskState.start(row, task, upload_ids)
    except HgldpError as wrong:
        raise Refused(Problem.MALFORMED_TASK, str(wrong)) from None


def _ranked_items(answer: Iterable[tuple[object, Estimate]], before: Sequence[RankedItem]) -> tuple[RankedItem, ...]:
    """A tracker's answer for people, with how far each item has climbed since an earlier top."""
    ranks = {each.item: rank for rank, each in enumerate(before)}
    found = []
    for rank, (item, estimate) in enumerate(answer):
        shown = item if isinstance(item, int | str) else str(item)
        low, high = estimate.interval
        found.append(
            RankedItem(
                item=shown,
                estimate=estimate.count,
                standard_error=estimate.standard_error,
                low=low,
                high=high,
                tracked_count=estimate.tracked_count,
                tracked_error=estimate.tracked_error,
                since=estimate.since,
                rank_change=ranks[shown] - rank if shown in ranks else None,
            )
        )
    return tuple(found)
