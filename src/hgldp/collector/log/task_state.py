"""One task inside the writer: its tracker, the ids it has counted, and what follows from each entry of the log."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import perf_counter, thread_time

from hgldp.collector.log.entry import CLOSE, RUN, SEAL, Entry, kept_digest, start_of_chain
from hgldp.collector.log.milestones import hash_of_shown, is_due
from hgldp.collector.log.storage import KeptEpoch, Milestone, ResultRow, Snapshot, TaskRow, Transaction
from hgldp.collector.log.task_copy import TaskCopy, ranked_items
from hgldp.collector.log.upload_ids import UploadIds
from hgldp.collector.problems import Problem, Refused
from hgldp.collector.symbol_format import SymbolFormat, read_symbols, symbol_formats
from hgldp.collector.tokens import digest, kept, new_token
from hgldp.collector.views import Answer, NewTask, PublishedEpoch, RankedItem, TaskTerms, TaskView
from hgldp.errors import HgldpError
from hgldp.model.bulletins import AnyBulletin
from hgldp.model.task import Task
from hgldp.schemes.registry import scheme_of
from hgldp.tracker import Tracker

SEED_BYTES = 8
NO_SECRET = bytes(16)
SLOW_SECONDS, MANY_ITEMS = 0.02, 200_000


@dataclass
class UploadCounts:
    """How uploads fared since the server started."""

    accepted: int = 0
    duplicate: int = 0
    refused: int = 0


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
        self.row = row
        self.task = task
        self.closed: float | None = None
        self.published = row.created
        self.last_epoch_seconds = 0.0
        self.published_items: tuple[RankedItem, ...] = ()
        self.items_before: tuple[RankedItem, ...] = ()
        self.uploads = UploadCounts()
        self.upload_ids = UploadIds(row.number, secret)
        self.derived = Transaction()
        self.chain = self._chain_before = start_of_chain(row.id)
        self.kept_digest = self.chain
        self._tracker = tracker
        self._scheme = scheme_of(task)
        self._seal = last_seal
        self._top: tuple[RankedItem, ...] = ()
        self._top_epoch = 0
        self._top_reports = 0
        self._computed: Answer | None = None
        self.uncovered = 0
        self.kept_since: float | None = None
        self.first_epoch = 0
        self.last_milestone: float | None = None
        self.seal_seconds = self.top_seconds = 0.0
        self._spent = (0.0, 0.0)
        self._has_many_items = task.domain.size is not None and task.domain.size > MANY_ITEMS
        self._entry = Entry(0, 0, row.created, row.number, SEAL)
        self._reports_before = 0
        tracker.when_sealed = self._sealed
        self._begin_epoch()

    @classmethod
    def start(cls, row: TaskRow, task: Task, secret: bytes = NO_SECRET) -> "TaskState":
        """The state of a new task. Its first bulletin follows from the seed."""
        tracker = Tracker(task, row.seed, hides_order=row.terms.hides_order)
        state = cls(row, task, tracker, LastSeal(0, 0, tracker.serialize(), start_of_chain(row.id)), secret)
        state.derived.add_bulletin(row.number, tracker.bulletin, 0, row.created)
        return state

    @classmethod
    def restore(
        cls, row: TaskRow, task: Task, snapshot: Snapshot, bulletins: Sequence[AnyBulletin], secret: bytes
    ) -> "TaskState":
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

    def _begin_epoch(self) -> None:
        bulletins = self._tracker.bulletins
        self.formats: dict[bytes, SymbolFormat] = symbol_formats(self._scheme, bulletins)
        self._epochs = {bytes.fromhex(each.version): each.epoch for each in bulletins}
        self.epoch_length = self._tracker.epoch_room
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
    def reports(self) -> int:
        """How many reports have been counted."""
        return self._tracker.reports

    @property
    def last_seal(self) -> tuple[int, int, bytes]:
        """Position, consumed reports and state of the last seal."""
        return self._seal.position, self._seal.consumed, self._seal.state

    @property
    def in_epoch(self) -> int:
        """How many reports the open epoch holds."""
        return self.epoch_length - self._tracker.epoch_room

    def is_worth_sealing(self, arriving: int) -> bool:
        """Whether the clock may end the epoch, when `arriving` more reports are about to be counted."""
        return self._tracker.is_worth_sealing(self.in_epoch + arriving, self.epoch_length)

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
                self._tracker.insert_many(entry.bulletin.hex(), symbols[consumed:])
        elif entry.kind == SEAL and self.in_epoch:
            self._tracker.seal()
        elif entry.kind == CLOSE:
            self.closed = entry.time
        return self._seal is not seal or entry.kind == CLOSE

    def seals(self, entry: Entry) -> bool:
        """Whether the entry ends an epoch, as far as one can tell before it is counted."""
        fills = entry.bulletin.hex() == self.bulletin.version and entry.reports >= self._tracker.epoch_room
        return fills if entry.kind == RUN else entry.kind == SEAL and bool(self.in_epoch)

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
            self._took(thread_time() - spent)
        if entry.kind == RUN and entry.bulletin in self._epochs:
            self.upload_ids.add(entry.ids, self._epochs[entry.bulletin])
        if ended:
            self.checkpoint()
        return bool(self.derived)

    def _sealed(self, ended: AnyBulletin, state: bytes) -> None:
        self._begin_epoch()
        entry, tracker, number = self._entry, self._tracker, self.row.number
        self.items_before = self.published_items
        self.published_items = ranked_items(tracker.top(), self.items_before)
        published = PublishedEpoch(ended.epoch, entry.time, tracker.reports, ended.version, self.published_items)
        consumed = tracker.reports - self._reports_before
        result = ResultRow(number, entry.position, published)
        self.derived.results.append(result)
        self.derived.add_bulletin(number, tracker.bulletin, entry.position, entry.time)
        self._keep(ended.epoch, consumed)
        self._seal = LastSeal(entry.position, consumed, state, self._chain_before)
        self._mark(result)
        self._show(
            Answer(self.task.k, None, tracker.bulletin.epoch, tracker.reports, tracker.reports, self.published_items)
        )
        self.last_epoch_seconds = max(0.0, entry.time - self.published)
        self.published = entry.time

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
        shown = hash_of_shown(tracker.bulletins, result, self.items_before)
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
        """Whether the end of an epoch or a top may take so long that other tasks should not wait for it.

        Both of the last two took long: the very first may have had to wait for compiled code.
        """
        return self._has_many_items or min(self._spent) > SLOW_SECONDS

    def _took(self, seconds: float) -> None:
        self._spent = (self._spent[1], seconds)

    def refresh_top(self) -> None:
        """Recompute the top, including the open epoch. Ranks change against the epoch before the last published."""
        began = thread_time()
        self._show(TaskCopy(self._tracker, self.items_before).top(None, None))
        self._took(thread_time() - began)

    def show_published(self, latest: Sequence[ResultRow]) -> None:
        """Show what the last epoch published, until there is time for more: a start must be quick."""
        for each in latest:
            self._top, self._top_epoch, self._top_reports = each.result.top, each.result.epoch + 1, each.result.reports

    def top_to_be(self) -> Callable[[], None]:
        """The same on a copy, in any thread; `show_computed` shows what came out."""
        asked = self.copied()

        def compute() -> None:
            began = thread_time()
            self._computed = asked.top(None, None)
            self.top_seconds = thread_time() - began

        return compute

    def show_computed(self) -> bool:
        """Show what was computed on a copy, unless an epoch has ended since."""
        answer, self._computed = self._computed, None
        self._took(self.top_seconds)
        if answer is None or answer.epoch != self._tracker.bulletin.epoch:
            return False
        self._show(answer)
        return True

    def _show(self, answer: Answer) -> None:
        self._top, self._top_epoch, self._top_reports = answer.top, answer.epoch, answer.reports

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
            top=self._top,
            top_epoch=self._top_epoch,
            top_reports=self._top_reports,
            accepted=uploads.accepted,
            duplicate=uploads.duplicate,
            refused=uploads.refused,
            last_epoch_seconds=self.last_epoch_seconds,
            kept_since=self.kept_since,
            first_epoch=self.first_epoch,
        )


def new_task(
    number: int,
    task: Task,
    terms: TaskTerms,
    now: float,
    entropy: Callable[[int], bytes],
    secret: bytes,
) -> tuple[NewTask, TaskState]:
    """What the creator of a task is told, and its first state, which holds only hashes of the key and the token.

    Some tasks turn out to be illegal only when they start, such as one whose memory does not hold two epochs.
    """
    key, token = new_token(entropy), new_token(entropy)
    seed = int.from_bytes(entropy(SEED_BYTES), "big")
    row = TaskRow(number, task.id, task.canonical, seed, terms, now, digest(key), kept(token))
    try:
        return NewTask(task.id, key, token), TaskState.start(row, task, secret)
    except HgldpError as wrong:
        raise Refused(Problem.MALFORMED_TASK, str(wrong)) from None
