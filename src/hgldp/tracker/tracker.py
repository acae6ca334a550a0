"""Reports in, bulletins and estimates out."""

from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from copy import copy
from dataclasses import replace
from typing import Any

import numpy as np

from hgldp.errors import InvalidField, MalformedState, UnknownBulletin
from hgldp.model.bulletins import AnyBulletin
from hgldp.model.distribution import Distribution
from hgldp.model.estimate import Answer, Asked, Estimate
from hgldp.model.reports import Report
from hgldp.model.task import Task
from hgldp.schemes.base import RETAINED
from hgldp.tracker.family import Family, Symbols, as_array, family_for, plain
from hgldp.tracker.notes import note_on
from hgldp.tracker.singles import CLOSED, Singles

WhenSealed = Callable[[AnyBulletin, bytes], None]


class Tracker:
    """Counts reports against the bulletins they answer, and renews the bulletin when an epoch is full.

    A late report is read in the regime of its own bulletin; a report for a bulletin older than the last few is
    refused. Deterministic given the seed and the reports.

    With `when_sealed`, the tracker reloads its own state at the end of each epoch from the bytes that a restart would
    read, so it makes no difference whether a server kept running or was restored. It then calls the hook with the
    bulletin whose epoch has ended, and the state; `ended_epoch` is what `open_epoch` was right before.

    With `hides_order`, the bulletins of pfr list items in the order of the domain. Without it, the best come first, so
    that whoever sees a bulletin knows the ranking. The state remembers it.

    >>> from hgldp import Randomizer, SeededWords, Task
    >>> task = Task("dsr", epsilon=2.0, domain=list("abcdefgh"), k=2, cells=3, epoch=100)
    >>> tracker, client = Tracker(task, seed=1), Randomizer(task, max_epsilon=2.0, words=SeededWords(5))
    >>> for event in "aabacabad" * 200:
    ...     tracker.insert(client.report(event, tracker.bulletin))
    >>> [(item, round(estimate.count)) for item, estimate in tracker.top()]
    [('a', 1001), ('b', 392)]
    """

    def __init__(
        self,
        task: Task,
        seed: int,
        warmup: Iterable[object] = (),
        when_sealed: WhenSealed | None = None,
        *,
        hides_order: bool = False,
    ) -> None:
        if not isinstance(task, Task):
            raise InvalidField("task", "must be a Task", type(task).__name__)
        family = family_for(task).start(task, seed, plain(warmup, "warmup"))
        if hides_order:
            family.hide_order()
        self._open(task, family, (), when_sealed)

    @classmethod
    def restore(
        cls,
        task: Task,
        state: bytes,
        earlier: Sequence[AnyBulletin] = (),
        when_sealed: WhenSealed | None = None,
    ) -> "Tracker":
        """The tracker that `serialize` wrote, with the bulletins before the present one, oldest first."""
        if any(each.task != task.id for each in earlier):
            raise MalformedState("bulletins must be of the task")
        tracker = cls.__new__(cls)
        tracker._open(task, family_for(task).restore(task, state), earlier, when_sealed)
        return tracker

    def _open(
        self, task: Task, family: Family[Any], earlier: Sequence[AnyBulletin], when_sealed: WhenSealed | None
    ) -> None:
        self.task = task
        self.when_sealed = when_sealed
        self.ended_epoch: bytes | None = None
        self.family = family
        self._bulletins: OrderedDict[str, AnyBulletin] = OrderedDict((each.version, each) for each in earlier)
        self._publish()

    @property
    def family(self) -> Family[Any]:
        """The store and its rules, with every report counted."""
        self._count_singles()
        return self._family

    @family.setter
    def family(self, family: Family[Any]) -> None:
        self._family, self._singles = family, CLOSED

    def _publish(self) -> None:
        bulletin = self.family.bulletin
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
        return self.family.reports

    @property
    def epoch_room(self) -> int:
        """How many reports the open epoch still takes."""
        return self.family.epoch_room

    @property
    def epoch_length(self) -> int:
        """How many reports an epoch that has just begun should have."""
        return self.family.epoch_length

    def __repr__(self) -> str:
        return f"Tracker({self.task.scheme}, epoch {self.bulletin.epoch}, {self.reports} reports)"

    def insert(self, report: Report) -> None:
        """Count one report, and seal the epoch if that fills it."""
        if not isinstance(report, Report):
            raise InvalidField("report", "must be a Report, as Randomizer.report gives one", type(report).__name__)
        waiting = self._singles
        if waiting is CLOSED and report.bulletin == self.bulletin.version:
            waiting = self._singles = self._room_for_singles()
        if not waiting.take(report.bulletin, report.symbol):
            self._count(report.bulletin, [report.symbol])
        elif waiting.full:
            self._count_singles()

    def _count_singles(self) -> None:
        waiting, self._singles = self._singles, CLOSED
        if waiting.symbols:
            self._count(waiting.version, np.array(waiting.symbols, np.int64))

    def _room_for_singles(self) -> Singles:
        bulletin, family = self.bulletin, self._family
        return Singles(bulletin.version, family.symbol_limit(bulletin), max(1, family.epoch_room))

    def insert_many(self, version: str, symbols: Iterable[int] | Symbols) -> None:
        """Count many symbols that answer one bulletin: a list, an array, a column of a table, or any iterable.

        Nothing is counted if any of them is illegal.
        """
        if not isinstance(version, str):
            raise InvalidField("version", "must be that of a bulletin: bulletin.version", type(version).__name__)
        self._count(version, as_array(symbols))

    def _count(self, version: str, symbols: Sequence[int] | Symbols) -> None:
        bulletin, checked = self._checked(version, symbols)
        family, position = self.family, 0
        while position < len(checked) and bulletin is self.bulletin:
            end = position + max(1, family.epoch_room)
            family.insert(checked[position:end])
            position = end
            if not family.epoch_room:
                self.seal()
        if position < len(checked):
            self._insert_late(bulletin, checked[position:])

    def _checked(self, version: str, symbols: Sequence[int] | Symbols) -> tuple[AnyBulletin, Symbols]:
        if version not in self._bulletins:
            raise UnknownBulletin(version)
        bulletin = self._bulletins[version]
        return bulletin, self.family.check(bulletin, symbols)

    def _insert_late(self, bulletin: AnyBulletin, checked: Symbols) -> None:
        later = [each for each in self._bulletins.values() if each.epoch >= bulletin.epoch]
        self.family.insert_late(bulletin, later, checked)

    def insert_into_epoch(self, version: str, symbols: Symbols) -> None:
        """Like `insert_many`, but the epoch stays open, however full: for whoever knows when it was ended."""
        bulletin, checked = self._checked(version, symbols)
        if bulletin is self.bulletin:
            self.family.insert(checked)
        else:
            self._insert_late(bulletin, checked)

    def adopt(self, published: AnyBulletin) -> None:
        """For a tracker without reports: its first bulletin is one that an earlier version published."""
        self._bulletins.clear()
        self._adopt(published)
        self._publish()

    def _adopt(self, published: AnyBulletin) -> None:
        self.family.adopt(published)
        if self.family.bulletin.version != published.version:
            raise InvalidField("bulletin", "must follow from the reports before it", published.version)

    def seal(self, published: AnyBulletin | None = None) -> AnyBulletin:
        """End the epoch now and publish the next bulletin; pfr leaves an empty epoch open.

        The next bulletin may be one that an earlier version published after the same reports.
        """
        ended = self.bulletin
        if self.when_sealed is not None:
            self.ended_epoch = self.open_epoch()
        self.family.seal()
        if published is not None:
            self._adopt(published)
        self._publish()
        if self.when_sealed is not None and self.bulletin.version != ended.version:
            state = self.serialize()
            self.family.reload(state)
            self.when_sealed(ended, state)
        return self.bulletin

    def open_epoch(self) -> bytes | None:
        """All that was counted since the last seal: with the state after that seal, the whole tracker.

        None if the family of the scheme cannot write it down.
        """
        return self.family.open_epoch(self.bulletins)

    def reopen(self, data: bytes) -> None:
        """For a tracker right after a seal: count again what `open_epoch` wrote."""
        self.family.reopen(data, self.bulletins)

    def is_worth_sealing(self, reports: int, length: int, looks: int = 0) -> bool:
        """Whether a timer may end an epoch with `reports` of the `length` that fill it, if it has looked before."""
        return reports >= self.family.least_reports(length, looks)

    def covered(self, window: int | None) -> int:
        """How many reports an answer counts. A window counts whole epochs: the newest, if it reaches their middle."""
        return self.reports if window is None else self.family.covered(window)

    @property
    def least_window(self) -> int:
        """The smallest window that holds a whole epoch; 0 if none does, since nothing was counted."""
        return self.family.least_window

    def copied(self) -> "Tracker":
        """A copy of the state, for questions that take time; sealing the copy calls no hook."""
        twin = copy(self)
        twin.family, twin._bulletins, twin.when_sealed = self.family.copied(), self._bulletins.copy(), None
        return twin

    def respond(self, k: int | None = None, window: int | None = None) -> tuple[Estimate, ...]:
        """The top k now, including the open epoch; with pfr, `window` counts only the last reports."""
        return tuple(estimate for _, estimate in self.top(k, window))

    def top(self, k: int | None = None, window: int | None = None) -> Answer:
        """Like `respond`, but each estimate comes with its item. Before the first report there are only raw counts."""
        found = self.family.answer(self.task.k if k is None else k, window)
        if not self.reports:
            found[:] = [(item, line) for item, line in found if line.warmup]
        found.note = note_on(self.family, found, window)
        return found

    def estimate(self, item: object, window: int | None = None) -> Estimate:
        """How often one item came, from the same state as the top; any item of the domain may be asked for.

        >>> from hgldp import Randomizer, SeededWords, Task
        >>> task = Task("pfr", epsilon=2.0, domain=list("abcdefgh"), k=2)
        >>> tracker, client = Tracker(task, seed=1), Randomizer(task, max_epsilon=2.0, words=SeededWords(5))
        >>> for event in "aabacabad" * 500:
        ...     tracker.insert(client.report(event, tracker.bulletin))
        >>> found = tracker.estimate("d")
        >>> round(found.count), round(found.standard_error)
        (492, 59)
        """
        ((_, found),) = self.ask([item], window)
        return found

    def ask(self, items: Iterable[object], window: int | None = None) -> Asked:
        """The same for many items, in the order asked: a list, an array, a column of a table, or any iterable.

        An item outside the domain is refused, and with it the whole question. If no whole epoch fits into a window,
        nothing is known: the interval ends where every report in it would have been about the item.
        """
        found = self.family.ask(plain(items), window)
        found.note = note_on(self.family, found, window)
        return found

    def distribution(self, window: int | None = None) -> Distribution:
        """How many items have a share in each decade, from the same state, with 95 % intervals; for pfr.

        Decades that lie below the noise are not told.
        """
        found = self.family.distribution(window)
        return replace(found, note=note_on(self.family, Answer(), window))

    def serialize(self) -> bytes:
        """The state right after a seal."""
        return self.family.serialize()
