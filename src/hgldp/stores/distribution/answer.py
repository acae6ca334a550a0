"""From curves to numbers: how many items are in each decade, what they hold, and how sure that is."""

from dataclasses import dataclass
from math import floor, log10

import numpy as np
from numpy.typing import NDArray

from hgldp.model.distribution import LEVEL, Decade, Distribution
from hgldp.model.estimate import Z95
from hgldp.stores.distribution.counting import likely_range
from hgldp.stores.distribution.curve import Curve, MeasuredShares, Rows, fit, likely_curves

LEAST_OF_NOISE, AT_AN_EDGE, DECADES = 1.5, 0.85, 9
"""A decade is told from so many deviations of the noise on; within so many of its edges an item may be on either side,
whatever the curve says: it cannot see steps that are steeper than the noise."""
DOUBT, COARSE, TOGETHER = 0.15, 0.0075, 1.5
"""Items that stand out may all be measured so many deviations too low; the steps of a grid move sums by so much; the
errors of items that had no cells of their own go together."""
NEARLY, SURE = 1e-9, 0.999
Reals = NDArray[np.float64]


def tell(measured: MeasuredShares, reports: int, size: int) -> Distribution:
    """All decades whose lower end stands out from the noise; the others cannot be told.

    >>> shares = np.concatenate([[0.42, 0.18, 0.12], np.full(7, 0.04)])
    >>> exact = MeasuredShares(shares, np.full(10, 1e-3), np.ones(10))
    >>> [(each.name, each.interval) for each in tell(exact, 1000, 10).decades]
    [('10 % and more', (3, 3)), ('1 % – 10 %', (7, 7))]
    """
    fitted = _Fitted.to(measured)
    told = min(DECADES, max(0, floor(-log10(LEAST_OF_NOISE * measured.noise) + NEARLY)))
    decades = [fitted.decade(number) for number in range(1, told + 1)]
    if not told:
        return Distribution((), reports, size)
    lowest = 10.0**-told
    (above, below), (held, variance) = fitted.around(lowest), fitted.held(lowest, 2.0)
    rest = _within(1 - held, variance, below * lowest, above * lowest)
    return Distribution(tuple(decades), reports, size, *rest)


@dataclass(frozen=True)
class _Fitted:
    """The likely curves, and what the likeliest would be if all that stands out were measured too low."""

    noise: float
    rows: Rows
    curves: list[tuple[float, Curve]]
    best: Curve
    higher_rows: Rows
    higher: Curve

    @classmethod
    def to(cls, measured: MeasuredShares) -> "_Fitted":
        rows, higher = Rows.of(measured), Rows.of(measured, DOUBT)
        curves = likely_curves(rows)
        best = max(curves, key=lambda pair: pair[0])[1]
        return cls(measured.noise, rows, curves, best, higher, fit(higher, best.bend, best.logs))

    def decade(self, number: int) -> Decade:
        """How many items are there, and what they hold."""
        low, high = 10.0**-number, 10.0 ** (1 - number)
        inside = _steps(self.rows, low, high)
        mean, variance = _mixed(self.curves, [_count(self.rows, curve, inside) for _, curve in self.curves])
        moved = _count(self.higher_rows, self.higher, inside)[0] - _count(self.rows, self.best, inside)[0]
        (above, below), (over, under) = self.around(low), self.around(high) if number > 1 else (0.0, 0.0)
        share, ends = _within(*self.held(low, high), above * low + under * high, below * low + over * high)
        sure = min(_sure(self.rows, self.best, inside), floor(mean))
        least, _ = likely_range(max(mean - sure - above - under, 0.0), variance + moved**2, LEVEL)
        _, most = likely_range(mean - sure + below + over, variance + moved**2, LEVEL)
        return Decade(low, mean, (sure + least, sure + most), share, ends)

    def around(self, edge: float) -> tuple[float, float]:
        """How many items lie just above an edge and just below it, where the curve may have the wrong side."""
        reach = AT_AN_EDGE * self.noise
        return self._number(edge, edge + reach), self._number(edge - reach, edge)

    def _number(self, start: float, end: float) -> float:
        """Of the likeliest curve, between any two shares."""
        logs, ends = np.log10(self.rows.edges), np.log10(np.maximum([start, end], self.rows.edges[0]))
        covered = np.minimum(logs[1:], ends[1]) - np.maximum(logs[:-1], ends[0])
        part = np.clip(covered / np.diff(logs), 0.0, 1.0)
        return float(self.rows.items @ (self.best.chances[:, 1:] @ part))

    def held(self, low: float, high: float) -> tuple[float, float]:
        """What all items with such shares hold, and its variance."""
        inside = _steps(self.rows, low, high)
        mean, variance = _mixed(self.curves, [_sum(self.rows, curve, inside) for _, curve in self.curves])
        moved = _sum(self.higher_rows, self.higher, inside)[0] - _sum(self.rows, self.best, inside)[0]
        return mean, variance + moved**2 + (COARSE * mean) ** 2


def _steps(rows: Rows, low: float, high: float) -> NDArray[np.bool_]:
    """The steps of the grid that lie in a decade; the step of nothing lies in none."""
    begins = rows.edges[:-1]
    inside = (begins >= low * (1 - NEARLY)) & (begins < high * (1 - NEARLY))
    return np.concatenate([[False], inside])


def _mixed(curves: list[tuple[float, Curve]], found: list[tuple[float, float]]) -> tuple[float, float]:
    """Mean and variance over several curves: each curve's own variance, and how far apart they are."""
    mean = sum(chance * each for (chance, _), (each, _) in zip(curves, found, strict=True))
    whole = sum(chance * (own + (each - mean) ** 2) for (chance, _), (each, own) in zip(curves, found, strict=True))
    return float(mean), float(whole)


def _count(rows: Rows, curve: Curve, inside: NDArray[np.bool_]) -> tuple[float, float]:
    """How many items lie there: each item may, and the curve itself is not sure."""
    part = curve.chances[:, inside].sum(axis=1)
    mean, own = float(rows.items @ part), float(rows.items @ (part * (1 - part)))
    moves = rows.items @ (curve.chances * inside) - (rows.items * part) @ curve.chances
    return mean, own + float(moves @ curve.unsure @ moves)


def _sure(rows: Rows, curve: Curve, inside: NDArray[np.bool_]) -> int:
    """How many items lie there that nobody can doubt."""
    return int(rows.items @ (curve.chances[:, inside].sum(axis=1) > SURE))


def _sum(rows: Rows, curve: Curve, inside: NDArray[np.bool_]) -> tuple[float, float]:
    """What they hold together."""
    weighed = curve.chances * rows.shares * inside
    part = weighed.sum(axis=1)
    square = (curve.chances * inside * (rows.shares**2 + rows.within)).sum(axis=1)
    own = TOGETHER * float(rows.items @ np.maximum(square - part**2, 0.0))
    moves = rows.items @ weighed - (rows.items * part) @ curve.chances
    return float(rows.items @ part), own + float(moves @ curve.unsure @ moves)


def _within(share: float, variance: float, less: float, more: float) -> tuple[float, tuple[float, float]]:
    """A share and its interval; so much of it may be elsewhere, and so much from elsewhere be in it."""
    reach = Z95 * variance**0.5
    low, high = max(0.0, share - reach - less), min(1.0, share + reach + more)
    return min(1.0, max(0.0, share)), (low, high)
