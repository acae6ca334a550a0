"""What is known of one cell of the search among strings."""

from dataclasses import dataclass

from hgldp.model.bulletins import Cell


@dataclass
class Measured:
    """Its mean share over the reports since it was published, how sure that is, and what was expected of it before.

    A report's weight may fade. It does not depend on what was measured, so the mean is unbiased. As long as nothing
    fades, `weight` is `since`. `prior` is the logarithm of how many strings of the size that is sought the cell was
    expected to hold when it was born.

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
    prior: float = 0.0

    @property
    def share(self) -> float:
        """The mean share; 0 before any report."""
        return self.total / self.weight if self.since else 0.0

    @property
    def deviation(self) -> float:
        """The standard deviation of that mean; 1 before any report."""
        return self.noise**0.5 / self.weight if self.since else 1.0

    @property
    def lower(self) -> float:
        """The mean less one standard deviation, by which cells are ranked."""
        return self.share - self.deviation

    def fade(self, weight: float) -> None:
        """Let the past count less than what comes."""
        self.total *= weight
        self.noise *= weight * weight
        self.weight *= weight

    def add(self, share: float, variance: float, reports: int) -> None:
        """Take in more reports with this mean share, each of which adds this variance."""
        self.total += reports * share
        self.noise += reports * variance
        self.weight += reports
        self.since += reports


Cells = dict[Cell, Measured]


def is_string(cell: Cell) -> bool:
    """Whether it is a leaf whose bytes are legal UTF-8; no string has other bytes.

    >>> is_string(Cell("maté".encode(), 0, 0)), is_string(Cell(b"mat\\xc3", 0, 0)), is_string(Cell(b"mat", 0, 97))
    (True, False, False)
    """
    if not cell.is_leaf:
        return False
    try:
        cell.prefix.decode()
    except UnicodeDecodeError:
        return False
    return True
