"""The printed split: ε1 says hot or cold, ε2 says which (the paper's M_judge, M_hot and M_cold, algorithms 6 to 8)."""

from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

from hgldp.errors import InvalidField
from hgldp.mechanisms.grr import truth_or_other
from hgldp.model.bulletins import Bulletin
from hgldp.model.randomness import MAX_BOUND, Words
from hgldp.model.weights import SCALE, Epsilon, as_epsilon, truth_weight
from hgldp.schemes.base import Row
from hgldp.schemes.reading import Reading


@dataclass(frozen=True)
class SplitJudge:
    """Spends ε1 + ε2 by the paper's proof; the exact worst ratio is smaller."""

    cells: int
    domain_size: int
    judge_epsilon: Fraction
    value_epsilon: Fraction
    hot_share: Fraction | None = None
    scale: int = field(default=SCALE, repr=False)

    def __post_init__(self) -> None:
        if min(self.judge_truth, self.value_truth) <= self.scale:
            raise InvalidField("epsilon", "must be large enough for both parts of the split", self.scale)
        if self.value_total(self.domain_size) > MAX_BOUND:
            total = self.value_total(self.domain_size)
            raise InvalidField("domain and epsilon", "must keep the total of the weights within 2^63", total)

    @cached_property
    def judge_truth(self) -> int:
        """The weight of an honest flag, against `scale` for the other."""
        return truth_weight(self.judge_epsilon, self.scale)

    @cached_property
    def value_truth(self) -> int:
        """The weight of the item itself, against `scale` for each other item of its side."""
        return truth_weight(self.value_epsilon, self.scale)

    @cached_property
    def p1(self) -> Fraction:
        """The chance that the flag is honest."""
        return Fraction(self.judge_truth, self.judge_truth + self.scale)

    def value_total(self, size: int) -> int:
        """The sum of the weights over a side of `size` items."""
        return self.value_truth + (size - 1) * self.scale

    def _value(self, own: int | None, size: int, words: Words) -> int:
        if own is None:
            return words.below(size)
        return truth_or_other(own, self.value_total(size), self.value_truth, self.scale, words)

    def randomize(self, item: int, bulletin: Bulletin, words: Words, naming: bool) -> int:
        """One draw for the flag, one for the value; ⊥ on the cold side unless cold items are named."""
        slot = bulletin.slot(item)
        honest = words.below(self.judge_truth + self.scale) < self.judge_truth
        if honest == (slot is not None):
            return self._value(slot, self.cells, words)
        if not naming:
            return self.cells
        rank = bulletin.cold_rank(item) if slot is None else None
        return self.cells + 1 + bulletin.cold_item(self._value(rank, bulletin.cold_size, words))

    def row(self, item: int, bulletin: Bulletin, naming: bool) -> Row:
        """Pr[symbol | item]."""
        slot = bulletin.slot(item)
        hot_side = self.p1 if slot is not None else 1 - self.p1
        row = {symbol: hot_side * chance for symbol, chance in enumerate(self._side(slot, self.cells))}
        if not naming:
            return row | {self.cells: 1 - hot_side}
        rank = bulletin.cold_rank(item) if slot is None else None
        for other, chance in enumerate(self._side(rank, bulletin.cold_size)):
            row[self.cells + 1 + bulletin.cold_item(other)] = (1 - hot_side) * chance
        return row

    def _side(self, own: int | None, size: int) -> list[Fraction]:
        if own is None:
            return [Fraction(1, size)] * size
        side = [Fraction(self.scale, self.value_total(size))] * size
        side[own] = Fraction(self.value_truth, self.value_total(size))
        return side

    @cached_property
    def reading(self) -> Reading:
        """Noise γ·p1·q2 + (1 − γ)·q1/k and gain p1·(p2 − q2): the equation above algorithm 9, not the algorithm."""
        total = self.value_total(self.cells)
        own, other = self.p1 * Fraction(self.value_truth, total), self.p1 * Fraction(self.scale, total)
        return Reading(own, other, (1 - self.p1) / self.cells, self.p1, 1 - self.p1, self.hot_share)


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
