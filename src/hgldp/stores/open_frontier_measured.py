"""What is known of one cell of the open frontier: its share of the stream, and how sure that is."""

from dataclasses import dataclass


@dataclass
class Measured:
    """A precision-weighted mean over the epochs since the cell was published.

    `squared` is what the variance of a faded mean needs, and equal to `precision` as long as nothing fades.

    >>> found = Measured()
    >>> found.add(share=0.5, precision=16.0, reports=100)
    >>> found.share, found.deviation, found.lower, found.since
    (0.5, 0.25, 0.25, 100)
    >>> found.fade(0.5)
    >>> found.share, found.deviation
    (0.5, 0.25)
    """

    total: float = 0.0
    precision: float = 0.0
    squared: float = 0.0
    since: int = 0

    @property
    def share(self) -> float:
        """The mean."""
        return self.total / self.precision if self.precision else 0.0

    @property
    def deviation(self) -> float:
        """Its standard deviation."""
        return self.squared**0.5 / self.precision if self.precision else 1.0

    @property
    def lower(self) -> float:
        """What it surely has."""
        return self.share - self.deviation

    def fade(self, weight: float) -> None:
        """Let the past count less against what comes."""
        self.total *= weight
        self.precision *= weight
        self.squared *= weight * weight

    def add(self, share: float, precision: float, reports: int) -> None:
        """One epoch more."""
        self.total += precision * share
        self.precision += precision
        self.squared += precision
        self.since += reports
