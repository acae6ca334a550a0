"""How large the shares of a hot list's items are, given all that the cells tell: an empirical Bayes estimate.

Those on top are there partly by luck. How much follows from how many items they were picked from: most items that were
ever admitted are ordinary, so a cell with little evidence is taken for ordinary, and one with much for what it shows.
How many are heavy is learnt from the cells themselves.
"""

from math import log, sqrt
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hgldp.kernels import hot_list as kernels
from hgldp.kernels.hot_answer import POINTS, STEEPNESS, Evidence, weigh
from hgldp.kernels.hot_list import Cells

Floats = NDArray[np.float64]

DRIFTS = np.array([0.2, 0.8])
# The parts that are assumed at first of items with each drift, and of faded ones: for the count, for intervals, and
# without a warm-up.
LIKELY, POSSIBLE, NO_WARMUP = np.array([0.96, 0.02, 0.02]), np.array([0.6, 0.1, 0.3]), np.array([1.0, 0.0, 0.0])
FIRST_WEIGHT = 10.0
ROUNDS = 60
CLOSE = 1e-3
DOUBT, OPENNESS = 0.5, 1.25  # powers of how much an eviction tells: for the count, and for intervals


class Shares(NamedTuple):
    """For each cell a grid of shares and their chances: cautious ones for the count, open-minded ones for intervals."""

    grid: Floats
    likely: Floats
    possible: Floats


def evidence_of(cells: Cells) -> Evidence:
    """The cells as numbers; a variance is never 0."""
    variance = np.maximum(cells.noise + np.maximum(cells.spread, 0.0), 1e-9)
    seen, prior = cells.seen.astype(np.float64), cells.prior.astype(np.float64)
    return Evidence(cells.score.copy(), variance, seen, prior, float(cells.counter[kernels.WARMUP]))


def shares_of(cells: Cells, domain_size: int) -> Shares:
    """What the shares are, cell by cell."""
    evidence, size, background = evidence_of(cells), cells.item.size, 1.0 / domain_size
    known, grid, shape = evidence.prior > 0, np.empty((size, POINTS)), (DRIFTS.size + 1, size, POINTS)
    heavy, light = np.empty(shape), np.empty(shape)
    weigh(evidence, background, DRIFTS, grid, heavy, light)
    told = _told_by_eviction(cells, evidence, background)
    gone = int(cells.counter[kernels.ADMITTED])
    posteriors = []
    for weight, drift in ((told**DOUBT, LIKELY), (told**OPENNESS, POSSIBLE)):
        chances, tried = np.empty_like(grid), np.count_nonzero(~known) + gone * weight
        for group, tries, first in ((known, domain_size, drift), (~known, tried, NO_WARMUP)):
            if group.any():
                chances[group] = _posterior(heavy[:, group], light[:, group], tries, first)
        posteriors.append(chances)
    return Shares(grid, *posteriors)


def _told_by_eviction(cells: Cells, evidence: Evidence, background: float) -> float:
    """How surely an evicted item was an ordinary one: 0 if evictions were blind, 1 if no heavy item was ever evicted.

    An item that was evicted had been there for some reports, in which a heavy one shows itself more or less.
    """
    gone, seen = int(cells.counter[kernels.ADMITTED]), evidence.seen
    if not gone or not seen.any():
        return 1.0
    life = max(cells.item.size * float(cells.counter[kernels.REPORTS]) - float(seen.sum()), 0.0) / gone
    noise = float(np.median(cells.noise[seen > 0] / seen[seen > 0]))
    shares = background * np.exp(np.linspace(0.0, log(1.0 / background), 60))
    weights = shares**-STEEPNESS
    apart = [NormalDist().cdf(0.5 * share * sqrt(life / max(noise, 1e-9))) for share in shares]
    return float(weights @ (2 * np.array(apart) - 1) / weights.sum())


def _posterior(heavy: Floats, light: Floats, tries: float, first: Floats) -> Floats:
    """Chances of the grid, after learning how many of the tried items are heavy and how many of those have drifted.

    `first` are the parts of each kind of drift that are assumed at first.
    """
    if_heavy, if_light = heavy.sum(axis=2), light.sum(axis=2)
    share, drift = 0.1, first
    for _ in range(ROUNDS):
        parts = share * drift[:, None] * if_heavy
        total = np.maximum(parts.sum(axis=0) + (1 - share) * drift @ if_light, 1e-300)
        weighed = (parts / total).sum(axis=1)
        last, share = share, float((weighed.sum() + 1) / (tries + 2))
        drift = (weighed + FIRST_WEIGHT * first) / (weighed.sum() + FIRST_WEIGHT)
        if abs(share - last) < CLOSE * share:
            break
    weights = np.tensordot(drift, share * heavy + (1 - share) * light, axes=1)
    found: Floats = weights / np.maximum(weights.sum(axis=1, keepdims=True), 1e-300)
    return found
