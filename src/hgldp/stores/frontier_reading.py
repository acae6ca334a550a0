"""How the reports of an epoch are read, by how many cells its bulletin had."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hgldp.errors import MalformedState
from hgldp.kernels.frontier import correlate
from hgldp.stores.frontier_shape import Search
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


class Readings:
    """One for every number of cells that a scheme's bulletins may have, made when it is first asked for."""

    def __init__(self, scheme: Search) -> None:
        self._scheme, self._made = scheme, dict[int, Reading]()

    def over(self, cells: int) -> Reading:
        """That of a bulletin with so many cells; a number that no bulletin can have is refused."""
        if not 2 <= cells <= self._scheme.cells:
            raise MalformedState(f"frontier must have at most {self._scheme.cells} cells in every epoch")
        if cells not in self._made:
            mechanism = self._scheme.mechanism_over(cells)
            members = np.array(mechanism.members, np.int32)
            self._made[cells] = Reading(cells, mechanism.modulus, members, Noise.of(mechanism))
        return self._made[cells]

    def noise(self, cells: int) -> Noise:
        """Its noise."""
        return self.over(cells).noise
