"""What a HeavyGuardian is before it has seen anything: its size, its decay, its seed."""

from dataclasses import dataclass
from math import isfinite

import numpy as np

from hgldp.errors import InvalidField
from hgldp.model.randomness import WORD_MASK, SeededWords
from hgldp.model.validate import check_whole

MOST_CELLS = 1 << 24
LEAST_BASE = 1.001
_PLACES_PER_CELL = 16


@dataclass(frozen=True, slots=True)
class Shape:
    """The settings of a HeavyGuardian; two of them can merge when these are equal.

    >>> Shape(buckets=48, heavy_cells=8, light_cells=0, decay_base=1.08, seed=1, inverted_decay=False).index_size
    6144
    """

    buckets: int
    heavy_cells: int
    light_cells: int
    decay_base: float
    seed: int
    inverted_decay: bool

    def __post_init__(self) -> None:
        check_whole("buckets", self.buckets, 1, MOST_CELLS)
        check_whole("heavy_cells", self.heavy_cells, 1, MOST_CELLS // self.buckets)
        check_whole("light_cells", self.light_cells, 0, MOST_CELLS // self.buckets)
        check_whole("seed", self.seed, 0, WORD_MASK)
        if isinstance(self.decay_base, bool) or not isinstance(self.decay_base, int | float):
            raise InvalidField("decay_base", "must be a number", type(self.decay_base).__name__)
        if not isfinite(self.decay_base) or self.decay_base < LEAST_BASE:
            raise InvalidField("decay_base", f"must be finite and at least {LEAST_BASE}", self.decay_base)
        if not isinstance(self.inverted_decay, bool):
            raise InvalidField("inverted_decay", "must be True or False", type(self.inverted_decay).__name__)

    @property
    def cells(self) -> int:
        """Heavy cells in all buckets."""
        return self.buckets * self.heavy_cells

    @property
    def index_size(self) -> int:
        """A power of two a bucket, at least sixteen places a cell, so that most misses end at the first place."""
        return self.buckets << (_PLACES_PER_CELL * self.heavy_cells - 1).bit_length()

    def start(self) -> tuple[tuple[np.uint64, np.uint64], int]:
        """The hash (an odd factor and a shift) and the state of the decay words after them."""
        words = SeededWords(self.seed)
        return (np.uint64(words.word() | 1), np.uint64(words.word())), words.state
