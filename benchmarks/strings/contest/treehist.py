"""TreeHist: Bassily, Nissim, Stemmer, Thakurta, Practical Locally Private Heavy Hitters, NeurIPS 2017.

Users are in groups, one for each level of a tree of prefixes. A client hashes its prefix into one row of a count
sketch, drawn by lot, and reports one entry of that row's Hadamard transform, ±1, whose sign is wrong with chance
1/(e^ε + 1). The server transforms back and goes on below the prefixes whose estimates stand out. We are generous: all
of ε is for the levels (the paper spends half on a second report for the final counts), the rows are averaged where the
paper takes a median, a level may be a byte instead of a bit, and the groups come one after another.
"""

from dataclasses import dataclass
from math import exp, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.strings.contest.answers import Found
from benchmarks.strings.contest.levels import Candidates, Generator, everything, heaviest
from benchmarks.strings.contest.prefixes import Prefixes
from hgldp.kernels.oracles import walsh_hadamard

ROWS, WIDTH, COUNTER_BYTES = 16, 4_096, 4
MOST_KEPT = 100
Words = NDArray[np.uint64]


@dataclass(frozen=True)
class Hashes:
    """Public functions, one a row: a bucket and a sign for each number (the finaliser of SplitMix64)."""

    key: int

    def __call__(self, rows: NDArray[Any], numbers: NDArray[Any]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Buckets, and signs of ±1."""
        word = (np.asarray(numbers, np.uint64) * np.uint64(ROWS) + np.asarray(rows, np.uint64)) ^ np.uint64(self.key)
        for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
            word = (word ^ (word >> np.uint64(shift))) * np.uint64(factor)
        word = word ^ (word >> np.uint64(31))
        return (word % np.uint64(WIDTH)).astype(np.int64), 1 - 2 * (word >> np.uint64(63)).astype(np.int64)


def parity(numbers: NDArray[np.int64]) -> NDArray[np.int64]:
    """Whether numbers below 2^16 have an odd number of ones: row and column of a Hadamard matrix with −1.

    >>> parity(np.array([0, 1, 3, 7, 2048 + 1024 + 1])).tolist()
    [0, 1, 0, 1, 1]
    """
    for shift in (8, 4, 2, 1):
        numbers = numbers ^ (numbers >> shift)
    return numbers & 1


@dataclass(frozen=True)
class HadamardSketch:
    """One level: every report is drawn, so this is exact for its hash functions."""

    epsilon: float

    @property
    def unbias(self) -> float:
        """(e^ε + 1)/(e^ε − 1): a sign that is right so often is worth this much less."""
        return (exp(self.epsilon) + 1) / (exp(self.epsilon) - 1)

    def reports(self, held: NDArray[np.int64], hashes: Hashes, generator: Generator) -> NDArray[np.int64]:
        """The summed signs of all clients, by row and entry of the transform."""
        rows, entries = generator.integers(ROWS, size=held.size), generator.integers(WIDTH, size=held.size)
        buckets, signs = hashes(rows, held)
        odd = parity(buckets & entries)
        wrong = generator.random(held.size) < 1 / (exp(self.epsilon) + 1)
        sent = signs * (1 - 2 * (odd ^ wrong).astype(np.int64))
        return np.bincount(rows * WIDTH + entries, weights=sent, minlength=ROWS * WIDTH).astype(np.int64)

    def estimates(self, reports: NDArray[np.int64], hashes: Hashes, numbers: NDArray[Any]) -> NDArray[np.float64]:
        """The count of each prefix among the clients of the level, by its number."""
        sketch = reports.copy()
        walsh_hadamard(sketch, WIDTH)
        found = np.zeros(numbers.size)
        for row in range(ROWS):
            buckets, signs = hashes(np.full(numbers.size, row), numbers)
            found += signs * sketch[row * WIDTH + buckets]
        return found * self.unbias


@dataclass(frozen=True)
class TreeHist:
    """Levels of `step` bits; a prefix is left over if it lies `stand_out` standard deviations above 0."""

    epsilon: float
    step: int
    stand_out: float

    def find(self, prefixes: Prefixes, stream: NDArray[np.int32], k: int, generator: Generator) -> Found:
        """The k most frequent of the strings that the last level leaves over."""
        levels = [*range(self.step, prefixes.bits, self.step), prefixes.bits]
        kept = candidates = everything(prefixes)
        best, estimates = np.zeros(0, np.int64), np.zeros(0)
        for bits, group in zip(levels, np.array_split(stream, len(levels)), strict=True):
            candidates = kept.extended(bits)
            estimates, noise = self._level(candidates, group, generator)
            best = heaviest(estimates, MOST_KEPT, generator)
            best = best[estimates[best] > self.stand_out * noise]
            kept = candidates.kept(best)
        places, counts = candidates.named(best, estimates[best] * len(levels), k)
        return Found(tuple(places), tuple(counts), ROWS * WIDTH * COUNTER_BYTES)

    def _level(
        self, candidates: Candidates, group: NDArray[np.int32], generator: Generator
    ) -> tuple[NDArray[np.float64], float]:
        """The estimates of all candidates, and the standard deviation of one that nobody holds."""
        sketch, hashes = HadamardSketch(self.epsilon), Hashes(int(generator.integers(2**63)))
        reports = sketch.reports(candidates.held(group), hashes, generator)
        unheld = int(candidates.classes[-1]) + 1 + np.arange(candidates.of_nobody)
        numbers = np.concatenate([candidates.real, unheld])
        return sketch.estimates(reports, hashes, numbers), sketch.unbias * sqrt(group.size)
