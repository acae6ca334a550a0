"""What luck adds to an estimate, and how to take it away: those on top are there partly by chance.

The shares of a whole domain follow some law, mostly a long tail. The search cells show all of its items, however
dimly, and so how heavy that tail is. Given the law, an estimate that stands out from a thousand others because of its
noise is drawn back, one on firm ground is not, and intervals hold as often as they say, whichever items were picked.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hgldp.kernels.shrinkage import Grid, Law, count_above, judge, likelihoods, tail_weights
from hgldp.model.estimate import Z95
from hgldp.stores.frontier.reading.candidates import Crowd

LAWS, LOWEST_MEAN, PLACES = 40, 1 / 20, 600
TAILS = np.geomspace(0.35, 6.0, 16)
ALIKE, NEVER_ALIKE, COST_OF_ALIKE = np.array([0.0, 0.5, 0.9, 0.99, 0.999]), 1e-6, 8.0
FIRM, INSIDE, TINY, LEAST, MOST_LOG = 8.0, 0.95, 1e-12, 1e-300, 600.0
Reals = NDArray[np.float64]


def _grid(steps: Any, lowest_edge: float) -> Grid:
    edges = np.concatenate([[lowest_edge], (steps[1:] + steps[:-1]) / 2, [1.5 * steps[-1] - 0.5 * steps[-2]]])
    return Grid(steps, np.log(np.maximum(steps, TINY)), edges, np.log(np.diff(edges)))


STEPS = np.concatenate([np.geomspace(1e-4, 0.2, 40), np.arange(0.27, 13.0, 0.07)])
AROUND = np.arange(-100, 101) * 0.07
GRIDS = _grid(STEPS, 0.0), _grid(AROUND, AROUND[0] - 0.035)


@dataclass(frozen=True)
class LawOfShares:
    """A mixture of exponential laws with a tail; if that fits far better, a part of the items is alike.

    The mean share is 1/d: all shares together are the whole stream. `weights` are those of all items that are not
    alike, 1 − `alike` together; `if_unlike` would be the weights if none were.
    """

    means: Reals
    weights: Reals
    alike: float
    if_unlike: Reals
    mean: float
    chance: float

    @classmethod
    def fit(cls, shares: Reals, deviations: Reals, crowd: Crowd, domain_size: int, reports: float) -> "LawOfShares":
        """The mean of all laws, weighed by how likely they are: candidates with their deviations, and all others."""
        mean = 1.0 / domain_size
        means = np.geomspace(LOWEST_MEAN * mean, 2 * max(float(shares.max(initial=0.0)), 4 * mean), LAWS)
        there = crowd.items > 0
        seen = np.concatenate([shares, crowd.shares[there]])
        spread = np.concatenate([deviations, np.full(np.count_nonzero(there), crowd.deviation)])
        items = np.concatenate([np.ones(shares.size), crowd.items[there]])
        likely, tails = np.empty((seen.size, LAWS)), np.empty((TAILS.size, LAWS))
        likelihoods(seen, spread, means, likely)
        for tail, weights in zip(TAILS.tolist(), tails, strict=True):
            tail_weights(tail, means, mean, weights)
        top = likely.max(axis=1)
        smooth = np.exp(likely - top[:, None]) @ tails.T
        variance = spread**2 + mean / reports
        peak = -0.5 * ((seen - mean) ** 2 / variance + np.log(2 * np.pi * variance))
        peak = np.exp(np.minimum(peak - top, MOST_LOG))[:, None]
        fits = np.stack([items @ np.log((1 - part) * smooth + part * peak + LEAST) for part in ALIKE])
        fits -= np.log(TAILS) ** 2 + COST_OF_ALIKE * (ALIKE[:, None] > 0)
        chance = np.exp(fits - fits.max())
        chance /= chance.sum()
        alike = float(ALIKE @ chance.sum(axis=1))
        unlike = np.exp(fits[0] - fits[0].max())
        return cls(
            means,
            weights=((1 - ALIKE) @ chance) @ tails,
            alike=alike if alike > NEVER_ALIKE else 0.0,
            if_unlike=unlike / unlike.sum() @ tails,
            mean=mean,
            chance=mean / reports,
        )

    def as_law(self, largest: float) -> Law:
        """For the kernels, up to the largest share."""
        log_shares = np.linspace(np.log(1e-5 * self.mean), np.log(largest), PLACES)
        laws = self.weights / self.means * np.exp(-np.exp(log_shares)[:, None] / self.means)
        density = np.log(laws.sum(axis=1) + LEAST)
        return Law(log_shares, density, float(np.log(self.alike + LEAST)), self.mean, self.chance)


class Judged:
    """What can be said of each share, given the law of all of them.

    A share's deviation has two parts: noise, which makes luck, and how far the share may have changed while nobody
    measured it. Only the first brings an item to the top that does not belong there; `clearness` says how many
    standard deviations of it an item is above 0.
    """

    def __init__(
        self, shares: Reals, deviations: Reals, clearness: Reals, crowd: Crowd, domain_size: int, reports: float
    ) -> None:
        lucky = np.where(clearness > 0, np.minimum(deviations, shares / np.maximum(clearness, TINY)), deviations)
        lucky = np.where(shares > 0, lucky, deviations)
        fitted = LawOfShares.fit(shares, lucky, crowd, domain_size, reports)
        spread = max(float(lucky.max(initial=0.0)), crowd.deviation)
        self._law = fitted.as_law(3 * float(fitted.means[-1]) + STEPS[-1] * spread)
        self._shares, self._deviations, self._crowd = shares, lucky, crowd
        self.mean, self.deviation, self.low, self.high = (np.empty(shares.size) for _ in range(4))
        judge(shares, lucky, GRIDS, self._law, INSIDE, FIRM, (self.mean, self.deviation, self.low, self.high))
        if fitted.alike:
            self._doubt_likeness(fitted)
        left = np.clip(self.mean / np.maximum(shares, TINY), 0.0, 1.0)
        changed = left * np.sqrt(np.maximum(deviations**2 - lucky**2, 0.0))
        self.low = np.maximum(self.mean - np.hypot(self.mean - self.low, Z95 * changed), np.minimum(self.low, 0.0))
        self.high = self.mean + np.hypot(self.high - self.mean, Z95 * changed)
        self.deviation = np.hypot(self.deviation, changed)

    def _doubt_likeness(self, fitted: LawOfShares) -> None:
        """That many items are alike is a guess: an interval holds too what would follow if they were not."""
        law = replace(fitted, weights=fitted.if_unlike, alike=0.0).as_law(float(np.exp(self._law.log_shares[-1])))
        _, deviation, low, high = found = tuple(np.empty(self.mean.size) for _ in range(4))
        judge(self._shares, self._deviations, GRIDS, law, INSIDE, FIRM, found)
        self.low, self.high = np.minimum(self.low, low), np.maximum(self.high, high)
        self.deviation = np.maximum(self.deviation, deviation)

    def named_above(self, bounds: Reals, known: Reals) -> Reals:
        """How many of these items are expected above each bound, if each has so much besides its share."""
        found = np.zeros(bounds.size)
        count_above((self._shares, self._deviations, np.ones(known.size), known), GRIDS, self._law, FIRM, bounds, found)
        return found

    def others_above(self, bounds: Reals) -> Reals:
        """How many of all others, by their search cells alone."""
        there, found = self._crowd.items > 0, np.zeros(bounds.size)
        shares, many = self._crowd.shares[there], self._crowd.items[there]
        dim, nothing = np.full(many.size, self._crowd.deviation), np.zeros(many.size)
        count_above((shares, dim, many, nothing), GRIDS, self._law, FIRM, bounds, found)
        return found
