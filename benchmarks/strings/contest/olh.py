"""What an OLH server counts, drawn from its law instead of client by client.

A client with a hash function of its own reports a bucket; a value is supported if it hashes into that bucket. If the
hashes are ideal (each value's is uniform and independent of all others), all supports of one report are independent,
even those of its own value: the latter has chance p, any other one 1/g. So the counts of different values are
independent, each a sum of two binomial numbers. That is exact, and costs the same for any number of clients. Only a
real, finite family of hash functions differs from it.
"""

from dataclasses import dataclass
from math import exp, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import binom

Generator = np.random.Generator
Counts = NDArray[np.int64]


@dataclass(frozen=True)
class OLH:
    """Optimal local hashing (Wang, Blocki, Li, Jha, USENIX Security 2017): g is the whole number next to e^ε + 1."""

    epsilon: float

    @property
    def buckets(self) -> int:
        """g."""
        return round(exp(self.epsilon)) + 1

    @property
    def own(self) -> float:
        """p, the chance that a report supports its own value."""
        return exp(self.epsilon) / (exp(self.epsilon) + self.buckets - 1)

    @property
    def other(self) -> float:
        """q, the chance that it supports any other value."""
        return 1 / self.buckets

    def supports(self, holders: NDArray[Any], n: int, generator: Generator) -> Counts:
        """How many of n reports support each value, given how many clients hold it."""
        return np.asarray(generator.binomial(holders, self.own) + generator.binomial(n - holders, self.other), np.int64)

    def largest_of_nobody(self, values: int, n: int, most: int, generator: Generator) -> Counts:
        """The `most` largest supports among so many values that nobody holds, the largest first.

        They are independent binomial numbers, so the chances of exceeding them are ordered uniform numbers: those are
        drawn by Rényi's representation and turned back, without drawing all.
        """
        drawn = min(values, most)
        steps = generator.exponential(size=drawn) / (values - np.arange(drawn))
        exceeded = -np.expm1(-np.cumsum(steps))
        return np.asarray(np.maximum(binom.isf(exceeded, n, self.other), 0), np.int64)

    def estimates(self, supports: NDArray[Any], n: int) -> NDArray[np.float64]:
        """Counts among n clients without bias."""
        return np.asarray((supports - n * self.other) / (self.own - self.other), np.float64)

    def deviation(self, holders: float, n: int) -> float:
        """The standard deviation of an estimate."""
        own, other = self.own, self.other
        return sqrt(holders * own * (1 - own) + (n - holders) * other * (1 - other)) / (own - other)
