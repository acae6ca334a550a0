"""From level to level: which prefixes a method left over, and which longer ones it looks at next.

A prefix that no string of the data has is a candidate like any other, and so are all that it is extended to. Nobody
holds any of them, so they are alike, and their number is all that has to be kept.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from benchmarks.strings.contest.prefixes import Numbers, Prefixes

Generator = np.random.Generator


@dataclass(frozen=True)
class Candidates:
    """Prefixes of one length: those of real strings by their numbers, and how many there are that nobody holds."""

    prefixes: Prefixes
    bits: int
    classes: Numbers
    real: Numbers
    of_nobody: int

    @property
    def size(self) -> int:
        """How many a server has to count."""
        return self.real.size + self.of_nobody

    def held(self, group: NDArray[np.int32]) -> Numbers:
        """The number of the prefix of each client of a group."""
        return self.classes[self.prefixes.place[group]]

    def holders(self, group: NDArray[np.int32]) -> Numbers:
        """How many clients of a group hold each real candidate."""
        return np.bincount(self.held(group), minlength=int(self.classes[-1]) + 1)[self.real].astype(np.int64)

    def kept(self, best: Numbers) -> "Candidates":
        """The best of them, by their places: real ones come first."""
        real = best[best < self.real.size]
        return Candidates(self.prefixes, self.bits, self.classes, self.real[real], best.size - real.size)

    def extended(self, bits: int) -> "Candidates":
        """All longer prefixes that begin with one of these. A string that has ended has one only.

        One that nobody holds is taken for a string that goes on; 1 of 256 would have ended.
        """
        goes_on = ~self.prefixes.have_ended(self.prefixes.firsts(self.classes)[self.real], self.bits)
        classes = self.prefixes.classes(bits)
        real = np.flatnonzero(np.isin(self.classes[self.prefixes.firsts(classes)], self.real))
        all_of_them = int((~goes_on).sum()) + (int(goes_on.sum()) + self.of_nobody) * 2 ** (bits - self.bits)
        return Candidates(self.prefixes, bits, classes, real, all_of_them - real.size)

    def named(self, best: Numbers, values: NDArray[np.float64], k: int) -> tuple[list[int | None], list[float]]:
        """Where the best are whole strings: the first k that are not empty, and the values of these."""
        firsts = self.prefixes.firsts(self.classes)
        whole: list[tuple[int | None, float]] = []
        for one, value in zip(best.tolist(), values.tolist(), strict=True):
            if one >= self.real.size:
                whole.append((None, value))
            elif (place := self.prefixes.named(int(firsts[self.real[one]]))) is not None:
                whole.append((place, value))
        return [place for place, _ in whole[:k]], [value for _, value in whole[:k]]


def everything(prefixes: Prefixes) -> Candidates:
    """The empty prefix."""
    return Candidates(prefixes, 0, prefixes.classes(0), np.zeros(1, np.int64), 0)


def heaviest(values: NDArray[np.float64], most: int, generator: Generator) -> Numbers:
    """The places of the largest values, the largest first; a lot decides between equal ones."""
    return np.lexsort((generator.random(values.size), -values))[:most].astype(np.int64)
