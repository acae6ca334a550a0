"""How reports through a cyclic mechanism are read: shares of the stream without bias, and how sure they are."""

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from hgldp.kernels.frontier import correlate
from hgldp.mechanisms.cyclic import CyclicResponse
from hgldp.schemes.pfr import PFR

Reals = NDArray[np.float64]


@dataclass(frozen=True)
class Noise:
    """The mechanism as numbers: the chances that a report speaks for its own symbol and for another.

    >>> noise = Noise(p=0.5, q=0.25, variance=3.0)
    >>> noise.share(score=375, reports=1000), noise.at(0.0), noise.at(1.0)
    (0.5, 3.0, 4.0)
    """

    p: float
    q: float
    variance: float

    @property
    def slope(self) -> float:
        """How the variance grows with the share itself."""
        return (1 - self.p - self.q) / (self.p - self.q)

    def deviation(self, reports: int) -> float:
        """The standard deviation of a rare symbol's share among this many reports."""
        return float((self.variance / reports) ** 0.5)

    def share(self, score: int, reports: int) -> float:
        """The debiased share of a symbol for which `score` of the reports speak."""
        return (score - reports * self.q) / ((self.p - self.q) * reports)

    def shares(self, scores: NDArray[np.int64], reports: int) -> Reals:
        """Those of all symbols."""
        return np.asarray((scores - reports * self.q) / ((self.p - self.q) * reports), np.float64)

    def at(self, share: float) -> float:
        """What one report adds to the variance of a share."""
        return self.variance + max(share, 0.0) * self.slope

    def at_each(self, shares: Reals) -> Reals:
        """The same for each of many shares."""
        return np.asarray(self.variance + np.maximum(shares, 0.0) * self.slope, np.float64)


@dataclass(frozen=True)
class Reading:
    """The mechanism as arrays, for whole histograms of residues."""

    symbols: int
    modulus: int
    members: NDArray[np.int32]
    noise: Noise

    def scores(self, histogram: NDArray[np.int64], symbols: int) -> NDArray[np.int64]:
        """How many reports speak for each of the first `symbols` symbols."""
        scores = np.empty(symbols, np.int64)
        correlate(histogram, self.members, scores)
        return scores

    def shares(self, histogram: NDArray[np.int64]) -> Reals:
        """The debiased share of every symbol."""
        return self.noise.shares(self.scores(histogram, self.symbols), int(histogram.sum()))


@lru_cache(maxsize=256)
def reading_of(mechanism: CyclicResponse) -> Reading:
    """How the reports of a mechanism are read."""
    noise = Noise(float(mechanism.p), float(mechanism.q), mechanism.variance)
    return Reading(mechanism.size, mechanism.modulus, np.array(mechanism.members, np.int32), noise)


@lru_cache(maxsize=256)
def reading_over(scheme: PFR, cells: int) -> Reading:
    """How the reports are read that answer a frontier with this many cells, which may be the first of more symbols."""
    return replace(reading_of(scheme.mechanism_over(cells)), symbols=cells)
