"""The slow obvious twin of HeavyGuardian: lists of cells, one arrival after the other."""

from collections.abc import Iterable, Sequence
from dataclasses import astuple, dataclass
from fractions import Fraction
from functools import cache
from math import log2

from hgldp.model.randomness import WORD_MASK, SeededWords, mix

LIGHT_FULL = 65_535


@dataclass
class Cell:
    item: int
    guard: int
    arrivals: int
    before: int


@cache
def threshold(base: float, guard: int) -> int:
    """⌊2^64·base^−guard⌋, with fractions; 0 without them where the power is far above 2^64."""
    if guard * log2(base) > 65:
        return 0
    return int(2**64 / Fraction(base) ** guard)


def refusals(word: int, survive: int, arrivals: int) -> int:
    """How many arrivals in a row fail to decay: the largest n with word < survive^n, from its highest bit down."""
    powers = [survive]
    while arrivals >> len(powers):
        powers.append((powers[-1] * powers[-1]) >> 64)
    refused, power = 0, 1 << 64
    for bit in reversed(range(len(powers))):
        longer = (power * powers[bit]) >> 64
        if word < longer:
            refused, power = refused + (1 << bit), longer
    return refused


class NaiveHeavyGuardian:
    def __init__(
        self,
        *,
        buckets: int,
        heavy_cells: int,
        light_cells: int = 0,
        decay_base: float = 1.08,
        seed: int,
        inverted_decay: bool = False,
    ) -> None:
        self.heavy_cells, self.light_cells, self.base, self.inverted = (
            heavy_cells,
            light_cells,
            decay_base,
            inverted_decay,
        )
        self.words = SeededWords(seed)
        self.factor, self.shift = self.words.word() | 1, self.words.word()
        self.cells: list[list[Cell]] = [[] for _ in range(buckets)]
        self.lost = [0] * buckets
        self.light = [[0] * light_cells for _ in range(buckets)]

    def hash(self, item: int) -> int:
        return (item * self.factor + self.shift) & WORD_MASK

    def bucket(self, item: int) -> int:
        return (self.hash(item) * len(self.cells)) >> 64

    def lose(self, item: int, count: int) -> None:
        bucket = self.bucket(item)
        self.lost[bucket] += count
        if self.light_cells:
            place = (mix(self.hash(item)) * self.light_cells) >> 64
            self.light[bucket][place] = min(self.light[bucket][place] + count, LIGHT_FULL)

    def holds(self, item: int, count: int) -> bool:
        """Count the arrivals of an item that is held, or that finds a free cell."""
        bucket = self.bucket(item)
        for cell in self.cells[bucket]:
            if cell.item == item:
                cell.guard += count
                cell.arrivals += count
                return True
        if len(self.cells[bucket]) < self.heavy_cells:
            self.cells[bucket].append(Cell(item, count, count, self.lost[bucket]))
            return True
        return False

    def replace(self, weakest: Cell, item: int, count: int) -> None:
        bucket = self.bucket(item)
        place = self.cells[bucket].index(weakest)
        self.cells[bucket][place] = Cell(item, count, count, self.lost[bucket])
        self.lost[bucket] += weakest.arrivals

    def arrive(self, item: int) -> None:
        if self.holds(item, 1):
            return
        weakest = min(self.cells[self.bucket(item)], key=lambda cell: cell.guard)
        if (self.words.word() < threshold(self.base, weakest.guard)) != self.inverted:
            weakest.guard -= 1
        if weakest.guard == 0:
            self.replace(weakest, item, 1)
        else:
            self.lose(item, 1)

    def arrive_often(self, item: int, count: int) -> None:
        while count and not self.holds(item, count):
            weakest = min(self.cells[self.bucket(item)], key=lambda cell: cell.guard)
            word, below = self.words.word(), threshold(self.base, weakest.guard)
            refused, decayed = 0, 1
            if self.inverted and below == 0:
                while decayed < count and threshold(self.base, weakest.guard - decayed) == 0:
                    decayed += 1
            elif self.inverted:
                refused = refusals(word, below, count)
            else:
                refused = refusals(WORD_MASK - word, 2**64 - below, count)
            if refused >= count:
                self.lose(item, count)
                return
            weakest.guard -= decayed
            if weakest.guard == 0:
                self.lose(item, refused + decayed - 1)
                self.replace(weakest, item, count - (refused + decayed - 1))
                return
            self.lose(item, refused + decayed)
            count -= refused + decayed

    def update(self, items: Iterable[int], weights: Sequence[int] | None = None) -> None:
        if weights is None:
            for item in items:
                self.arrive(int(item))
        else:
            for item, weight in zip(items, weights, strict=True):
                self.arrive_often(int(item), int(weight))

    def state(self) -> tuple[list[list[tuple[int, ...]]], list[int], list[list[int]], int]:
        return [[astuple(cell) for cell in cells] for cells in self.cells], self.lost, self.light, self.words.state
