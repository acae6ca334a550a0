"""One task inside the writer: its tracker, the ids it has counted, and what follows from each entry of the log."""

from collections.abc import Sequence
from dataclasses import dataclass
from time import perf_counter, thread_time
from typing import Self

from hgldp.collector.donation import NOTHING_GIVEN, Donation
from hgldp.collector.log.entry import CLOSE, RUN, SEAL, Entry, kept_digest, start_of_chain
from hgldp.collector.log.milestones import hash_of_shown, is_due
from hgldp.collector.log.shown_top import Pace, ShownTop
from hgldp.collector.log.storage import BulletinRow, KeptEpoch, Milestone, ResultRow, Snapshot, TaskRow, Transaction
from hgldp.collector.log.task_copy import TaskCopy
from hgldp.collector.log.upload_ids import UploadIds
from hgldp.collector.symbol_format import SymbolFormat, read_symbols, symbol_formats
from hgldp.collector.views import PublishedEpoch, RankedItem, TaskView, UploadCounts
from hgldp.errors import DamagedLog
from hgldp.model.bulletins import AnyBulletin
from hgldp.model.task import Task
from hgldp.schemes.registry import scheme_of
from hgldp.tracker import Tracker
from hgldp.tracker.family import Symbols

NO_SECRET = bytes(16)


@dataclass(frozen=True)
class LastSeal:
    """The state after the last seal, made when `consumed` reports of the entry at `position` had been counted.

    `chain_before` is that of the entry before this one.
    """

    position: int
    consumed: int
    state: bytes
    chain_before: bytes


class TaskState:
    """Only `apply` moves it, and the result depends on the entries alone.

    `derived` holds what follows from the entries so far and is not written yet. `formats` are those of the bulletins
    that the tracker still reads, `accepted` those whose uploads are still taken. `uncovered` entries were counted
    since the last snapshot.
    """

    def __init__(self, row: TaskRow, task: Task, tracker: Tracker, last_seal: LastSeal, secret: bytes) -> None:
        self.row, self.task = row, task
        self.closed: float | None = None
        self.published = row.created
        self.last_epoch_seconds = self.seal_seconds = 0.0
        self.uploads = UploadCounts()
        self.upload_ids = UploadIds(row.number, secret)
        self.derived = Transaction()
        self.chain = self._chain_before = start_of_chain(row.id)
        self.kept_digest = self.chain
        self._tracker, self._scheme = tracker, scheme_of(task)
        self._seal, self._pace = last_seal, Pace(task)
        self.top = ShownTop(tracker, self._pace)
        self.uncovered = self.first_epoch = 0
        self.kept_since: float | None = None
        self.last_milestone: float | None = None
        self._entry = Entry(0, 0, row.created, row.number, SEAL)
        self._reports_before = 0
        tracker.when_sealed = self._sealed
        self._begin_epoch()

    @classmethod
    def start(cls, row: TaskRow, task: Task, secret: bytes = NO_SECRET, given: Donation = NOTHING_GIVEN) -> Self:
        """The state of a new task. Its first bulletin follows from the seed and from what was given as a warm-up."""
        raw = given.items(task.domain) if given.counts else ()
        tracker = Tracker(task, row.seed, warmup=raw, hides_order=row.terms.hides_order)
        state = cls(row, task, tracker, LastSeal(0, 0, tracker.serialize(), start_of_chain(row.id)), secret)
        state.derived.add_bulletin(row.number, tracker.bulletin, 0, row.created)
        return state

    @classmethod
    def restore(
        cls, row: TaskRow, task: Task, snapshot: Snapshot, bulletins: Sequence[AnyBulletin], secret: bytes
    ) -> Self:
        """What a snapshot describes. `bulletins` are those that the tracker still reads, oldest first."""
        tracker = Tracker.restore(task, snapshot.state, bulletins[:-1])
        seal = LastSeal(snapshot.position, snapshot.consumed, snapshot.state, snapshot.chain)
        state = cls(row, task, tracker, seal, secret)
        if snapshot.opened is not None:
            tracker.reopen(snapshot.opened)
        state.chain = state._chain_before = snapshot.chain
        state.closed = snapshot.closed
        state._entry = Entry(snapshot.upto, 0, row.created, row.number, SEAL)
        return state

    def begin_with(self, first: BulletinRow) -> None:
        """The task began with this bulletin."""
        if first.version != self.bulletin.version:
            raise DamagedLog(f"task {self.row.number} must have begun with the bulletin that follows from its seed")

    def _begin_epoch(self) -> None:
        bulletins = self._tracker.bulletins
        self.formats: dict[bytes, SymbolFormat] = symbol_formats(self._scheme, bulletins)
        self._epochs = {bytes.fromhex(each.version): each.epoch for each in bulletins}
        self.epoch_length, self._room = self._tracker.epoch_length, self._tracker.epoch_room
        self.upload_ids.keep_from(bulletins[0].epoch, self.derived)
        self.choose_accepted()

    def choose_accepted(self) -> None:
        """An upload for a bulletin of which ids had to be forgotten could be one that was counted."""
        latest, forgotten = self._tracker.bulletin.epoch, self.upload_ids.forgotten
        self.accepted = {
            version: each
            for version, each in self.formats.items()
            if self._epochs[version] == latest or self._epochs[version] > forgotten
        }

    @property
    def bulletin(self) -> AnyBulletin:
        """What clients answer now."""
        return self._tracker.bulletin

    @property
    def bulletins(self) -> tuple[AnyBulletin, ...]:
        """Those whose reports are still read, oldest first."""
        return self._tracker.bulletins

    @property
    def reports(self) -> int:
        """How many reports have been counted."""
        return self._tracker.reports

    @property
    def position(self) -> int:
        """Of the last entry that was counted."""
        return self._entry.position

    @property
    def last_seal(self) -> tuple[int, int, bytes]:
        """Position, consumed reports and state of the last seal."""
        return self._seal.position, self._seal.consumed, self._seal.state

    @property
    def in_epoch(self) -> int:
        """How many reports the open epoch holds."""
        return self._room - self._tracker.epoch_room

    def is_worth_sealing(self, arriving: int, looks: int = 0) -> bool:
        """Whether the clock may end the epoch, when `arriving` more reports are about to be counted."""
        return self._tracker.is_worth_sealing(self.in_epoch + arriving, self.epoch_length, looks)

    def apply(self, entry: Entry, consumed: int = 0) -> bool:
        """Count an entry without its first `consumed` reports, and add what follows from it to `derived`.

        True if an epoch or the task ended.
        """
        self._entry, self._chain_before, self.chain = entry, self.chain, entry.chain
        self._reports_before = self._tracker.reports - consumed
        seal = self._seal
        if entry.kind == RUN:
            symbols = read_symbols(entry.symbols, self.formats[entry.bulletin].width)
            if consumed < symbols.size:
                self._insert(entry.bulletin.hex(), symbols[consumed:])
        elif entry.kind == SEAL and self.in_epoch:
            self._end_epoch()
        elif entry.kind == CLOSE:
            self.closed = entry.time
        return self._seal is not seal or entry.kind == CLOSE

    def _insert(self, version: str, symbols: Symbols) -> None:
        self._tracker.insert_many(version, symbols)

    def _end_epoch(self) -> None:
        self._tracker.seal()

    def seals(self, entries: Sequence[Entry]) -> bool:
        """Whether the entries together end an epoch, which one can tell before they are counted."""
        version = bytes.fromhex(self.bulletin.version)
        arriving = sum(entry.reports for entry in entries if entry.bulletin == version)
        asked = any(entry.kind == SEAL for entry in entries)
        return bool(self.in_epoch + arriving) if asked else arriving >= self._tracker.epoch_room

    def checkpoint(self) -> None:
        """Write down where the task is, so that a restart need not read the entries before."""
        self.derived.snapshots[self.row.number] = self.snapshot()
        self.upload_ids.save(self.derived)
        self.uncovered = 0

    def snapshot(self) -> Snapshot:
        """Where the task is after its last entry."""
        seal, opened, chain, upto = self._seal, self._tracker.open_epoch(), self.chain, self._entry.position
        if opened is None:
            chain, upto = seal.chain_before, max(0, seal.position - 1)
        return Snapshot(self.row.number, seal.position, seal.consumed, seal.state, upto, chain, opened, self.closed)

    def count(self, entry: Entry, consumed: int = 0) -> bool:
        """Apply an entry and remember its uploads. True if something else must be written because of it."""
        began, spent, self.uncovered = perf_counter(), thread_time(), self.uncovered + 1
        ended = self.apply(entry, consumed)
        if self.kept_since is None:
            self.kept_since = entry.time
        if ended:
            self.seal_seconds = perf_counter() - began
            self._pace.note(thread_time() - spent)
        if entry.kind == RUN and entry.bulletin in self._epochs:
            self.upload_ids.add(entry.ids, self._epochs[entry.bulletin])
        if ended:
            self.checkpoint()
        return bool(self.derived)

    def _sealed(self, ended: AnyBulletin, state: bytes) -> None:
        self._begin_epoch()
        entry, tracker, number = self._entry, self._tracker, self.row.number
        published = PublishedEpoch(ended.epoch, entry.time, tracker.reports, ended.version, self._publish_top())
        consumed = tracker.reports - self._reports_before
        result = ResultRow(number, entry.position, published)
        self.derived.results.append(result)
        self.derived.add_bulletin(number, tracker.bulletin, entry.position, entry.time)
        self._keep(ended.epoch, consumed)
        self._seal = LastSeal(entry.position, consumed, state, self._chain_before)
        self._mark(result)
        self.last_epoch_seconds = max(0.0, entry.time - self.published)
        self.published = entry.time

    def _publish_top(self) -> tuple[RankedItem, ...]:
        return self.top.publish()

    def _keep(self, epoch: int, consumed: int) -> None:
        """What the epoch brought; a scheme that cannot write it down keeps its reports instead."""
        opened, entry = self._tracker.ended_epoch, self._entry
        if opened is not None:
            place = (self.row.number, epoch, entry.position, consumed, entry.time, entry.chain)
            self.kept_digest = kept_digest(self.kept_digest, *place, opened)
            self.derived.kept.append(KeptEpoch(*place, opened, self.kept_digest))

    def _mark(self, result: ResultRow) -> None:
        """A milestone, if one is due and the epochs before it can be told from what is kept of them."""
        time, seal, tracker = self._entry.time, self._seal, self._tracker
        if tracker.ended_epoch is None or not is_due(self.row.terms, self.last_milestone, time):
            return
        shown = hash_of_shown(tracker.bulletins, result, self.top.before)
        place = (self.row.number, tracker.bulletin.epoch, seal.position, seal.consumed, time)
        self.derived.milestones.append(Milestone(*place, self.kept_digest, shown, seal.state))
        self.last_milestone = time

    def repeat(self, epoch: KeptEpoch) -> None:
        """Derive the end of an epoch from what is kept of it, its reports being gone."""
        self._entry = Entry(epoch.position, 0, epoch.time, epoch.task, SEAL, chain=epoch.chain)
        self._chain_before, self.chain = self.chain, epoch.chain
        self._tracker.reopen(epoch.opened)
        self._reports_before = self._tracker.reports - epoch.consumed
        self._tracker.seal()

    def reopen(self, snapshot: Snapshot) -> None:
        """Go on in mid-epoch from a snapshot, the reports before it being gone."""
        if snapshot.opened is not None:
            self._tracker.reopen(snapshot.opened)
        self.chain, self.closed = snapshot.chain, snapshot.closed
        self._entry = Entry(snapshot.upto, 0, self._entry.time, snapshot.task, SEAL)

    @property
    def is_slow(self) -> bool:
        """Whether the end of an epoch or a top may take so long that other tasks should not wait for it."""
        return self._pace.is_slow

    def copied(self) -> TaskCopy:
        """For a question that takes its time."""
        return self.top.copied()

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
            old_write_digest=row.old_write_digest,
            old_until=row.old_until,
            created=row.created,
            closed=self.closed,
            bulletin=tracker.bulletin,
            published=self.published,
            bulletins=tracker.bulletins,
            formats=self.accepted,
            epoch=tracker.bulletin.epoch,
            reports=tracker.reports,
            in_epoch=self.in_epoch,
            epoch_length=self.epoch_length,
            state_bytes=len(self._seal.state),
            top=self.top.items,
            top_epoch=self.top.epoch,
            top_reports=self.top.reports,
            accepted=uploads.accepted,
            duplicate=uploads.duplicate,
            refused=uploads.refused,
            last_epoch_seconds=self.last_epoch_seconds,
            kept_since=self.kept_since,
            first_epoch=self.first_epoch,
            epoch_sizes=tracker.family.epoch_sizes,
        )
