"""From how often reports speak for a symbol to its share of the stream, and what is possible at all."""

from dataclasses import dataclass

from hgldp.stores.frontier_shape import Response
from hgldp.stores.open_frontier_measured import Measured

ROUNDING = 1e-9


@dataclass(frozen=True)
class Noise:
    """The mechanism as numbers: chances that a report speaks for its own symbol and for another.

    >>> noise = Noise(p=0.5, q=0.25, variance=3.0)
    >>> noise.share(score=375, reports=1000), noise.variance_at(0.0), noise.variance_at(1.0)
    (0.5, 3.0, 4.0)
    """

    p: float
    q: float
    variance: float

    @classmethod
    def of(cls, mechanism: Response) -> "Noise":
        """Of a mechanism."""
        return cls(float(mechanism.p), float(mechanism.q), mechanism.variance)

    def share(self, score: int, reports: int) -> float:
        """The debiased share of a symbol that so many of the reports speak for."""
        return (score - reports * self.q) / ((self.p - self.q) * reports)

    def variance_at(self, share: float) -> float:
        """What one report adds to the variance of a share."""
        return self.variance + max(share, 0.0) * (1 - self.p - self.q) / (self.p - self.q)

    def allows(self, found: Measured) -> bool:
        """Whether reports can have measured this; NaN and infinity never are."""
        if not found.since:
            return found == Measured()
        least, most = self.share(0, 1), self.share(1, 1)
        ends = self.variance_at(0.0), self.variance_at(most)
        return (
            1 <= found.weight <= found.since
            and (1 - ROUNDING) * min(ends) <= found.noise <= (1 + ROUNDING) * max(ends) * found.weight
            and least - ROUNDING <= found.total / found.weight <= most + ROUNDING
        )
