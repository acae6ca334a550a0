"""What luck adds to an estimate, and how to take it away: those on top are there partly by chance.

The shares of a whole domain follow some law, mostly a long tail. The search cells show all of its items, however
dimly, and so how heavy that tail is. Given the law, an estimate that stands out from a thousand others because of its
noise is drawn back, one on firm ground is not, and intervals hold as often as they say, whichever items were picked.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hgldp.kernels.shrinkage import Grid, Law, count_above, judge, likelihoods, tail_weights
from hgldp.model.estimate import Z95
from hgldp.stores.frontier.reading.candidates import Crowd

LAWS, LOWEST_MEAN, PLACES = 40, 1 / 20, 600
TAILS = np.geomspace(0.35, 6.0, 16)
ALIKE, COST_OF_ALIKE = (0.0, 0.9, 0.999), 8.0
FIRM, INSIDE, TINY = 8.0, 0.95, 1e-12
STEPS = np.concatenate([np.geomspace(1e-4, 0.2, 40), np.arange(0.27, 13.0, 0.07)])
EDGES = np.concatenate([[0.0], (STEPS[1:] + STEPS[:-1]) / 2, [1.5 * STEPS[-1] - 0.5 * STEPS[-2]]])
GRID = Grid(STEPS, np.log(STEPS), EDGES, np.log(np.diff(EDGES)))
Reals = NDArray[np.float64]


@dataclass(frozen=True)
class LawOfShares:
    """A mixture of exponential laws with a tail; if it fits far better, a part of the items is taken to be all alike.

    The mean share is 1/d: all shares together are the whole stream.
    """

    means: Reals
    weights: Reals
    alike: float
    mean: float
    chance: float

    @classmethod
    def fit(cls, shares: Reals, deviations: Reals, crowd: Crowd, domain_size: int, reports: float) -> "LawOfShares":
        """The likeliest law, given candidates with their deviations and the crowd of all others."""
        mean = 1.0 / domain_size
        means = np.geomspace(LOWEST_MEAN * mean, 2 * max(float(shares.max(initial=0.0)), 4 * mean), LAWS)
        there = crowd.items > 0
        seen = np.concatenate([shares, crowd.shares[there]])
        spread = np.concatenate([deviations, np.full(np.count_nonzero(there), crowd.deviation)])
        items = np.concatenate([np.ones(shares.size), crowd.items[there]])
        likely = np.empty((seen.size, LAWS))
        likelihoods(seen, spread, means, likely)
        variance = spread**2 + mean / reports
        peak = -0.5 * ((seen - mean) ** 2 / variance + np.log(2 * np.pi * variance))
        top = np.maximum(likely.max(axis=1), peak)
        likely, peak = np.exp(likely - top[:, None]), np.exp(peak - top)
        best, chosen = -np.inf, (np.empty(LAWS), 0.0)
        for tail in TAILS.tolist():
            weights = np.empty(LAWS)
            tail_weights(tail, means, mean, weights)
            mixed = likely @ weights
            for alike in ALIKE:
                fits = float(items @ np.log((1 - alike) * mixed + alike * peak + 1e-300))
                fits -= np.log(tail) ** 2 + COST_OF_ALIKE * (alike > 0)
                if fits > best:
                    best, chosen = fits, (weights, alike)
        return cls(means, *chosen, mean, mean / reports)

    def as_law(self, largest: float) -> Law:
        """For the kernels, up to the largest share."""
        log_shares = np.linspace(np.log(1e-5 * self.mean), np.log(largest), PLACES)
        laws = (1 - self.alike) * self.weights / self.means * np.exp(-np.exp(log_shares)[:, None] / self.means)
        density = np.log(laws.sum(axis=1) + 1e-300)
        return Law(log_shares, density, float(np.log(self.alike + 1e-300)), self.mean, self.chance)


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
        judge(shares, lucky, GRID, self._law, INSIDE, FIRM, (self.mean, self.deviation, self.low, self.high))
        left = np.clip(self.mean / np.maximum(shares, TINY), 0.0, 1.0)
        changed = left * np.sqrt(np.maximum(deviations**2 - lucky**2, 0.0))
        self.low = np.maximum(self.mean - np.hypot(self.mean - self.low, Z95 * changed), np.minimum(self.low, 0.0))
        self.high = self.mean + np.hypot(self.high - self.mean, Z95 * changed)
        self.deviation = np.hypot(self.deviation, changed)

    def above(self, bounds: Reals) -> Reals:
        """How many items of the domain are expected above each bound."""
        there, found = self._crowd.items > 0, np.zeros(bounds.size)
        alone = np.ones(self._shares.size)
        count_above(self._shares, self._deviations, alone, GRID, self._law, FIRM, bounds, found)
        dim = np.full(np.count_nonzero(there), self._crowd.deviation)
        count_above(self._crowd.shares[there], dim, self._crowd.items[there], GRID, self._law, FIRM, bounds, found)
        return found
