"""The reports of many clients who answer one bulletin, drawn at once.

Given the bulletin, reports are independent of each other, and the server keeps nothing but how often each residue came.
So it suffices to draw how many clients hold each symbol, and what those send: the law is that of clients one by one.
"""

import numpy as np
from numpy.typing import NDArray

from hgldp.kernels.frontier import add_reports
from hgldp.mechanisms.cyclic import CyclicResponse

ONE_BY_ONE = 1 << 20
OUTSIDE = 1 << 32
Counts = NDArray[np.int64]
Generator = np.random.Generator


class Population:
    """Independent events with fixed shares: a few are drawn one by one, many as counts."""

    def __init__(self, shares: NDArray[np.float64], generator: Generator) -> None:
        self._shares, self._generator = shares, generator
        self._table = np.cumsum(shares)
        self._table /= self._table[-1]

    def draw(self, events: int) -> tuple[Counts, Counts]:
        """The ranks that occur among so many events, and how often each does."""
        if 4 * events < self._shares.size:
            drawn = self._table.searchsorted(self._generator.random(events), side="right")
            ranks, counts = np.unique(np.minimum(drawn, self._shares.size - 1), return_counts=True)
            return ranks.astype(np.int64), counts.astype(np.int64)
        counts = self._generator.multinomial(events, self._shares)
        ranks = np.flatnonzero(counts)
        return ranks, counts[ranks]


def add_crowd(
    histogram: Counts, mechanism: CyclicResponse, holders: Counts, generator: Generator, one_by_one: int = ONE_BY_ONE
) -> None:
    """Add what clients send of whom `holders[v]` hold symbol v.

    A client sends any residue alike with the least weight, which all of them have; with the weight that the members of
    the difference set have more, one of those, turned by its symbol.
    """
    members = np.array(mechanism.members, np.int64)
    if holders.sum() <= one_by_one:
        order = np.array(mechanism.members + mechanism.others, np.int32)
        symbols, own = np.uint64(mechanism.size), np.arange(mechanism.size, dtype=np.int16)
        items = np.repeat(np.arange(holders.size, dtype=np.int32), holders)
        words, nobody = generator.integers(0, 1 << 63, 1, np.uint64), np.uint64(0)
        truth, inside = np.uint64(mechanism.truth), np.uint64(members.size)
        add_reports(words, truth, order, inside, own, nobody, nobody, symbols, items, histogram)
        return
    modulus = mechanism.modulus
    alike = generator.binomial(holders, modulus * OUTSIDE / mechanism.total)
    histogram += generator.multinomial(alike.sum(), np.full(modulus, 1 / modulus))
    turned = generator.multinomial(holders - alike, np.full(members.size, 1 / members.size))
    residues = (np.arange(holders.size)[:, None] - members) % modulus
    added = np.bincount(residues.ravel(), turned.ravel(), modulus)
    histogram += added.astype(np.int64)
