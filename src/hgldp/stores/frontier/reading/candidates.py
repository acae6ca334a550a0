"""The search of the whole domain: the items whose search cells were high, and how all others look."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hgldp.kernels.frontier import count_steps, search
from hgldp.stores.frontier.epoch import SealedEpoch

BLOCK = 1 << 16
STEP, LOWEST, STEPS = 0.1, -8.0, 480
GLANCE, ONE_IN = 1.5, 16
Reals = NDArray[np.float64]
Items = NDArray[np.int64]


@dataclass(frozen=True)
class Crowd:
    """How many items seem to have each share, by their search cells alone, in steps of a tenth of the `deviation`."""

    shares: Reals
    items: Reals
    deviation: float

    def without(self, evidence: Reals) -> "Crowd":
        """The same without items that are looked at one by one."""
        return Crowd(self.shares, np.maximum(self.items - _histogram(evidence), 0.0), self.deviation)


class DomainSearch:
    """The evidence of the search cells of all epochs; it is bounded, so one crowded cell makes no candidate.

    The newest epoch comes first, so that the evidence of the last few epochs is a sum over the first rows.
    """

    def __init__(self, epochs: Sequence[SealedEpoch], domain_size: int) -> None:
        self._domain_size = domain_size
        self._newest = list(reversed(epochs))
        self._keys = np.array([epoch.key for epoch in self._newest], np.uint64)
        self._cells = np.array([epoch.width for epoch in self._newest], np.uint64)
        self._rows = np.zeros((len(epochs), int(self._cells.max(initial=1))))
        for row, epoch in zip(self._rows, self._newest, strict=True):
            row[: epoch.width] = epoch.evidence

    def best(self, reaches: Sequence[int], wanted: int) -> tuple[Items, NDArray[np.int64]]:
        """The best items by their last epochs, for several numbers of epochs, rising to all; twice as many by all.

        Also how many items of the domain have each amount of evidence, in steps.
        """
        best: list[list[NDArray[np.float64]]] = [[] for _ in reaches]
        most_of = [wanted] * (len(reaches) - 1) + [2 * wanted]
        looks = np.zeros(STEPS, np.int64)
        for first in range(0, self._domain_size, BLOCK):
            total, done = np.zeros(min(BLOCK, self._domain_size - first)), 0
            for found, reach, most in zip(best, reaches, most_of, strict=True):
                rows = slice(done, reach)
                search(self._keys[rows], self._cells[rows], self._rows[rows], np.uint64(first), total)
                top = _highest(total, most)
                found.append(np.stack([first + top, total[top]]))
                done = reach
            looks += _histogram(total * self._unit)
        return np.unique(np.concatenate(list(map(_best_of, best, most_of)))), looks

    def crowd(self, looks: NDArray[np.int64], candidates: Items) -> Crowd:
        """How all items look that are no candidates."""
        unit, evidence = self._unit, np.zeros(candidates.size)
        for row, epoch in zip(self._rows, self._newest, strict=True):
            evidence += row[epoch.search_cells(candidates)]
        middles: Reals = LOWEST + STEP * (np.arange(STEPS, dtype=np.float64) + 0.5)
        return Crowd(middles * unit, looks.astype(np.float64), unit).without(evidence * unit)

    @property
    def _unit(self) -> float:
        """The standard deviation of an item's share by its search cells."""
        return float(sum(1.0 / epoch.spread for epoch in self._newest) ** -0.5)


def _highest(total: Reals, most: int) -> Items:
    """The places of the highest numbers, in no order; a glance at one in sixteen tells which others to pass over.

    Of equal numbers the first are taken. An argpartition would choose among them as suits the processor.
    """
    if most >= total.size:
        return np.arange(total.size)
    glance = total[::ONE_IN]
    likely = np.flatnonzero(total > glance.mean() + GLANCE * glance.std())
    if likely.size <= most:
        likely = np.arange(total.size)
    numbers = total[likely]
    least = np.partition(numbers, -most)[-most]
    above = likely[numbers > least]
    return np.concatenate([above, likely[numbers == least][: most - above.size]])


def _histogram(evidence: Reals) -> NDArray[np.int64]:
    counts = np.zeros(STEPS, np.int64)
    count_steps(evidence, LOWEST, STEP, counts)
    return counts


def _best_of(parts: Sequence[Reals], wanted: int) -> Items:
    found = np.concatenate(parts, axis=1)
    best: Items = found[0, np.lexsort((found[0], -found[1]))[:wanted]].astype(np.int64)
    return best
