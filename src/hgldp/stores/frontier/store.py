"""The frontier: the last epochs' tallies, each under its own hash key, and the bulletin that follows from them.

Besides these, only a warm-up and an archive of dropped epochs are kept, so order, batching and merging cannot matter.
What the epochs say about an item is read from its own leaf where it was tracked and from its search cell where it was
not, all items together (`reading`). A window is a choice of epochs.
"""

from collections.abc import Callable
from copy import copy
from functools import partial
from hashlib import blake2b
from math import exp, expm1, log

import numpy as np
from numpy.typing import NDArray

from hgldp.errors import InvalidField, MalformedState
from hgldp.model.bulletins import FrontierBulletin
from hgldp.model.estimate import Estimate
from hgldp.model.randomness import WORD_MASK
from hgldp.model.validate import LARGEST_32, check_whole
from hgldp.model.window import epochs_within
from hgldp.schemes.pfr import PFR
from hgldp.stores.distribution import MeasuredShares
from hgldp.stores.epoch_tally import EpochTally, check_histogram, counted
from hgldp.stores.frontier.archive import TINY, Archive
from hgldp.stores.frontier.epoch import SealedEpoch, check_reports, epoch_bytes, most_epochs, placed, too_many
from hgldp.stores.frontier.reading.all_items import measured_items
from hgldp.stores.frontier.reading.candidates import Crowd, DomainSearch
from hgldp.stores.frontier.reading.decoding import Decoded, about, decode
from hgldp.stores.frontier.reading.leaves import next_leaves
from hgldp.stores.frontier.reading.lines import Question, best_lines, plain_lines, unknown_lines, usual
from hgldp.stores.frontier.reading.seen import Stream
from hgldp.stores.frontier.state import FrontierState, fixed_bytes, hides_order, pack, unpack, written_by_0_1
from hgldp.stores.frontier.warm_up import WarmUp
from hgldp.stores.frontier.width import best_width, untracked_share
from hgldp.stores.integers import Integers
from hgldp.stores.noise import reading_over

COVERED, WARM_ITEMS_PER_LEAF = 24.0, 2
REACHES, HALF_LIVES, EPOCHS_PER_HALF_LIFE = (2, 5, 12, 1 << 16), 4, 4
Reals = NDArray[np.float64]
Items = NDArray[np.int64]


class Frontier(EpochTally):
    """What PFR's server keeps: at most `memory` bytes of sealed epochs, and the open epoch's histogram.

    >>> scheme = PFR(domain_size=50, cells=16, epsilon=3.0)
    >>> store = Frontier(scheme, memory=4096, seed=1)
    >>> from hgldp import SeededWords
    >>> words, stream = SeededWords(2), [7, 9, 7, 1, 7, 9, 7, 30, 8, 16] * 150
    >>> for item in stream:
    ...     store.insert([scheme.randomize(item, store.bulletin, words)])
    ...     if store.epoch_is_full:
    ...         store.seal()
    >>> [line.item for line in store.estimates(2)]
    [7, 9]
    """

    hides_order = False

    def __init__(
        self,
        scheme: PFR,
        *,
        memory: int,
        seed: int,
        warmup: Integers = (),
        epoch: int | None = None,
        half_life: int | None = None,
    ) -> None:
        check_whole("seed", seed, 0, WORD_MASK)
        warm_up = WarmUp.of(warmup, WARM_ITEMS_PER_LEAF * scheme.most_leaves, scheme.domain_size)
        self._set(scheme, memory, epoch or 0, half_life or 0, warm_up)
        self.epochs: list[SealedEpoch] = []
        self.secret, self.reports, self.sealed = seed, 0, 0
        self.archive = Archive.nothing(np.empty(0, np.int64))
        self._publish(self._next_key(), scheme.cells, warm_up.best(scheme.most_leaves))

    def _next_key(self) -> int:
        """The key of the next bulletin. Without the secret, nobody can predict it from earlier ones."""
        number, secret = self.sealed.to_bytes(8, "little"), self.secret.to_bytes(8, "little")
        return int.from_bytes(blake2b(number, digest_size=8, key=secret).digest(), "little")

    def _set(self, scheme: PFR, memory: int, epoch: int, half_life: int, warm_up: WarmUp) -> None:
        self.scheme, self.warm_up = scheme, warm_up
        self.memory = check_whole("memory", memory, 1, LARGEST_32)
        self.epoch = check_whole("epoch", epoch, 0, LARGEST_32)
        self.half_life = check_whole("half_life", half_life, 0)
        fixed = fixed_bytes(scheme.most_leaves) + warm_up.most_bytes
        each = epoch_bytes(scheme.cells, scheme.most_leaves, scheme.domain_size)
        self.capacity = min(most_epochs(scheme.domain_size), (memory - fixed) // each)
        if self.capacity < 2:
            raise InvalidField("memory", f"must be at least {fixed + 2 * each} bytes, to hold two epochs", memory)
        self.growth = exp(log(COVERED) / self.capacity) - 1
        self.first_epoch = epoch or max(500, int(200 * reading_over(scheme, scheme.cells).noise.variance))
        self.late: dict[int, NDArray[np.int64]] = {}

    def _publish(self, key: int, cells: int, leaves: Items) -> None:
        size, named = self.scheme.domain_size, tuple((np.sort(leaves) if self.hides_order else leaves).tolist())
        self.bulletin = FrontierBulletin(bytes(32), self.sealed, size, cells, key, named)
        self.histogram = np.zeros(reading_over(self.scheme, cells).modulus, np.int64)

    def hide_order(self) -> None:
        """From now on, publish the leaves in the order of the items: the best first would tell everyone the ranking."""
        self.hides_order = True
        self._publish(self.bulletin.key, self.bulletin.cells, np.array(self.bulletin.leaves, np.int64))

    def adopt(self, published: FrontierBulletin) -> None:
        """For a store right after a seal or at its start: go on from what an earlier version published instead."""
        if published.epoch != self.sealed:
            raise InvalidField("bulletin", f"must be of epoch {self.sealed}", published.epoch)
        self.archive = self.archive.of(np.array(published.leaves, np.int64))
        self._publish(published.key, published.cells, self.archive.items)

    @property
    def epoch_length(self) -> int:
        """A fixed share of the reports so far, so that the retained epochs always cover nearly all of them.

        With a half-life at most a quarter of it: what is forgotten, after some 17 epochs, hardly counts any more.
        """
        length = max(self.first_epoch, int(self.growth * self.reports))
        return min(length, max(1, self.half_life // EPOCHS_PER_HALF_LIFE)) if self.half_life else length

    @property
    def epoch_is_full(self) -> bool:
        """Whether it is time to seal."""
        return self.in_epoch >= self.epoch_length

    def insert_late(self, bulletin: FrontierBulletin, reports: Integers) -> None:
        """Count residues that answer an earlier bulletin; the next seal adds them to the epoch of its key."""
        self.merge_late(bulletin, counted(reports, reading_over(self.scheme, bulletin.cells).modulus))

    def merge_late(self, bulletin: FrontierBulletin, histogram: NDArray[np.int64]) -> None:
        """Add late reports that were counted already."""
        check_histogram(histogram, reading_over(self.scheme, bulletin.cells).modulus)
        self.late[bulletin.key] = self.late.get(bulletin.key, 0) + histogram

    @property
    def late_reports(self) -> int:
        """How many late reports wait for the next seal."""
        return sum(int(histogram.sum()) for histogram in self.late.values())

    def seal(self) -> None:
        """End the epoch, choose new leaves from all evidence, and publish under a fresh key.

        An epoch without a report stays open: a client may be answering its bulletin right now.
        """
        if not self.in_epoch:
            return
        self._absorb()
        decoded, _ = self._decoded()
        shares, deviations = self._question().shares(decoded)
        best = next_leaves(decoded, shares, deviations, self.scheme.most_leaves)
        self._forget(decoded, best)
        self._publish(self._next_key(), self._width(shares[best].clip(min=0.0)), decoded.items[best])

    def _width(self, leaves: Reals) -> int:
        untracked = untracked_share(self.epochs, self.weights()) if leaves.size < self.scheme.domain_size else 0.0
        return best_width(self.scheme, leaves, untracked, self.epoch_length)

    def absorbed(self) -> "Frontier":
        """A copy in which the open epoch and late reports count too, for an answer in mid-epoch."""
        now = copy(self)
        now.epochs, now.late, now.histogram = list(self.epochs), dict(self.late), self.histogram.copy()
        now._absorb()
        return now

    def _absorb(self) -> None:
        if n := self.in_epoch:
            self.reports, self.sealed = self.reports + n, self.sealed + 1
            reading = reading_over(self.scheme, self.bulletin.cells)
            shares = reading.shares(self.histogram)
            self.epochs.append(SealedEpoch.of(self.bulletin, n, self.reports, shares, reading.noise))
            self.histogram[:] = 0
        for key, histogram in self.late.items():
            self._absorb_late(key, histogram)
        self.late, self.epochs = {}, placed(self.epochs, self.reports)

    def _forget(self, decoded: Decoded, leaves: Items) -> None:
        """Drop the oldest epochs that do not fit; the archive keeps what each of them says about the next leaves."""
        self.archive = self.archive.of(decoded.items[leaves])
        for row in range(decoded.stream.before, decoded.stream.before + self._too_many()):
            before = self._forgotten()
            del self.epochs[0]
            part = 1 - before / max(self._forgotten(), TINY)
            measured = decoded.found.value[row, leaves], decoded.found.noise[row, leaves]
            self.archive = self.archive.with_epoch(part, *measured).rounded()

    def _too_many(self) -> int:
        """How many of the oldest epochs do not fit."""
        largest = self.scheme.cells, self.scheme.most_leaves
        return too_many(self.epochs, self.capacity, largest, self.scheme.domain_size)

    def _absorb_late(self, key: int, histogram: NDArray[np.int64]) -> None:
        n = int(histogram.sum())
        self.reports += n
        for place, epoch in enumerate(self.epochs):
            if epoch.key == key and n:
                shares = reading_over(self.scheme, epoch.symbols).shares(histogram)
                self.epochs[place] = epoch.with_late(n, shares)

    def weights(self, window: int | None = None) -> Reals:
        """How much each retained epoch counts: by the half-life, or 1 inside and 0 outside a window."""
        if window is not None:
            taken = epochs_within((epoch.reports for epoch in reversed(self.epochs)), window)
            return (np.arange(len(self.epochs), 0, -1) <= taken).astype(np.float64)
        age = self.reports - np.array([epoch.middle for epoch in self.epochs])
        return np.exp2(-age / self.half_life) if self.half_life else np.ones(age.size)

    def _question(self, window: int | None = None) -> Question:
        """Everything, as the half-life weighs it, or what lies in a window. A warm-up counts if nothing fades."""
        weights = self.weights(window) * np.array([epoch.reports for epoch in self.epochs], np.float64)
        if window is not None:
            return Question(weights, 0.0, self.covered(window))
        return Question(weights, self._forgotten(), self.reports, warm=self.warm_up.size > 0 and not self.half_life)

    def _forgotten(self) -> float:
        """The weight of the reports that no epoch holds any more."""
        forgotten = self.reports - sum(epoch.reports for epoch in self.epochs)
        if not self.half_life or not forgotten:
            return float(forgotten)
        rate = log(2) / self.half_life
        return -expm1(-forgotten * rate) / rate * exp(-(self.reports - forgotten) * rate)

    def _decoded(self) -> tuple[Decoded, Callable[[], Crowd]]:
        """All about items that were tracked, in the warm-up or found; and a function that looks at the others."""
        span = min(self.reports, HALF_LIVES * self.half_life) if self.half_life else self.reports
        reaches = {min(reach, len(self.epochs)) for reach in REACHES}
        search = DomainSearch(self.epochs, self.scheme.domain_size)
        found, looks = search.best(sorted(reaches), self.scheme.most_leaves)
        tracked = [np.array(self.bulletin.leaves, np.int64), *(epoch.leaves_above_zero for epoch in self.epochs)]
        items = np.unique(np.concatenate([found, self.warm_up.items, *tracked]))
        items_and_others = self.scheme.domain_size, self.scheme.beside
        stream = Stream(self.epochs, self.warm_up, self.archive, self.reports, float(span), *items_and_others)
        return decode(stream, items, 2 * self.scheme.most_leaves), partial(search.crowd, looks, items)

    def estimates(self, k: int, window: int | None = None) -> tuple[Estimate, ...]:
        """The best k of all sealed epochs, or of those within the last `window` reports.

        With a half-life, older events count less, and counts are scaled to all reports.
        """
        if not self.epochs:
            return self.warm_up.lines(self.warm_up.best(k)) if window is None else ()
        if window is not None and not self.covered(window):
            return ()
        decoded, crowd = self._decoded()
        return best_lines(decoded, crowd(), self._question(window), k)

    def ask(self, items: Integers, window: int | None = None) -> tuple[Estimate, ...]:
        """What is known about any items of the domain, in the order asked. Luck picked none, so none is corrected."""
        named = np.array(items, np.int64)
        if window is not None and not self.covered(window):
            return unknown_lines(named.tolist(), min(window, self.reports))
        if not self.epochs:
            return self.warm_up.lines(named)
        (candidates, _), question = self._decoded(), self._question(window)
        others = usual(candidates, question)
        return plain_lines(about(candidates, named), others, question)

    def shares(self, items: Integers) -> tuple[Reals, Reals]:
        """Each item's share of all that counts, and its standard deviation, as they were measured."""
        return self._question().shares(about(self._decoded()[0], np.array(items, np.int64)))

    def domain_shares(self, window: int | None = None) -> MeasuredShares:
        """The share of every item, of all that counts or of a window that holds an epoch, as it was measured."""
        return measured_items(self._decoded()[0], self._question(window))

    def covered(self, window: int) -> int:
        """How many reports the epochs hold that a window takes in: an epoch counts as a whole or not at all."""
        return sum(epoch.reports for epoch, weight in zip(self.epochs, self.weights(window), strict=True) if weight)

    def serialize(self) -> bytes:
        """The sealed epochs, the archive and the warm-up's best: never more than `memory` bytes."""
        self.check_sealed(self.late_reports)
        terms, bulletin = (self.memory, self.epoch, self.half_life), self.bulletin
        state = FrontierState(*terms, self.secret, self.reports, self.sealed, bulletin.key, bulletin.cells)
        archive = self.archive.of(np.array(bulletin.leaves, np.int64))
        parts = archive, self.warm_up, self.epochs, self.scheme.domain_size
        return pack(state, *parts, hides_order=self.hides_order)

    @classmethod
    def deserialize(cls, data: bytes, scheme: PFR) -> "Frontier":
        """The store that `serialize` wrote for a scheme; anything else is refused."""
        store = cls.__new__(cls)
        try:
            state, store.archive, warm_up, epochs = unpack(data, scheme)
            store._set(scheme, state.memory, state.epoch, state.half_life, warm_up)
            store.epochs, store.secret, store.reports, store.sealed = epochs, state.secret, state.reports, state.sealed
            store.hides_order = hides_order(data)
            store._publish(state.key, state.cells, store.archive.items)
        except InvalidField as wrong:
            raise MalformedState(f"frontier must be legal: {wrong}") from wrong
        if written_by_0_1(data):
            del store.epochs[: store._too_many()]
        if len(epochs) > store.capacity:
            raise MalformedState(f"frontier must hold at most {store.capacity} epochs")
        check_reports(epochs, store.reports)
        store.epochs = placed(store.epochs, store.reports)
        return store
