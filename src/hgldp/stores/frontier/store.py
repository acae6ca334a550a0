"""The frontier: the last epochs' tallies, each under its own hash key, and the bulletin that follows from them.

Nothing else is kept, so order, batching and merging cannot matter.

An item's evidence is the precision-weighted sum of what every retained epoch says about it: its own leaf where it was
tracked, its search cell (less that epoch's background) where it was not. A window is a choice of epochs.
"""

from copy import copy
from math import exp, log

import numpy as np
from numpy.typing import NDArray

from hgldp.errors import InvalidField, MalformedState
from hgldp.model.bulletins import FrontierBulletin
from hgldp.model.estimate import Estimate
from hgldp.model.randomness import WORD_MASK, SeededWords
from hgldp.model.validate import LARGEST_32, check_whole
from hgldp.schemes.pfr import PFR
from hgldp.stores.epoch_tally import EpochTally, check_histogram, counted
from hgldp.stores.frontier.epoch import SealedEpoch, epoch_bytes
from hgldp.stores.frontier.evidence import Evidence, gather, search_domain
from hgldp.stores.frontier.prior import Prior
from hgldp.stores.frontier.state import FrontierState, fixed_bytes, hides_order, pack, unpack
from hgldp.stores.frontier.width import best_width, untracked_share
from hgldp.stores.integers import Integers
from hgldp.stores.noise import reading_over

COVERED, MOST_EPOCHS = 64.0, (1 << 16) - 1
Reals = NDArray[np.float64]
Items = NDArray[np.int64]


class Frontier(EpochTally):
    """What PFR's server keeps: at most `memory` bytes of sealed epochs, and the open epoch's histogram.

    >>> scheme = PFR(domain_size=50, cells=16, epsilon=3.0)
    >>> store = Frontier(scheme, memory=4096, seed=1)
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
        self._set(scheme, memory, epoch or 0, half_life or 0, Prior.of(warmup, scheme.cells, scheme.domain_size))
        self.epochs: list[SealedEpoch] = []
        self.words = SeededWords(seed)
        self.reports = self.sealed = 0
        self._publish(self.words.word(), scheme.cells, self.prior.best(scheme.most_leaves))

    def _set(self, scheme: PFR, memory: int, epoch: int, half_life: int, prior: Prior) -> None:
        self.scheme = scheme
        self.prior = prior
        self.memory = check_whole("memory", memory, 1, LARGEST_32)
        self.epoch = check_whole("epoch", epoch, 0, LARGEST_32)
        self.half_life = check_whole("half_life", half_life, 0)
        fixed, each = fixed_bytes(scheme.most_leaves) + prior.most_bytes, epoch_bytes(scheme.cells, scheme.most_leaves)
        self.capacity = min(MOST_EPOCHS, (memory - fixed) // each)
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

    @property
    def epoch_length(self) -> int:
        """A fixed share of the reports so far, so that the retained epochs always cover nearly all of them."""
        length = max(self.first_epoch, int(self.growth * self.reports))
        return min(length, max(1, self.half_life // 8)) if self.half_life else length

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
        evidence = self.evidence(self.candidates())
        best = evidence.order[: self.scheme.most_leaves]
        self._publish(self.words.word(), self._width(evidence.mean[best].clip(min=0.0)), evidence.items[best])

    def _width(self, leaves: Reals) -> int:
        found = leaves.size == self.scheme.domain_size
        untracked = 0.0 if found else untracked_share(self.epochs, self.weights())
        return best_width(self.scheme, leaves, untracked, self.epoch_length)

    def absorbed(self) -> "Frontier":
        """A copy in which the open epoch and late reports count too, for an answer in mid-epoch."""
        now = copy(self)
        now.epochs = list(self.epochs)
        now.histogram = self.histogram.copy()
        now.late = dict(self.late)
        now._absorb()
        return now

    def _absorb(self) -> None:
        if n := self.in_epoch:
            self.reports, self.sealed = self.reports + n, self.sealed + 1
            reading = reading_over(self.scheme, self.bulletin.cells)
            shares = reading.shares(self.histogram)
            self.epochs.append(SealedEpoch.of(self.bulletin, n, self.reports, shares, reading.noise))
            del self.epochs[: -self.capacity]
            self.histogram[:] = 0
        for key, histogram in self.late.items():
            self._absorb_late(key, histogram)
        self.late = {}

    def _absorb_late(self, key: int, histogram: NDArray[np.int64]) -> None:
        n = int(histogram.sum())
        self.reports += n
        for place, epoch in enumerate(self.epochs):
            if epoch.key == key and n:
                shares = reading_over(self.scheme, epoch.symbols).shares(histogram)
                self.epochs[place] = epoch.with_late(n, shares)

    def weights(self, window: int | None = None) -> Reals:
        """How much each retained epoch counts: by the half-life, or 1 inside and 0 outside a window."""
        age = np.array([self.reports - epoch.end + epoch.reports / 2 for epoch in self.epochs])
        if window is not None:
            return (age <= window).astype(np.float64)
        return np.exp2(-age / self.half_life) if self.half_life else np.ones(age.size)

    def candidates(self, window: int | None = None) -> Items:
        """Items that were tracked or in the warm-up, and the best of the whole domain by their search cells."""
        named = [self.prior.items, np.array(self.bulletin.leaves, np.int64), *(epoch.leaves for epoch in self.epochs)]
        if self.epochs:
            size, wanted = self.scheme.domain_size, self.scheme.most_leaves
            named.append(search_domain(self.epochs, self.weights(window), size, wanted))
        return np.unique(np.concatenate(named))

    def evidence(self, items: Items, window: int | None = None) -> Evidence:
        """Everything that is known about these items."""
        reported = gather(self.epochs, self.weights(window), items)
        if window is not None or not self.prior.size:
            return reported
        faded = 2.0 ** (-self.reports / self.half_life) if self.half_life else 1.0
        return reported.with_sample(*self.prior.of_items(items), faded)

    def estimates(self, k: int, window: int | None = None) -> tuple[Estimate, ...]:
        """The best k of all sealed epochs, or of those within the last `window` reports.

        All evidence ranks the items. Without a warm-up, only the epochs in which an item was tracked count it: the
        search chose it because its search cells came out high, so a count by those would run high.
        """
        if window is not None and not self.covered(window):
            return ()
        ranked = self.evidence(self.candidates(window), window)
        best = ranked.order[:k]
        counted = ranked
        if window is not None or not self.prior.size:
            counted = gather(self.epochs, self.weights(window), ranked.items, tracked_only=True)
        mean = np.where(counted.known, counted.mean, ranked.mean)
        covered = self.reports if window is None else self.covered(window)
        error = np.hypot(
            covered * np.where(counted.known, counted.deviation, ranked.deviation),
            _by_chance(mean, covered, ranked.tracked),
        )
        lines = []
        for i in best.tolist():
            item = int(ranked.items[i])
            warm = 0 if window is not None else self.prior.count(item)
            since = self._since_tracked(item)
            lines.append(Estimate(item, warm + covered * float(mean[i]), float(error[i]), *since, warm))
        return tuple(lines)

    def ask(self, items: Items, window: int | None = None) -> tuple[Estimate, ...]:
        """Any items, in this order, by all evidence: whoever names an item did not choose it for its luck."""
        known, covered = self.evidence(items, window), self.reports if window is None else self.covered(window)
        warm = [self.prior.count(item) if window is None else 0 for item in items.tolist()]
        error = np.hypot(covered * known.deviation, _by_chance(known.mean, covered, known.tracked)) * (covered > 0)
        lines = []
        for i, item in enumerate(items.tolist()):
            count, tracked = covered * float(known.mean[i]), self._since_tracked(item)
            faint = count <= 4 * float(error[i]) or not tracked[2]
            lines.append(Estimate(item, warm[i] + count, float(error[i]), *tracked, warm[i], may_be_noise=faint))
        return tuple(lines)

    def covered(self, window: int) -> int:
        """How many reports the epochs hold that a window takes in: an epoch counts as a whole or not at all."""
        return sum(epoch.reports for epoch, weight in zip(self.epochs, self.weights(window), strict=True) if weight)

    def _since_tracked(self, item: int) -> tuple[float, float, int]:
        """The exactly unbiased count of the latest unbroken run of epochs in which the item was a leaf."""
        count, variance, since = 0.0, 0.0, 0
        for epoch in reversed(self.epochs):
            share = epoch.leaf_share(item)
            if share is None:
                break
            events = share * epoch.reports
            count, since = count + events, since + epoch.reports
            variance += epoch.reports * epoch.noise.variance + events * epoch.noise.slope
        return count, max(variance, 0.0) ** 0.5, since

    def serialize(self) -> bytes:
        """The sealed epochs and the warm-up's best: never more than `memory` bytes."""
        self.check_sealed(self.late_reports)
        terms, bulletin = (self.memory, self.epoch, self.half_life), self.bulletin
        state = FrontierState(*terms, self.words.state, self.reports, self.sealed, bulletin.key, bulletin.cells)
        return pack(state, self.bulletin.leaves, self.prior, self.epochs, hides_order=self.hides_order)

    @classmethod
    def deserialize(cls, data: bytes, scheme: PFR) -> "Frontier":
        """The store that `serialize` wrote for a scheme; anything else is refused."""
        store = cls.__new__(cls)
        try:
            state, leaves, prior, epochs = unpack(data, scheme)
            store._set(scheme, state.memory, state.epoch, state.half_life, prior)
            store.epochs, store.words = epochs, SeededWords(state.words)
            store.reports, store.sealed = state.reports, state.sealed
            store.hides_order = hides_order(data)
            store._publish(state.key, state.cells, leaves)
        except InvalidField as wrong:
            raise MalformedState(f"frontier must be legal: {wrong}") from wrong
        if len(epochs) > store.capacity:
            raise MalformedState("frontier must fit into its memory")
        if any(epoch.end > store.reports for epoch in epochs) or store.reports >> 63:
            raise MalformedState("frontier must not hold epochs that end after its last report")
        return store


def _by_chance(share: Reals, covered: int, tracked: Reals) -> Reals:
    """How far an item's events may lie from its rate while it was a leaf, in the reports in which it was none."""
    part = np.clip(share, 0.0, 1.0)
    missed = np.maximum(covered - tracked, 0.0)
    return np.where(tracked > 0, np.sqrt(part * (1 - part) * missed * covered / np.maximum(tracked, 1.0)), 0.0)
