"""Subset selection: report a random set of values that holds the truth more often than chance."""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from math import comb
from typing import ClassVar

from hgldp.errors import InvalidField
from hgldp.mechanisms.base import Mechanism, Row
from hgldp.model.randomness import Words

NEARBY = 2


@dataclass(frozen=True)
class SubsetSelection(Mechanism[int]):
    """Subset selection (Wang et al. 2016, arXiv:1607.08025; Ye and Barg, IEEE Transactions on Information Theory 2018).

    Privacy: exactly W/S ≤ e^ε between any two values; a set has no order that could tell.
    Report bytes: one bit per value.
    Memory: one counter per value.
    Error: the smallest variance of all mechanisms here, at every size and ε; at most 4e^ε/(e^ε − 1)² per report.

    `chosen` is the number of values in a report; by default the one near size/(e^ε + 1) with the smallest variance.

    >>> from hgldp.model.randomness import SeededWords
    >>> mechanism, words = SubsetSelection(size=8, epsilon=1.0), SeededWords(7)
    >>> mechanism.subset_size, [f"{mechanism.randomize(0, words):08b}" for _ in range(4)]
    (2, ['00000011', '10010000', '00010001', '00000011'])
    """

    name: ClassVar[str] = "subset"
    chosen: int | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.chosen is not None and not 1 <= self.chosen < self.size:
            raise InvalidField("chosen", f"must lie in 1 … {self.size - 1}, below the size", self.chosen)
        self.check_total(self.include + self.exclude)

    @cached_property
    def subset_size(self) -> int:
        """w: as given, or the best one near size/(e^ε + 1)."""
        if self.chosen is not None:
            return self.chosen
        near = self.size * self.scale // (self.truth + self.scale)
        return min(
            range(max(1, near - NEARBY), min(self.size - 1, near + NEARBY) + 1),
            key=lambda chosen: SubsetSelection(self.size, self.epsilon, chosen, scale=self.scale).variance,
        )

    @cached_property
    def include(self) -> int:
        """The weight of all sets that hold the truth: w·W."""
        return self.subset_size * self.truth

    @cached_property
    def exclude(self) -> int:
        """The weight of all sets that do not: (size − w)·S."""
        return (self.size - self.subset_size) * self.scale

    @property
    def p(self) -> Fraction:
        """w·e^ε/(w·e^ε + size − w), with W for S·e^ε."""
        return Fraction(self.include, self.include + self.exclude)

    @property
    def q(self) -> Fraction:
        """What is left of the w places, shared evenly by the others."""
        return (self.subset_size - self.p) / (self.size - 1)

    def channel(self) -> list[Row[int]]:
        """Every set of w values."""
        others, rest = self.size - 1, self.subset_size - 1
        within, without = self.p / comb(others, rest), (1 - self.p) / comb(others, rest + 1)
        masks = [sum(1 << member for member in members) for members in combinations(range(self.size), rest + 1)]
        return [{mask: within if mask >> value & 1 else without for mask in masks} for value in range(self.size)]

    def randomize(self, value: int, words: Words) -> int:
        """One draw whether the truth is in; then the others by Floyd's algorithm (Bentley and Floyd 1987)."""
        own = self.check_value(value)
        included = words.below(self.include + self.exclude) < self.include
        others = self.size - 1
        mask = 0
        for last in range(others - self.subset_size + included, others):
            other = words.below(last + 1)
            mask |= 1 << (last if mask >> other & 1 else other)
        below = mask & ((1 << own) - 1)
        return below | included << own | mask >> own << (own + 1)

    def support(self, report: int, value: int) -> int:
        """A report speaks for every value in its set."""
        return report >> value & 1

    @property
    def report_bytes(self) -> int:
        """One bit per value."""
        return (self.size + 7) // 8
