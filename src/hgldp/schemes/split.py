"""The printed split: ε1 says hot or cold, ε2 says which (the paper's M_judge, M_hot and M_cold, algorithms 6 to 8)."""

from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

from hgldp.errors import InvalidField
from hgldp.model.bulletin import Bulletin
from hgldp.model.randomness import MAX_BOUND, Words
from hgldp.model.weights import SCALE, truth_weight
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
            raise InvalidField("epsilon", "must leave something to say for both parts of the split", self.scale)
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
        """The sum of the weights over one side of so many items."""
        return self.value_truth + (size - 1) * self.scale

    def _value(self, own: int | None, size: int, words: Words) -> int:
        if own is None:
            return words.below(size)
        draw = words.below(self.value_total(size)) - self.value_truth
        if draw < 0:
            return own
        other = draw // self.scale
        return other if other < own else other + 1

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
