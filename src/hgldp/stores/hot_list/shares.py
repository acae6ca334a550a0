"""How large the shares of a hot list's items are, given all that the cells tell: an empirical Bayes estimate.

Those on top are there partly by luck. Whoever knows from how many items they were picked can say how much: most items
that were ever admitted are ordinary, so a cell with little evidence is taken for ordinary, and one with much for what
it shows. How many are heavy is learnt from the cells themselves.
"""

from math import log, sqrt
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hgldp.kernels import hot_list as kernels
from hgldp.kernels.hot_answer import LARGEST_SHARE, POINTS, STEEPNESS, Evidence, weigh
from hgldp.kernels.hot_list import Cells

Floats = NDArray[np.float64]

ORDINARY = np.array([0.0, 0.3, 1.0, 2.0])
ORDINARY_CHANCES = np.array([0.4, 0.3, 0.2, 0.1])
DRIFTS = np.array([0.2, 0.8])
FADED_LIKELY, FADED_POSSIBLE = 0.02, 0.1
FADED_WEIGHT = 10.0
ROUNDS = 60
CLOSE = 1e-3
DOUBT, OPENNESS = 0.5, 1.25


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
    known, drifts = evidence.prior > 0, DRIFTS if (evidence.prior > 0).any() else DRIFTS[:1]
    grid, heavy = np.empty((size, POINTS)), np.empty((drifts.size, size, POINTS))
    light = np.empty((drifts.size, size, ORDINARY.size))
    weigh(evidence, background, ORDINARY * background, drifts, grid, heavy, light)
    light *= ORDINARY_CHANCES
    told = _told_by_eviction(cells, evidence, background)
    gone = int(cells.counter[kernels.ADMITTED])
    whole = np.concatenate((grid, np.tile(ORDINARY * background, (size, 1))), axis=1)
    posteriors = []
    for weight, faded in ((told**DOUBT, FADED_LIKELY), (told**OPENNESS, FADED_POSSIBLE)):
        chances = np.empty_like(whole)
        for group, tries in ((known, domain_size), (~known, np.count_nonzero(~known) + gone * weight)):
            if group.any():
                chances[group] = _posterior(heavy[:, group], light[:, group], tries, faded)
        posteriors.append(chances)
    return Shares(whole, *posteriors)


def _told_by_eviction(cells: Cells, evidence: Evidence, background: float) -> float:
    """How surely an evicted item was an ordinary one: 0 if evictions were blind, 1 if no heavy item was ever evicted.

    An item that was evicted had been there for some reports, in which a heavy one shows itself more or less.
    """
    gone, seen = int(cells.counter[kernels.ADMITTED]), evidence.seen
    if not gone or not seen.any():
        return 1.0
    life = max(cells.item.size * float(cells.counter[kernels.REPORTS]) - float(seen.sum()), 0.0) / gone
    noise = float(np.median(cells.noise[seen > 0] / seen[seen > 0]))
    shares = background * np.exp(np.linspace(0.0, log(LARGEST_SHARE / background), 60))
    weights = shares**-STEEPNESS
    apart = [NormalDist().cdf(0.5 * share * sqrt(life / max(noise, 1e-9))) for share in shares]
    return float(weights @ (2 * np.array(apart) - 1) / weights.sum())


def _posterior(heavy: Floats, light: Floats, tries: float, first: float) -> Floats:
    """Chances of grid and atoms, after learning how many of the tried items are heavy and how many have drifted.

    `first` is the share of drifted ones that is assumed at first.
    An item that a warm-up flatters far beyond its drift was heavy at that time, whatever became of it.
    """
    if_heavy, if_light = heavy.sum(axis=2), light[0].sum(axis=1)
    share, faded = 0.1, first if len(heavy) > 1 else 0.0
    for _ in range(ROUNDS):
        drift = np.array([[1 - faded], [faded]])[: len(heavy)]
        parts = drift * (share * if_heavy)
        total = np.maximum(parts.sum(axis=0) + (1 - share) * if_light, 1e-300)
        weighed = (parts / total).sum(axis=1)
        last, share = share, float((weighed.sum() + 1) / (tries + 2))
        if len(heavy) > 1:
            faded = float((weighed[1] + FADED_WEIGHT * first) / (weighed.sum() + FADED_WEIGHT))
        if abs(share - last) < CLOSE * share:
            break
    drift = np.array([1 - faded, faded])[: len(heavy)]
    weights = np.concatenate((share * np.tensordot(drift, heavy, axes=1), (1 - share) * light[0]), axis=1)
    found: Floats = weights / np.maximum(weights.sum(axis=1, keepdims=True), 1e-300)
    return found
