"""A pairwise independent hash family whose collision probability is an exact fraction, the same for any two values."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from itertools import count
from math import isqrt

from hgldp.errors import InvalidField
from hgldp.model.randomness import Words

Key = tuple[int, int]


@cache
def prime_from(least: int) -> int:
    """The smallest prime that is not below `least`.

    >>> prime_from(41_270), prime_from(2)
    (41281, 2)
    """
    return next(
        number for number in count(max(2, least)) if all(number % divisor for divisor in range(2, isqrt(number) + 1))
    )


@dataclass(frozen=True)
class PairwiseHash:
    """y = (a·v + b) mod P for a in 1 … P − 1, b in 0 … P − 1, and the cell whose interval of residues holds y.

    For a ≠ 0 the residues of two values are uniform over the pairs of different residues (Carter and Wegman 1979), so
    how often two values collide depends on the sizes of the cells alone. Cell i holds ⌈iP/cells⌉ ≤ y < ⌈(i+1)P/cells⌉.

    >>> family = PairwiseHash(values=5, cells=2)
    >>> [family.cell((2, 1), value) for value in range(5)], family.collision
    ([0, 1, 0, 0, 1], Fraction(2, 5))
    """

    values: int
    cells: int

    def __post_init__(self) -> None:
        if not 1 <= self.cells <= self.prime:
            raise InvalidField("cells", "must be a whole number of at least 1", self.cells)

    @cached_property
    def prime(self) -> int:
        """P, the smallest prime that leaves no value and no cell without a residue."""
        return prime_from(max(self.values, self.cells))

    def draw_key(self, words: Words) -> Key:
        """A uniform key (a, b)."""
        return 1 + words.below(self.prime - 1), words.below(self.prime)

    def every_key(self) -> Iterator[Key]:
        """All P(P − 1) keys."""
        return ((a, b) for a in range(1, self.prime) for b in range(self.prime))

    def cell(self, key: Key, value: int) -> int:
        """The cell of a value under a key."""
        slope, offset = key
        return (slope * value + offset) % self.prime * self.cells // self.prime

    @property
    def sizes(self) -> tuple[tuple[int, int], ...]:
        """How many residues a cell has, and how many such cells there are."""
        small, large_cells = divmod(self.prime, self.cells)
        pairs = ((small, self.cells - large_cells), (small + 1, large_cells))
        return tuple(pair for pair in pairs if pair[1])

    @property
    def collision(self) -> Fraction:
        """The probability that two different values fall into one cell."""
        return Fraction(sum(cells * size * (size - 1) for size, cells in self.sizes), self.prime * (self.prime - 1))
