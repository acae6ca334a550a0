"""Unary encoding: one bit per value, each bit randomised by itself. The shape that OUE and SUE share."""

from abc import abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from hgldp.mechanisms.base import Mechanism, Row
from hgldp.model.randomness import Words

Odds = tuple[int, int]


def chance(odds: Odds) -> Fraction:
    """The probability of a set bit out of its weights (set, clear)."""
    return Fraction(odds[0], sum(odds))


def mask_probability(mask: int, chances: list[Fraction]) -> Fraction:
    """The probability of a whole mask, given the probability of each set bit."""
    probability = Fraction(1)
    for bit, set_chance in enumerate(chances):
        probability *= set_chance if mask >> bit & 1 else 1 - set_chance
    return probability


@dataclass(frozen=True)
class UnaryEncoding(Mechanism[int]):
    """A mask of `size` bits, bit v for value v."""

    @property
    @abstractmethod
    def own_odds(self) -> Odds:
        """The weights (set, clear) of the sender's own bit."""

    @property
    @abstractmethod
    def other_odds(self) -> Odds:
        """The weights (set, clear) of every other bit."""

    @property
    def p(self) -> Fraction:
        """The own bit is set."""
        return chance(self.own_odds)

    @property
    def q(self) -> Fraction:
        """Another bit is set."""
        return chance(self.other_odds)

    def channel(self) -> list[Row[int]]:
        """Every mask: the product over its bits."""
        return [
            {
                mask: mask_probability(mask, [self.p if bit == value else self.q for bit in range(self.size)])
                for mask in range(1 << self.size)
            }
            for value in range(self.size)
        ]

    @cached_property
    def _bounds(self) -> tuple[tuple[int, int], tuple[int, int]]:
        return (self.own_odds[0], sum(self.own_odds)), (self.other_odds[0], sum(self.other_odds))

    def randomize(self, value: int, words: Words) -> int:
        """One draw a bit, from value 0 upwards."""
        own = self.check_value(value)
        own_bounds, other_bounds = self._bounds
        mask = 0
        for bit in range(self.size):
            set_weight, total = own_bounds if bit == own else other_bounds
            if words.below(total) < set_weight:
                mask |= 1 << bit
        return mask

    def support(self, report: int, value: int) -> int:
        """A report speaks for every value whose bit is set."""
        return report >> value & 1

    @property
    def report_bytes(self) -> int:
        """One bit per value."""
        return (self.size + 7) // 8
