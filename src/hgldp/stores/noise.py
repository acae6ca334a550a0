"""From how often reports speak for a symbol to its share of the stream, and what one report adds to its variance."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hgldp.stores.frontier.shape import Response

Reals = NDArray[np.float64]


@dataclass(frozen=True)
class Noise:
    """The mechanism as numbers: chances that a report speaks for its own symbol and for another.

    >>> noise = Noise(p=0.5, q=0.25, variance=3.0)
    >>> noise.share(score=375, reports=1000), noise.at(0.0), noise.at(1.0)
    (0.5, 3.0, 4.0)
    """

    p: float
    q: float
    variance: float

    @classmethod
    def of(cls, mechanism: Response) -> "Noise":
        """Of a mechanism."""
        return cls(float(mechanism.p), float(mechanism.q), mechanism.variance)

    @property
    def slope(self) -> float:
        """How the variance grows with the share itself."""
        return (1 - self.p - self.q) / (self.p - self.q)

    def deviation(self, reports: int) -> float:
        """The standard deviation of a rare symbol's share among so many reports."""
        return float((self.variance / reports) ** 0.5)

    def share(self, score: int, reports: int) -> float:
        """The debiased share of a symbol that so many of the reports speak for."""
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
