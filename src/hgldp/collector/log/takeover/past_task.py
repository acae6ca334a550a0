"""A task as another version counted it: this one would end epochs elsewhere, and publish something else."""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from hgldp.collector.log.entry import Entry
from hgldp.collector.log.milestones import hash_of_shown
from hgldp.collector.log.storage import BulletinRow, ResultRow, Takeover
from hgldp.collector.log.task_state import TaskState
from hgldp.collector.views import RankedItem
from hgldp.errors import DamagedLog, HgldpError
from hgldp.tracker import Tracker
from hgldp.tracker.family import Symbols
from hgldp.wire.bulletin import read_bulletin


@dataclass(frozen=True)
class PublishedEnd:
    """What the end of an epoch published: its result, and the bulletin of the next epoch."""

    result: ResultRow
    bulletin: BulletinRow


class PastTask(TaskState):
    """Its epochs end where they ended then and publish what they published then: `ends` has that, in order.

    After the last of `ends` the epoch stays open, however full: only an entry that says so ends it.
    """

    def __init__(self, *given: Any) -> None:
        self.ends: deque[PublishedEnd] = deque()
        super().__init__(*given)

    def begin_with(self, first: BulletinRow) -> None:
        """The task began with this bulletin, whatever this version would have published."""
        try:
            self._tracker.adopt(read_bulletin(first.data, first.version))
        except HgldpError as wrong:
            raise DamagedLog(f"task {self.row.number} must begin with a bulletin of its own: {wrong}") from wrong
        self._seal = replace(self._seal, state=self._tracker.serialize())
        self.derived.bulletins.clear()
        self.derived.add_bulletin(self.row.number, self.bulletin, 0, self.row.created)
        self._begin_epoch()

    @property
    def _next(self) -> PublishedEnd | None:
        """The end that comes next, if it came no later than the entry at hand."""
        return self.ends[0] if self.ends and self.ends[0].result.position <= self._entry.position else None

    def apply(self, entry: Entry, consumed: int = 0) -> bool:
        """Count an entry; everything that it led to then must follow from it."""
        ended = super().apply(entry, consumed)
        if self._next is not None:
            raise DamagedLog(f"entry {entry.position} must have ended an epoch, as was published")
        return ended

    def _insert(self, version: str, symbols: Symbols) -> None:
        while (end := self._next) is not None:
            count = end.result.result.reports - self.reports
            if not 0 <= count <= symbols.size:
                break
            self._tracker.insert_into_epoch(version, symbols[:count])
            symbols = symbols[count:]
            self._end_epoch()
        if symbols.size:
            self._tracker.insert_into_epoch(version, symbols)

    def _end_epoch(self) -> None:
        end = self._next
        if end is None and self.ends:
            raise DamagedLog(f"entry {self._entry.position} ends an epoch, but what that published is missing")
        try:
            self._tracker.seal(None if end is None else read_bulletin(end.bulletin.data, end.bulletin.version))
        except HgldpError as wrong:
            raise DamagedLog(f"what entry {self._entry.position} led to must follow from the log: {wrong}") from wrong
        if end is not None and self._next is end:
            raise DamagedLog(f"entry {self._entry.position} must have ended an epoch, as was published")

    def _publish_top(self) -> tuple[RankedItem, ...]:
        if self._next is None:
            return super()._publish_top()
        return self.top.adopt(self.ends.popleft().result.result.top)

    def take_over(self, secret: int, results: Sequence[ResultRow]) -> None:
        """From now on this version decides, with a new secret: a bulletin of 0.1.0 tells the old one.

        `results` are the last two. The state is written anew, in the form of this version.
        """
        tracker, seal = Tracker.restore(self.task, self._seal.state, self._tracker.bulletins[:-1]), self._seal
        tracker.family.renew(secret)
        self._seal = replace(seal, state=tracker.serialize())
        self.checkpoint()
        before = results[-2].result.top if len(results) > 1 else ()
        shown = hash_of_shown(tracker.bulletins, results[-1] if results else None, before)
        place = (self.row.number, tracker.bulletin.epoch, seal.position, seal.consumed, self.published)
        now = self.derived.snapshots[self.row.number]
        self.derived.takeovers.append(
            Takeover(*place, self.kept_digest, shown, self._seal.state, now.upto, now.chain, now.opened, now.closed)
        )
