"""Mechanisms with one mistake each, for the contract checks to refuse."""

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from hgldp.mechanisms.grr import GRR
from hgldp.mechanisms.rappor import RAPPOR, BloomReport
from hgldp.mechanisms.subset import SubsetSelection
from hgldp.mechanisms.unary import mask_probability
from hgldp.model.randomness import Words


class OneTooLarge(GRR):
    """Rounds W up, in the channel and in the sampler."""

    @property
    def truth(self) -> int:
        return super().truth + 1


class Liar(GRR):
    """Promises W and draws with W + 1: one part in 2^32, which no sample would ever show."""

    def randomize(self, value: int, words: Words) -> int:
        draw = words.below(self.total + 1) - self.truth - 1
        return value if draw < 0 else draw // self.scale + (draw // self.scale >= value)


class ThirtyTwoBits(GRR):
    """Right for tiny weights, but draws only 32 bits."""

    def randomize(self, value: int, words: Words) -> int:
        draw = words.below(min(self.total, 1 << 32)) - self.truth
        return value if draw < 0 else draw // self.scale + (draw // self.scale >= value)


class Forgetful(GRR):
    """A channel whose chance of a lie is lost on the way."""

    def channel(self) -> list[dict[int, Fraction]]:
        return [row | {(value + 1) % self.size: Fraction(0)} for value, row in enumerate(super().channel())]


@dataclass(frozen=True)
class Moody(GRR):
    """Its reports depend on how often it was asked."""

    asked: list[int] = field(default_factory=list, compare=False)

    def randomize(self, value: int, words: Words) -> int:
        self.asked.append(value)
        shift = len(self.asked) // 7 % 2
        return (super().randomize((value - shift) % self.size, words) + shift) % self.size


class TruthFirst(SubsetSelection):
    """An ordered list with the truth, if it is in, in the first place."""

    def _ordered(self, mask: int, value: int) -> tuple[int, ...]:
        members = [member for member in range(self.size) if mask >> member & 1]
        return tuple(sorted(members, key=lambda member: (member != value, member)))

    def channel(self) -> list[dict[Any, Fraction]]:
        rows = enumerate(super().channel())
        return [{self._ordered(mask, value): chance for mask, chance in row.items()} for value, row in rows]

    def randomize(self, value: int, words: Words) -> Any:
        return self._ordered(super().randomize(value, words), value)

    def support(self, report: Any, value: int) -> int:
        return int(value in report)


class NeverClears(RAPPOR):
    """A true bit stays set for certain."""

    def channel(self) -> list[dict[BloomReport, Fraction]]:
        rows = super().channel()
        for value, row in enumerate(rows):
            for keys, mask in row:
                filled = self.filter(keys, value)
                chances = [Fraction(1) if filled >> bit & 1 else 1 - self.true_set for bit in range(self.bits)]
                row[keys, mask] = mask_probability(mask, chances) / self._choices
        return rows

    @property
    def _choices(self) -> int:
        return len(list(self.family.every_key())) ** self.hashes

    def randomize(self, value: int, words: Words) -> BloomReport:
        keys, mask = super().randomize(value, words)
        return keys, mask | self.filter(keys, value)
