"""The open frontier: what PFR's server keeps while it spells out strings that nobody listed.

Every cell, leaf or prefix, keeps a precision-weighted mean of its share for as long as it stays (two numbers). At the
end of an epoch significant prefixes are cut, undecided ones are held, hopeless ones dropped; whole strings that are
significant become hot, and the weakest hot one gives way. No coin is tossed: sealing is a function of state and tally.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hgldp.errors import InvalidField
from hgldp.kernels.frontier import correlate
from hgldp.model.estimate import Estimate
from hgldp.model.open_frontier import ROOT, Cell, OpenBulletin
from hgldp.model.strings import StringDomain
from hgldp.model.whole import check_whole
from hgldp.stores.frontier_shape import Response
from hgldp.stores.string_model import expand

HOT_LEAST, SPLIT_LEAST, EXPLORING = 1.5, 2.0, 0.05
FIRST_EPOCH, GROWTH = 100_000, 0.03


@dataclass
class Measured:
    """A share and how sure it is: two numbers a cell."""

    total: float = 0.0
    precision: float = 0.0
    since: int = 0

    @property
    def share(self) -> float:
        """The mean."""
        return self.total / self.precision if self.precision else 0.0

    @property
    def deviation(self) -> float:
        """Its standard deviation."""
        return self.precision**-0.5 if self.precision else 1.0

    @property
    def lower(self) -> float:
        """What it surely has."""
        return self.share - self.deviation


class OpenFrontier:
    """Bounded by `symbols` whatever happens: `hot` leaves, and `tips`, the cells under search."""

    def __init__(
        self, mechanism: Response, *, symbols: int, k: int, domain: StringDomain, epoch: int | None = None
    ) -> None:
        check_whole("k", k, 1, symbols // 8)
        self.domain, self.k, self.symbols = domain, k, symbols
        self._p, self._q, self._variance = float(mechanism.p), float(mechanism.q), mechanism.variance
        self._members = np.array(mechanism.members, np.int32)
        self.first_epoch = epoch or max(500, int(FIRST_EPOCH * self._variance))
        self.histogram = np.zeros(mechanism.modulus, np.int64)
        self.reports = self.sealed = 0
        self.hot: dict[Cell, Measured] = {}
        self.tips = {cell: Measured() for cell in expand([(1.0, ROOT)], self._room, domain.most_bytes)}
        self._publish()

    @property
    def most_hot(self) -> int:
        """Twice k strings are tracked."""
        return 2 * self.k

    @property
    def _room(self) -> int:
        return self.symbols - 1 - self.most_hot

    def _publish(self) -> None:
        self.bulletin = OpenBulletin(bytes(32), self.sealed, self.symbols, (*self.hot, *self.tips))

    @property
    def epoch_length(self) -> int:
        """Long enough that the first cuts are decided, later a fixed share of all reports so far."""
        return max(self.first_epoch, int(GROWTH * self.reports))

    @property
    def in_epoch(self) -> int:
        """How many reports the open epoch holds."""
        return int(self.histogram.sum())

    def insert(self, reports: Sequence[int] | NDArray[np.int64]) -> None:
        """Count residues; the order does not matter. One illegal residue and all are refused."""
        arrived = np.asarray(reports, np.int64)
        if arrived.size and not (arrived.min() >= 0 and arrived.max() < self.histogram.size):
            raise InvalidField("report", f"must lie in 0 … {self.histogram.size - 1}", "one outside")
        self.histogram += np.bincount(arrived, minlength=self.histogram.size)

    def seal(self) -> None:
        """End the epoch, cut and hold and drop, and publish the next frontier."""
        if self.in_epoch:
            self._absorb()
        self._promote()
        self._renew()
        self._publish()

    def _absorb(self) -> None:
        scores = np.empty(self.symbols, np.int64)
        correlate(self.histogram, self._members, scores)
        n = self.in_epoch
        slope = (1 - self._p - self._q) / (self._p - self._q)
        for cell, score in zip(self.bulletin.cells, scores.tolist(), strict=False):
            share = (score - n * self._q) / ((self._p - self._q) * n)
            precision = n / (self._variance + max(share, 0.0) * slope)
            measured = self.hot[cell] if cell in self.hot else self.tips[cell]
            measured.total += precision * share
            measured.precision += precision
            measured.since += n
        self.reports, self.sealed = self.reports + n, self.sealed + 1
        self.histogram[:] = 0

    def _promote(self) -> None:
        """A significant whole string becomes hot, if need be in the place of the weakest."""
        for cell in [cell for cell in self.tips if cell.is_leaf]:
            found = self.tips[cell]
            if found.share <= HOT_LEAST * found.deviation:
                continue
            if len(self.hot) >= self.most_hot:
                weakest = min(self.hot, key=lambda each: self.hot[each].lower)
                if found.lower <= self.hot[weakest].lower:
                    continue
                del self.hot[weakest]
            self.hot[cell] = self.tips.pop(cell)

    def _renew(self) -> None:
        best = sorted((measured.lower for measured in self.hot.values()), reverse=True)
        bar = 0.7 * best[self.k - 1] if len(best) >= self.k else 0.0
        alive = {
            cell: found
            for cell, found in self.tips.items()
            if not found.precision or (found.share > 0 and found.share + found.deviation >= bar)
        }
        ranked = sorted(alive, key=lambda cell: -alive[cell].share)
        inner = [
            cell for cell in ranked if not cell.is_leaf and alive[cell].share > SPLIT_LEAST * alive[cell].deviation
        ]
        split = inner[: min(self.symbols // 9, self._room // 4)]
        held = [cell for cell in ranked if cell not in set(split)][: self._room // 2]
        seeds = [(alive[cell].share ** 0.5, cell) for cell in split]
        seeds.append((EXPLORING * max(sum(weight for weight, _ in seeds), 1e-9), ROOT))
        tips = {cell: alive[cell] for cell in held}
        for cell in expand(seeds, self._room - len(held), self.domain.most_bytes):
            if cell not in tips and cell not in self.hot:
                tips[cell] = Measured()
        self.tips = tips

    def estimates(self, k: int) -> list[tuple[str, Estimate]]:
        """The best k whole strings, verbatim, ranked by what they surely have."""
        check_whole("k", k, 1, self.most_hot)
        best = sorted(self.hot, key=lambda cell: (-self.hot[cell].lower, cell))
        lines = []
        for rank, cell in enumerate(best[:k]):
            found, text = self.hot[cell], cell.prefix.decode(errors="replace")
            count, error = self.reports * found.share, self.reports * found.deviation
            tracked = found.since * found.share, found.since * found.deviation
            lines.append((text, Estimate(rank, count, error, *tracked, found.since)))
        return lines
