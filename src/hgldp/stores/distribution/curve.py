"""How the shares of a domain are spread, taken out of the noise: as many items per tenth of a decade as fit best.

Noise lifts many small items, so a count of estimates per decade is far too high. What we look for is a curve of the
true shares that, blurred by each item's own noise, looks like all that was measured. Many curves do. The log of the
density is a random walk of its slope: where the data say little it goes straight on, as a power law does, and how bent
it may be is tried out. All shares together are the whole stream, which tells much about those that are lost in noise.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from math import ceil, erfc, log10

import numpy as np
from numpy.typing import NDArray

PER_DECADE, BELOW_NOISE, BELOW_MEAN = 10, 30.0, 20.0
BENDS, FIRST_BEND, UNLIKELY = (0.01, 0.03, 0.1, 0.3, 1.0, 3.0), 2, 8.0
WHOLE_WITHIN, NOTHING_WITHIN, WEAK = 0.01, 10.0, 100.0
STEP_OF_SHARE, STEP_OF_NOISE, STANDS_OUT = 0.1, 0.03, 1.0
ROUNDS, LONGEST, SHORTEST, CLOSE, TINY = 100, 3.0, 1e-4, 1e-3, 1e-300
Reals = NDArray[np.float64]


@dataclass(frozen=True)
class MeasuredShares:
    """The measured shares of items, without bias; their standard deviations; and for how many items each stands.

    The deviations are those of items that never occur: the variance of a share grows by `slope` times that share. Were
    it taken at the measured share, an item with luck would seem noisier than it is, and its luck more likely.
    `numbers` is how many numbers the server kept: with more items than numbers, items do not vary by themselves.
    """

    shares: Reals
    deviations: Reals
    items: Reals
    slope: float = 0.0
    numbers: float = np.inf

    @cached_property
    def size(self) -> float:
        """How many items there are."""
        return float(self.items.sum())

    @property
    def noise(self) -> float:
        """The standard deviation of an ordinary item's share."""
        order = np.argsort(self.deviations)
        half = int(np.searchsorted(np.cumsum(self.items[order]), self.size / 2))
        return float(self.deviations[order][min(half, order.size - 1)])

    def gathered(self) -> "MeasuredShares":
        """Items that were measured nearly alike, as one row: thousands of them lie within the noise."""
        step, noise = self.shares / self.deviations / STEP_OF_SHARE, np.log(self.deviations) / STEP_OF_NOISE
        _, row = np.unique(np.rint(step) + 1j * np.rint(noise), return_inverse=True)
        items = np.bincount(row, self.items).astype(np.float64)
        shares, deviations = (np.bincount(row, self.items * each) / items for each in (self.shares, self.deviations))
        return MeasuredShares(shares, deviations, items, self.slope, self.numbers)


@dataclass(frozen=True)
class Rows:
    """What was measured, against a grid: how likely each row is in each step, and the share it then has on average.

    The first step is a share of next to nothing. `informed` is for how many items a row tells something by itself.
    """

    edges: Reals
    items: Reals
    informed: Reals
    likely: Reals
    shares: Reals
    within: Reals

    @classmethod
    def of(cls, measured: MeasuredShares, low: float = 0.0) -> "Rows":
        """On a grid that reaches far enough below the noise, and below the mean share.

        Items that stand out from the noise are measured `low` deviations too low.
        """
        lowest = min(measured.noise / BELOW_NOISE, 1.0 / (BELOW_MEAN * measured.size))
        edges = 10.0 ** (np.arange(-ceil(-log10(lowest) * PER_DECADE), 1) / PER_DECADE)
        found = measured.gathered()
        shares, of_nothing = np.minimum(found.shares, 1.0)[:, None], found.deviations[:, None]
        deviations = np.sqrt(of_nothing**2 + measured.slope * np.sqrt(edges[1:] * edges[:-1]))
        seen = shares + low * of_nothing * np.clip(edges[1:] / of_nothing - STANDS_OUT, 0.0, 1.0)
        left, right, widths = (edges[:-1] - seen) / deviations, (edges[1:] - seen) / deviations, np.diff(edges)
        inside = _between(left, right)
        moved = deviations * (_bell(left) - _bell(right)) / np.maximum(inside, TINY)
        mean = np.clip(np.where(inside > TINY, seen + moved, seen), edges[:-1], edges[1:])
        informed = found.items * min(1.0, measured.numbers / measured.size)
        return cls(
            edges,
            found.items,
            np.where(found.items > 1, informed, found.items),
            np.concatenate([_bell(shares / of_nothing) / of_nothing, inside / widths], axis=1) + TINY,
            np.concatenate([np.zeros_like(shares), mean], axis=1),
            np.concatenate([np.zeros_like(shares), np.minimum(deviations**2, widths**2 / 12)], axis=1),
        )


def _bell(places: Reals) -> Reals:
    return np.asarray(np.exp(-0.5 * places**2) / (2 * np.pi) ** 0.5)


def _between(left: Reals, right: Reals) -> Reals:
    """The chance of a normal number between two places, exact in both tails."""
    below, above = (
        np.array([erfc(abs(place) * 0.5**0.5) / 2 for place in each.ravel().tolist()]).reshape(each.shape)
        for each in (left, right)
    )
    return np.asarray(np.where((left < 0) & (right > 0), 1 - below - above, np.abs(below - above)))


@dataclass(frozen=True)
class Curve:
    """One curve that fits: the chance of each step for each row, how unsure the curve is, and how well it fits."""

    bend: float
    logs: Reals
    chances: Reals
    unsure: Reals
    fits: float


def likely_curves(rows: Rows) -> list[tuple[float, Curve]]:
    """Laws of several bends, each with its chance. Those that are far less likely than others are left out."""
    first = fit(rows, BENDS[FIRST_BEND], None)
    found = [first]
    for bends in (BENDS[FIRST_BEND + 1 :], BENDS[FIRST_BEND - 1 :: -1]):
        last = first
        for bend in bends:
            last = fit(rows, bend, last.logs)
            found.append(last)
            if last.fits < max(each.fits for each in found) - UNLIKELY:
                break
    best = max(each.fits for each in found)
    chances = [float(np.exp(each.fits - best)) for each in found]
    return [(chance / sum(chances), each) for chance, each in zip(chances, found, strict=True)]


def fit(rows: Rows, bend: float, start: Reals | None) -> Curve:
    """The likeliest curve whose slope changes by about `bend` from step to step; a curve around it tells how unsure."""
    known = _penalty(rows.likely.shape[1], bend)
    logs = _power_law(rows) if start is None else start
    now = _Place.at(rows, logs, known)
    for _ in range(ROUNDS):
        bent = now.curvature(rows.items, known) + np.diag(np.maximum(now.expected - now.held, 0.0))
        step = np.linalg.solve(bent, now.slope)
        longest = min(1.0, LONGEST / float(np.abs(step).max()))
        ways = ((there, _Place.at(rows, there, known)) for there in (logs + part * step for part in _halves(longest)))
        higher = next((way for way in ways if way[1].height > now.height), None)
        if higher is None:
            break
        gained = higher[1].height - now.height
        logs, now = higher
        if gained < CLOSE:
            break
    free = rows.likely.shape[1] - 3
    volume = float(np.linalg.slogdet(now.curvature(rows.items, known))[1])
    unsure: Reals = np.linalg.inv(now.curvature(rows.informed, known)).astype(np.float64)
    return Curve(bend, logs, now.chances, unsure, now.height - free * float(np.log(bend)) - volume / 2)


def _halves(length: float) -> Iterator[float]:
    while length > SHORTEST:
        yield length
        length /= 2


def _penalty(steps: int, bend: float) -> Reals:
    """What is assumed: a slope that hardly changes; and next to nothing about the level, and the part with nothing."""
    turns = np.zeros((steps - 3, steps))
    for row in range(steps - 3):
        turns[row, row + 1 : row + 4] = 1.0, -2.0, 1.0
    known: Reals = turns.T @ turns / bend**2 + np.eye(steps) / WEAK**2
    known[0, 0] += 1 / NOTHING_WITHIN**2
    return known


def _power_law(rows: Rows) -> Reals:
    """Where the search begins: about as many items as hold the same share in each step."""
    middles = np.concatenate([rows.edges[:1], np.sqrt(rows.edges[1:] * rows.edges[:-1])])
    logs = -0.9 * np.log(middles)
    return np.asarray(logs + np.log(rows.items.sum() / np.exp(logs).sum()), np.float64)


@dataclass(frozen=True)
class _Place:
    """Where the search is: how likely all is there, and the slope."""

    height: float
    slope: Reals
    chances: Reals
    expected: Reals
    held: Reals
    pull: Reals

    @classmethod
    def at(cls, rows: Rows, logs: Reals, known: Reals) -> "_Place":
        expected = np.exp(logs)
        fits = rows.likely @ expected
        chances = rows.likely * expected / fits[:, None]
        held = rows.items @ chances
        weighed = chances * rows.shares
        mean = weighed.sum(axis=1)
        above = float(rows.items @ mean) - 1.0
        pull = rows.items @ weighed - (rows.items * mean) @ chances
        height = float(rows.items @ np.log(fits) - expected.sum() - logs @ known @ logs / 2)
        slope = held - expected - known @ logs - above / WHOLE_WITHIN**2 * pull
        return cls(height - (above / WHOLE_WITHIN) ** 2 / 2, slope, chances, expected, held, pull)

    def curvature(self, items: Reals, known: Reals) -> Reals:
        """How fast it falls off around, if the rows count as so many items."""
        data = (self.chances * items[:, None]).T @ self.chances
        found: Reals = data + known + np.outer(self.pull, self.pull) / WHOLE_WITHIN**2
        return found
