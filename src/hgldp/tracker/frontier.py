"""The servers of pfr: what all have in common, and the one over a listed domain. Reports add up, in any order."""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from typing import Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from hgldp.errors import MalformedState
from hgldp.model.bulletins import AnyBulletin
from hgldp.model.distribution import Distribution, unknown
from hgldp.model.domain import listed
from hgldp.model.estimate import Answer, Asked
from hgldp.model.rules import FrontierRules
from hgldp.model.task import Task
from hgldp.model.validate import LARGEST_53, check_whole
from hgldp.schemes.hinted_pfr import HintedPFR
from hgldp.schemes.open_pfr import OpenPFR
from hgldp.schemes.pfr import PFR
from hgldp.stores.distribution import tell
from hgldp.stores.frontier import Frontier
from hgldp.stores.hinted import HintedFrontier
from hgldp.stores.integers import check_below
from hgldp.stores.open_epoch import Tally, pack_tallies, unpack_tallies
from hgldp.stores.strings import OpenFrontier
from hgldp.tracker.family import Family, Symbols, numbered

S = TypeVar("S", Frontier, OpenFrontier, HintedFrontier)
ASKED_AT_ONCE = 1 << 14


class Adding(Family[S]):
    """What all have in common: an epoch is a histogram, and its end publishes a new bulletin."""

    _scheme: PFR | OpenPFR | HintedPFR

    def published(self) -> AnyBulletin:
        """The store's bulletin, with the task's id in it."""
        return replace(self.store.bulletin, task=self.task.id)

    def hide_order(self) -> None:
        """Publish in the order of the items, never by rank."""
        self.store.hide_order()
        self.bulletin = self.published()

    @property
    def reports(self) -> int:
        """How many reports have been counted."""
        return self.store.reports + self.store.in_epoch + self.store.late_reports

    @property
    def epoch_room(self) -> int:
        """How many reports the open epoch still takes. One that only the clock ends never fills."""
        length = LARGEST_53 if self.task.bulletin_seconds else self.store.epoch_length
        return max(0, length - self.store.in_epoch)

    @property
    def epoch_length(self) -> int:
        """As long as the store would have it."""
        return self.store.epoch_length

    def symbol_limit(self, bulletin: AnyBulletin) -> int:
        """As many residues as the bulletin allows."""
        return self._scheme.symbol_limit(bulletin)

    def check(self, bulletin: AnyBulletin, symbols: Sequence[int] | Symbols) -> Symbols:
        """Residues that the bulletin allows."""
        return check_below(symbols, self._scheme.symbol_limit(bulletin))

    def insert(self, checked: Symbols) -> None:
        """Add up."""
        self.store.insert(checked)

    def end_epoch(self) -> None:
        """Count the epoch, unless it is empty."""
        self.store.seal()

    def open_epoch(self, bulletins: Sequence[AnyBulletin]) -> bytes:
        """One histogram for the bulletin in force, and one for each earlier bulletin with late reports."""
        return pack_tallies([(self.bulletin.epoch, self.store.histogram), *self.late_tallies(bulletins)])

    @abstractmethod
    def late_tallies(self, bulletins: Sequence[AnyBulletin]) -> list[Tally]:
        """The late reports that wait for the next seal, by the epoch of their bulletin."""

    def reopen(self, data: bytes, bulletins: Sequence[AnyBulletin]) -> None:
        """Add the histograms to an epoch that has just begun."""
        by_epoch = {each.epoch: each for each in bulletins}
        for epoch, histogram in unpack_tallies(data):
            if epoch not in by_epoch:
                raise MalformedState(f"open epoch must answer bulletins that are still accepted, got epoch {epoch}")
            if epoch == self.bulletin.epoch:
                self.store.merge(histogram)
            else:
                self.merge_late(by_epoch[epoch], histogram)

    @abstractmethod
    def merge_late(self, bulletin: AnyBulletin, histogram: NDArray[np.int64]) -> None:
        """Add late reports that were counted already."""


class FrontierFamily(Adding[Frontier]):
    """A late report waits for the next seal, and then counts in the epoch whose bulletin it answered."""

    def __init__(self, task: Task, store: Frontier) -> None:
        self._domain = listed(task.domain)
        self._scheme: PFR = PFR.of(task)
        super().__init__(task, store)

    @classmethod
    def start(cls, task: Task, seed: int, warmup: Sequence[object]) -> Self:
        """An empty store, or one whose first observation is a warm-up."""
        rules, domain = task.rules_as(FrontierRules), listed(task.domain)
        numbers = [domain.index(item) for item in warmup]
        terms = {"memory": rules.memory, "epoch": rules.epoch, "half_life": rules.half_life}
        return cls(task, Frontier(PFR.of(task), seed=seed, warmup=numbers, **terms))

    @classmethod
    def read_store(cls, task: Task, state: bytes) -> Frontier:
        """The store that `serialize` wrote."""
        return Frontier.deserialize(state, PFR.of(task))

    def adopt(self, published: AnyBulletin) -> None:
        """Key, cells and leaves of the bulletin: reports that answer it add up under any."""
        self.store.adopt(self._scheme.checked(published))
        self.bulletin = self.published()

    def renew(self, secret: int) -> None:
        """The keys of later bulletins follow from the new secret."""
        self.store.secret = secret

    def least_reports(self, length: int, looks: int) -> int:
        """Half: the store keeps a fixed number of epochs, and short ones would displace most of the past.

        Where everybody answers an epoch once, it may never have that many. Then half of what epochs have had on average
        is enough, and with each look half of that.
        """
        half = max(1, length // 2)
        if not self.task.one_answer:
            return half
        had = [epoch.reports for epoch in self.store.epochs]
        return max(1, min(half, sum(had) // len(had) // 2 if had else half) >> looks)

    def insert_late(self, bulletin: AnyBulletin, later: Sequence[AnyBulletin], checked: Symbols) -> None:
        """Add up under the key of the bulletin."""
        del later
        self.store.insert_late(self._scheme.checked(bulletin), checked)

    def late_tallies(self, bulletins: Sequence[AnyBulletin]) -> list[Tally]:
        """The store knows a bulletin by its key."""
        epochs = {self._scheme.checked(each).key: each.epoch for each in bulletins}
        return [(epochs[key], histogram) for key, histogram in self.store.late.items()]

    def merge_late(self, bulletin: AnyBulletin, histogram: NDArray[np.int64]) -> None:
        """Under the key of the bulletin."""
        self.store.merge_late(self._scheme.checked(bulletin), histogram)

    def answer(self, k: int, window: int | None) -> Answer:
        """The top k of all retained epochs, or of the last `window` reports."""
        check_whole("k", k, 1, self._scheme.most_leaves)
        if window is not None:
            check_whole("window", window, 1)
        found = self.store.absorbed().estimates(k, window)
        return Answer((self._domain.item(line.item), line) for line in found)

    def ask(self, items: Sequence[object], window: int | None) -> Asked:
        """What all evidence says about each item; so many at a time that memory stays bounded."""
        if window is not None:
            check_whole("window", window, 1)
        numbers, store = numbered(self._domain, items), self.store.absorbed()
        some = (numbers[first : first + ASKED_AT_ONCE] for first in range(0, numbers.size, ASKED_AT_ONCE))
        return Asked((self._domain.item(line.item), line) for part in some for line in store.ask(part, window))

    def distribution(self, window: int | None) -> Distribution:
        """From the measured shares of the whole domain."""
        if window is not None:
            check_whole("window", window, 1)
        store, size = self.store.absorbed(), self._domain.size
        covered = store.reports if window is None else store.covered(window)
        one_key = len(store.epochs) < 2 and size > self._scheme.cells
        if not covered or one_key:  # items that share a cell have looked alike so far
            return unknown(size, covered)
        return tell(store.domain_shares(window), covered, size)

    def covered(self, window: int) -> int:
        """The reports of the epochs whose middle the window reaches."""
        return self.store.absorbed().covered(window)

    @property
    def epoch_sizes(self) -> tuple[int, ...]:
        """Late reports are with the epoch of their bulletin already; nothing is read for it."""
        late = {key: int(histogram.sum()) for key, histogram in self.store.late.items()}
        sealed = (epoch.reports + late.get(epoch.key, 0) for epoch in reversed(self.store.epochs))
        opened = (self.store.in_epoch,) if self.store.in_epoch else ()
        return tuple(islice((*opened, *sealed), self.store.capacity))
