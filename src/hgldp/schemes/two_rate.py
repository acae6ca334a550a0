"""The judge that spends exactly ε and needs no hot share (design: repaired schemes, section 1).

With W = e^ε, M hot cells and one free rate R in (1, W], the weights over the common total R(W + M − 1) − M are

    hot i:  own cell (R−1)·W   each other hot cell R−1   cold side W−1
    cold:                      each hot cell R−1         cold side R·(W−1)

On the cold side a hot event names a uniform cold item; a cold event keeps its own with chance `keep`, the largest that
leaves every ratio at most W, and otherwise names a uniform one.
"""

from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

from hgldp.errors import InvalidField
from hgldp.model.bulletin import Bulletin
from hgldp.model.randomness import MAX_BOUND, Words
from hgldp.model.weights import SCALE, Epsilon, as_epsilon, truth_weight
from hgldp.schemes.base import Row
from hgldp.schemes.reading import Reading

MAX_RATE = 16


@dataclass(frozen=True)
class TwoRateJudge:
    """R is ⌊rate_scale·e^(share·ε)⌋/rate_scale, at most `MAX_RATE`: beyond that the noise no longer falls."""

    cells: int
    domain_size: int
    epsilon: Epsilon
    share: Fraction
    scale: int = field(default=SCALE, repr=False)

    def __post_init__(self) -> None:
        if self.total > MAX_BOUND:
            raise InvalidField("cells and epsilon", "must keep the total of the weights within 2^63", self.total)

    @cached_property
    def truth(self) -> int:
        """W, as an integer over `scale`."""
        return truth_weight(self.epsilon, self.scale)

    @cached_property
    def rate_scale(self) -> int:
        """What the rate is an integer over: fine enough that 1 < R ≤ W at the smallest ε."""
        return min(1 << 10 if as_epsilon(self.epsilon) > Fraction(1, 100) else 1 << 20, self.scale)

    @cached_property
    def rate(self) -> int:
        """R, as an integer over `rate_scale`, within (1, min(W, MAX_RATE)]."""
        wished = truth_weight(as_epsilon(self.epsilon) * self.share, self.rate_scale)
        most = min(MAX_RATE * self.rate_scale, self.truth * self.rate_scale // self.scale)
        return max(self.rate_scale + 1, min(wished, most))

    @cached_property
    def own_weight(self) -> int:
        """A hot event on its own cell."""
        return (self.rate - self.rate_scale) * self.truth

    @cached_property
    def noise_weight(self) -> int:
        """Any event on a hot cell that is not its own."""
        return (self.rate - self.rate_scale) * self.scale

    @cached_property
    def total(self) -> int:
        """The same for hot and for cold events."""
        hot_side = self.own_weight + (self.cells - 1) * self.noise_weight
        return hot_side + self.rate_scale * (self.truth - self.scale)

    @cached_property
    def keep(self) -> int:
        """The chance, over `scale`, that a cold event on the cold side names itself outright."""
        w, r = Fraction(self.truth, self.scale), Fraction(self.rate, self.rate_scale)
        others = self.domain_size - self.cells - 1
        if others == 0:
            return 0
        against_hot = (w - r) / (r * others)
        against_cold = (w - 1) / (w + others)
        return int(self.scale * min(against_hot, against_cold))

    def randomize(self, item: int, bulletin: Bulletin, words: Words) -> int:
        """One draw for the side and the cell, one or two more for the name of a cold item."""
        draw, slot = words.below(self.total), bulletin.slot(item)
        if slot is not None:
            if draw < self.own_weight:
                return slot
            other = (draw - self.own_weight) // self.noise_weight
            if other < self.cells - 1:
                return other if other < slot else other + 1
        else:
            other = draw // self.noise_weight
            if other < self.cells:
                return other
            if words.below(self.scale) < self.keep:
                return self.cells + 1 + item
        return self.cells + 1 + bulletin.cold_item(words.below(bulletin.cold_size))

    def row(self, item: int, bulletin: Bulletin) -> Row:
        """Pr[symbol | item]."""
        noise, slot = Fraction(self.noise_weight, self.total), bulletin.slot(item)
        row = dict.fromkeys(range(self.cells), noise)
        keep = Fraction(0)
        if slot is None:
            keep = Fraction(self.keep, self.scale)
        else:
            row[slot] = Fraction(self.own_weight, self.total)
        cold_side = 1 - sum(row.values())
        for rank in range(bulletin.cold_size):
            cold = bulletin.cold_item(rank)
            row[self.cells + 1 + cold] = cold_side * ((1 - keep) / bulletin.cold_size + keep * (cold == item))
        return row

    @cached_property
    def reading(self) -> Reading:
        """Hot and cold events make the same noise, so the hot share drops out."""
        own, noise = Fraction(self.own_weight, self.total), Fraction(self.noise_weight, self.total)
        return Reading.even(own, noise, self.cells)
