"""How the reports of an epoch are read, by how many cells its bulletin had."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from hgldp.kernels.frontier import correlate
from hgldp.stores.frontier.shape import Search
from hgldp.stores.noise import Noise


@dataclass(frozen=True)
class Reading:
    """The mechanism over so many cells, as arrays."""

    cells: int
    modulus: int
    members: NDArray[np.int32]
    noise: Noise

    def shares(self, histogram: NDArray[np.int64]) -> NDArray[np.float64]:
        """The debiased share of every cell."""
        scores = np.empty(self.cells, np.int64)
        correlate(histogram, self.members, scores)
        return self.noise.shares(scores, int(histogram.sum()))


@lru_cache(maxsize=256)
def reading_over(scheme: Search, cells: int) -> Reading:
    """That of a bulletin with so many cells; a number that the scheme does not allow is refused."""
    mechanism = scheme.mechanism_over(cells)
    return Reading(cells, mechanism.modulus, np.array(mechanism.members, np.int32), Noise.of(mechanism))
