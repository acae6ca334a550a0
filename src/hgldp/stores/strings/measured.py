"""What is known of one cell of the open frontier: its share of the stream, and how sure that is."""

from dataclasses import dataclass


@dataclass
class Measured:
    """The mean share over the reports since the cell was published, each report with a weight that may fade.

    Weights do not depend on what was measured, so the mean is unbiased; `weight` is `since` as long as nothing fades.

    >>> found = Measured()
    >>> found.add(share=0.5, variance=4.0, reports=100)
    >>> found.share, found.deviation, found.lower, found.since
    (0.5, 0.2, 0.3, 100)
    >>> found.fade(0.5)
    >>> found.share, found.deviation
    (0.5, 0.2)
    """

    total: float = 0.0
    noise: float = 0.0
    weight: float = 0.0
    since: int = 0

    @property
    def share(self) -> float:
        """The mean."""
        return self.total / self.weight if self.since else 0.0

    @property
    def deviation(self) -> float:
        """Its standard deviation."""
        return self.noise**0.5 / self.weight if self.since else 1.0

    @property
    def lower(self) -> float:
        """What it surely has."""
        return self.share - self.deviation

    def fade(self, weight: float) -> None:
        """Let the past count less against what comes."""
        self.total *= weight
        self.noise *= weight * weight
        self.weight *= weight

    def add(self, share: float, variance: float, reports: int) -> None:
        """So many reports more, each of which adds so much variance."""
        self.total += reports * share
        self.noise += reports * variance
        self.weight += reports
        self.since += reports
