"""The open frontier: what PFR's server keeps while it spells out strings that nobody listed.

Every cell, leaf or prefix, keeps a precision-weighted mean of its share for as long as it stays. The end of an epoch
cuts promising cells, holds undecided ones and drops hopeless ones (`search`); whole strings that are significant become
hot, and replace the weakest hot ones. No coin is tossed: sealing is a function of state and tally.
"""

from copy import copy, deepcopy
from dataclasses import replace
from itertools import takewhile

import numpy as np
from numpy.typing import NDArray

from hgldp.errors import InvalidField, MalformedState
from hgldp.mechanisms.cyclic import CyclicResponse
from hgldp.model.bulletins import Cell, OpenBulletin
from hgldp.model.domain import StringDomain
from hgldp.model.estimate import Estimate
from hgldp.model.rules import Spelling
from hgldp.model.validate import check_whole
from hgldp.schemes.open_pfr import first_epoch
from hgldp.stores.epoch_tally import EpochTally, check_histogram, counted
from hgldp.stores.integers import Integers
from hgldp.stores.noise import reading_of
from hgldp.stores.strings.lines import Whole, best_lines, law_of
from hgldp.stores.strings.measured import Cells, Measured
from hgldp.stores.strings.model import model_of
from hgldp.stores.strings.search import expect, first_cells, promote, renew, sought
from hgldp.stores.strings.state import OpenState, check_cells, has_priors, hides_order, pack, unpack

GROWTH, EPOCHS_A_HALF_LIFE = 0.05, 8
LEAVES_AN_EPOCH = 4
LEAVES_OF_CELLS = 8


class OpenFrontier(EpochTally):
    """Bounded by `symbols` whatever happens: `hot` leaves, and `tips`, the cells under search.

    With a half-life, what was measured that many reports ago counts half as much as what is measured now.
    """

    hides_order = False

    def __init__(
        self,
        mechanism: CyclicResponse,
        *,
        symbols: int,
        k: int,
        domain: StringDomain,
        epoch: int | None = None,
        half_life: int | None = None,
        spelling: Spelling = "text",
    ) -> None:
        self._set(mechanism, symbols, k, domain, half_life or 0)
        self.model = model_of(spelling)
        self.first_epoch = check_whole("epoch", first_epoch(mechanism, epoch), 1)
        self.reports = self.sealed = 0
        self.hot: Cells = {}
        self.tips = first_cells(k, self._room, self.model, domain.most_bytes)
        self._publish()

    def _set(self, mechanism: CyclicResponse, symbols: int, k: int, domain: StringDomain, half_life: int) -> None:
        check_whole("symbols", symbols, 8, mechanism.modulus)
        self.k = check_whole("k", k, 1, symbols // 8)
        self.symbols = symbols
        self.domain = domain
        self.half_life = check_whole("half_life", half_life, 0)
        self._reading = reading_of(mechanism)
        self.histogram = np.zeros(mechanism.modulus, np.int64)
        self.late: dict[int, tuple[tuple[Cell, ...], NDArray[np.int64]]] = {}

    @property
    def most_hot(self) -> int:
        """Twice k strings are tracked, or an eighth of all cells if that is more."""
        return max(2 * self.k, self.symbols // LEAVES_OF_CELLS)

    @property
    def _room(self) -> int:
        """One symbol is for all strings that lie in no cell."""
        return self.symbols - 1

    def _publish(self) -> None:
        cells = (*self.hot, *self.tips)
        if self.hides_order:
            cells = tuple(sorted(cells))
        self.bulletin = OpenBulletin(bytes(32), self.sealed, self.symbols, cells)

    def hide_order(self) -> None:
        """From now on, publish the cells in the order of their prefixes: the strongest first would tell the ranking."""
        self.hides_order = True
        self._publish()

    def adopt(self, published: OpenBulletin) -> None:
        """For a store right after a seal or at its start: go on from what an earlier version published instead.

        Hot strings that it has at its beginning stay hot; of cells that are new here, only the model says something.
        """
        if published.epoch != self.sealed:
            raise InvalidField("bulletin", f"must be of epoch {self.sealed}", published.epoch)
        if any(len(cell.prefix) > self.domain.most_bytes for cell in published.cells):
            raise InvalidField("bulletin", "must have cells of the task's domain", "a longer one")
        if published.cells == self.bulletin.cells:
            return
        known, cells = self.hot | self.tips, published.cells
        leading = cells if self.hides_order else tuple(takewhile(self.hot.__contains__, cells))
        self.hot = {cell: self.hot[cell] for cell in leading if cell in self.hot}
        self.tips = {cell: known.get(cell, Measured()) for cell in cells if cell not in self.hot}
        expect({cell: found for cell, found in self.tips.items() if cell not in known}, self.k, self.model)
        self._publish()

    @property
    def epoch_length(self) -> int:
        """Long enough that the first cuts are decided, later a fixed share of all reports so far."""
        length = max(self.first_epoch, int(GROWTH * self.reports))
        return min(length, max(self.first_epoch, self.half_life // EPOCHS_A_HALF_LIFE)) if self.half_life else length

    def insert_late(self, bulletin: OpenBulletin, reports: Integers) -> None:
        """Count residues that answer an earlier bulletin; the next seal adds them to the cells that are still there."""
        self.merge_late(bulletin, counted(reports, self.histogram.size))

    def merge_late(self, bulletin: OpenBulletin, histogram: NDArray[np.int64]) -> None:
        """Add late reports that were counted already."""
        check_histogram(histogram, self.histogram.size)
        cells, before = self.late.get(bulletin.epoch, (bulletin.cells, 0))
        self.late[bulletin.epoch] = cells, before + histogram

    @property
    def late_reports(self) -> int:
        """How many late reports wait for the next seal."""
        return sum(int(histogram.sum()) for _, histogram in self.late.values())

    def seal(self) -> None:
        """End the epoch, cut and hold and drop, and publish the next frontier. An empty epoch stays open."""
        if not self.in_epoch:
            return
        self._absorb()
        size = sought(self.hot, self.k, self._reading.noise.variance, self.whole.fading_reports)
        promote(self.hot, self.tips, self.most_hot, size)
        room = self._room - len(self.hot)
        self.tips = renew(self.hot, self.tips, size, room, self.model, self.domain.most_bytes)
        self._publish()

    def absorbed(self) -> "OpenFrontier":
        """A copy in which the open epoch and late reports count too, for an answer in mid-epoch."""
        now = self._copied()
        if self.in_epoch or self.late:
            now._absorb()
        return now

    def as_if_sealed(self) -> "OpenFrontier":
        """A copy whose open epoch ends now, so that strings become hot that an answer in mid-epoch would not have."""
        now = self._copied()
        now.seal()
        return now

    def _copied(self) -> "OpenFrontier":
        now = copy(self)
        now.hot, now.tips = deepcopy(self.hot), deepcopy(self.tips)
        now.histogram, now.late = self.histogram.copy(), dict(self.late)
        return now

    def _absorb(self) -> None:
        passed = self.in_epoch + self.late_reports
        faded = 2.0 ** (-passed / self.half_life) if self.half_life else 1.0
        for measured in (*self.hot.values(), *self.tips.values()):
            measured.fade(faded)
        for cells, histogram in ((self.bulletin.cells, self.histogram), *(self.late[old] for old in sorted(self.late))):
            self._measure(cells, histogram)
        self.sealed += 1
        self.histogram[:] = 0
        self.late = {}

    def _measure(self, cells: tuple[Cell, ...], histogram: NDArray[np.int64]) -> None:
        scores, n = self._reading.scores(histogram, self.symbols), int(histogram.sum())
        noise = self._reading.noise
        for cell, score in zip(cells, scores.tolist(), strict=False):
            measured = self.hot.get(cell) or self.tips.get(cell)
            if measured is not None and n:
                share = noise.share(score, n)
                measured.add(share, noise.at(share), n)
        self.reports += n

    @property
    def whole(self) -> Whole:
        """The stream so far, and what an unfound string can have.

        If the hot list is full of strings that stand out, that is the share of the weakest. Until then the search goes
        on, and it is what a cell under search holds on average.
        """
        looked_at = self.symbols + LEAVES_AN_EPOCH * self.sealed
        whole, known = Whole(self.reports, self.half_life, self._reading.noise, looked_at), self.hot.values()
        if len(known) >= self.most_hot and whole.stands_out(weakest := min(known, key=lambda found: found.share)):
            return replace(whole, unfound=weakest.share)
        rest = 1.0 - sum(found.share for found in known)
        return replace(whole, unfound=max(0.0, rest) / (len(self.tips) + 1))

    def estimates(self, k: int) -> list[tuple[str, Estimate]]:
        """The k whole strings with the largest counts, verbatim."""
        check_whole("k", k, 1, self.most_hot)
        lines = best_lines(self.hot, self.whole, self.sealed, k)
        return [(self.domain.string(cell.prefix), line) for cell, line in lines]

    def expected_above(self, share: float) -> float:
        """How many strings are expected to have more than this share, whether or not they were spelled out."""
        return law_of(self.hot, self.sealed).above(share)

    def serialize(self) -> bytes:
        """What is kept between two epochs: never more than `most_state_bytes(symbols, most_bytes)`."""
        self.check_sealed(self.late_reports)
        numbers = (self.first_epoch, self.half_life, self.reports, self.sealed)
        state = OpenState(self.domain.most_bytes, self.symbols, self.histogram.size, self.k, *numbers)
        return pack(state, self.hot, self.tips, hides_order=self.hides_order)

    @classmethod
    def deserialize(cls, data: bytes, mechanism: CyclicResponse, spelling: Spelling = "text") -> "OpenFrontier":
        """The store that `serialize` wrote for a mechanism; anything else is refused."""
        state, hot, tips = unpack(data)
        store = cls.__new__(cls)
        store.model = model_of(spelling)
        try:
            store._set(mechanism, state.symbols, state.k, StringDomain(state.most_bytes), state.half_life)
            store.first_epoch = check_whole("epoch", state.first_epoch, 1)
            store.reports, store.sealed, store.hot, store.tips = state.reports, state.sealed, hot, tips
            store.hides_order = hides_order(data)
            store._publish()
        except InvalidField as wrong:
            raise MalformedState(f"open frontier must be legal: {wrong}") from wrong
        if state.modulus != mechanism.modulus or len(hot) > store.most_hot or len(tips) + len(hot) > store._room:
            raise MalformedState("open frontier must be of this mechanism and fit into its symbols")
        check_cells(state, hot, tips, store._reading.noise)
        if not has_priors(data):
            expect(tips, store.k, store.model)
        return store
