"""The open epoch of a frontier: residues are counted, and that is all."""

import numpy as np
from numpy.typing import NDArray

from hgldp.errors import InvalidField
from hgldp.stores.integers import Integers, check_below


class EpochTally:
    """A histogram of the residues that were reported since the last seal, in any order and in any batches.

    >>> epoch = EpochTally()
    >>> epoch.histogram = np.zeros(3, np.int64)
    >>> epoch.insert([0, 2, 2])
    >>> epoch.merge(epoch.histogram.copy())
    >>> epoch.histogram.tolist(), epoch.in_epoch
    ([2, 0, 4], 6)
    """

    histogram: NDArray[np.int64]

    @property
    def in_epoch(self) -> int:
        """How many reports the open epoch holds."""
        return int(self.histogram.sum())

    def insert(self, reports: Integers) -> None:
        """Count residues. If one of them is illegal, all are refused."""
        self.histogram += counted(reports, self.histogram.size)

    def merge(self, histogram: NDArray[np.int64]) -> None:
        """Add another worker's histogram of the same epoch."""
        check_histogram(histogram, self.histogram.size)
        self.histogram += histogram

    def check_sealed(self, late_reports: int) -> None:
        """Refuse to serialise what the state does not hold."""
        if waiting := self.in_epoch + late_reports:
            raise InvalidField("state", "must be sealed before it is serialised", f"{waiting} open reports")


def check_histogram(histogram: NDArray[np.int64], modulus: int) -> None:
    """Refuse what is not one count for each residue."""
    if histogram.shape != (modulus,) or histogram.min(initial=0) < 0:
        raise InvalidField("histogram", f"must be {modulus} counts", histogram.shape)


def counted(reports: Integers, modulus: int) -> NDArray[np.int64]:
    """How often each residue below the modulus was reported."""
    return np.bincount(check_below(reports, modulus), minlength=modulus)
