"""Reports in, bulletins and estimates out."""

from collections import OrderedDict
from collections.abc import Iterable, Sequence

from hgldp.errors import MalformedState, UnknownBulletin
from hgldp.model.bulletins import AnyBulletin
from hgldp.model.estimate import Estimate
from hgldp.model.reports import Report
from hgldp.model.task import FRONTIER, Task
from hgldp.tracker.family import Answer, Side, Symbols
from hgldp.tracker.frontier import FrontierSide, OpenSide
from hgldp.tracker.hot_list import HotListSide

RETAINED = 8


def side_of(task: Task) -> type[HotListSide] | type[FrontierSide] | type[OpenSide]:
    """The family that serves a task."""
    if task.scheme != FRONTIER:
        return HotListSide
    return OpenSide if task.is_open else FrontierSide


class Tracker:
    """Counts reports against the bulletins they answer, and renews the bulletin when an epoch is full.

    A late report is read in the regime of its own bulletin; a report for a bulletin older than the last few is
    refused. Deterministic given the seed and the reports.

    >>> from hgldp.client import Randomizer
    >>> from hgldp.model.budget import Budget
    >>> from hgldp.model.domain import Vocabulary
    >>> from hgldp.model.randomness import SeededWords
    >>> task = Task("dsr", Budget(2.0), Vocabulary(tuple("abcdefgh")), k=2, cells=3, epoch=100)
    >>> tracker, client = Tracker(task, seed=1), Randomizer(task, max_epsilon=2.0, words=SeededWords(5))
    >>> for event in "aabacabad" * 200:
    ...     tracker.insert(client.report(event, tracker.bulletin))
    >>> [(item, round(estimate.count)) for item, estimate in tracker.top()]
    [('a', 1003), ('b', 397)]
    """

    def __init__(self, task: Task, seed: int, warmup: Iterable[object] = ()) -> None:
        self.task = task
        self.side: Side = side_of(task).start(task, seed, _indices(task, warmup))
        self._bulletins: OrderedDict[str, AnyBulletin] = OrderedDict()
        self._publish()

    @classmethod
    def restore(cls, task: Task, state: bytes, earlier: Sequence[AnyBulletin] = ()) -> "Tracker":
        """The tracker that `serialize` wrote, with the bulletins before the present one, oldest first."""
        tracker = cls.__new__(cls)
        tracker.task, tracker.side = task, side_of(task).restore(task, state)
        tracker._bulletins = OrderedDict((each.version, each) for each in earlier)
        if any(each.task != task.id for each in earlier):
            raise MalformedState("bulletins must be of the task")
        tracker._publish()
        return tracker

    def _publish(self) -> None:
        bulletin = self.side.bulletin
        self._bulletins[bulletin.version] = bulletin
        self._bulletins.move_to_end(bulletin.version)
        while len(self._bulletins) > RETAINED:
            self._bulletins.popitem(last=False)

    @property
    def bulletin(self) -> AnyBulletin:
        """What clients answer now."""
        return next(reversed(self._bulletins.values()))

    @property
    def bulletins(self) -> tuple[AnyBulletin, ...]:
        """The bulletins whose reports are still read, oldest first."""
        return tuple(self._bulletins.values())

    @property
    def reports(self) -> int:
        """How many reports have been counted."""
        return self.side.reports

    @property
    def epoch_room(self) -> int:
        """How many reports the open epoch still takes."""
        return self.side.epoch_room

    def __repr__(self) -> str:
        return f"Tracker({self.task.scheme}, epoch {self.bulletin.epoch}, {self.reports} reports)"

    def insert(self, report: Report) -> None:
        """Count one report; seals the epoch when it is the last one."""
        self.insert_many(report.bulletin, [report.symbol])

    def insert_many(self, version: str, symbols: Sequence[int] | Symbols) -> None:
        """Count many symbols that answer one bulletin. Nothing is counted if any of them is illegal."""
        if version not in self._bulletins:
            raise UnknownBulletin(version)
        bulletin, side, position = self._bulletins[version], self.side, 0
        checked = side.check(bulletin, symbols)
        while position < len(checked) and bulletin is self.bulletin:
            end = position + max(1, side.epoch_room)
            side.insert(bulletin, checked[position:end])
            position = end
            if not side.epoch_room:
                self.seal()
        if position < len(checked):
            later = [each for each in self._bulletins.values() if each.epoch >= bulletin.epoch]
            side.insert_late(bulletin, later, checked[position:])

    def seal(self) -> AnyBulletin:
        """End the epoch now and publish the next bulletin."""
        self.side.seal()
        self._publish()
        return self.bulletin

    def respond(self, k: int | None = None, window: int | None = None) -> tuple[Estimate, ...]:
        """The top k now, the open epoch included; with pfr also of the last `window` reports alone."""
        return tuple(estimate for _, estimate in self.top(k, window))

    def top(self, k: int | None = None, window: int | None = None) -> Answer:
        """The same, with the items of the domain."""
        return self.side.answer(self.task.k if k is None else k, window)

    def serialize(self) -> bytes:
        """The state right after a seal."""
        return self.side.serialize()


def _indices(task: Task, warmup: Iterable[object]) -> list[int]:
    if task.is_open:
        return list(warmup)  # type: ignore[arg-type]
    return [task.domain.index(item) for item in warmup]  # type: ignore[union-attr]
