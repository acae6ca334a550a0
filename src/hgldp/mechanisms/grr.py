"""Generalised randomised response: the truth with weight W, each other value with weight S."""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import ClassVar

from hgldp.mechanisms.base import Mechanism, Row
from hgldp.model.randomness import Words
from hgldp.model.reports import symbol_bytes


def truth_or_other(own: int, total: int, truth: int, scale: int, words: Words) -> int:
    """One draw below the sum of all weights: below `truth` it is the own value, above it names one of the others."""
    draw = words.below(total) - truth
    if draw < 0:
        return own
    other = draw // scale
    return other if other < own else other + 1


@dataclass(frozen=True)
class GRR(Mechanism[int]):
    """Generalised randomised response (Wang, Blocki, Li, Jha, USENIX Security 2017, section 3.1; the paper's eq. 1).

    Privacy: exactly W/S ≤ e^ε between any two values.
    Report bytes: the bytes of one value.
    Memory: one counter per value.
    Error: variance (d − 2 + e^ε)/(e^ε − 1)² per report: good for few values, hopeless for many.

    >>> from hgldp.model.randomness import SeededWords
    >>> mechanism, words = GRR(size=4, epsilon=2.0), SeededWords(7)
    >>> [mechanism.randomize(2, words) for _ in range(10)]
    [2, 2, 1, 2, 2, 2, 2, 2, 2, 2]
    """

    name: ClassVar[str] = "grr"

    def __post_init__(self) -> None:
        super().__post_init__()
        self.check_total(self.total)

    @cached_property
    def total(self) -> int:
        """The sum of all weights."""
        return self.truth + (self.size - 1) * self.scale

    @property
    def p(self) -> Fraction:
        """e^ε/(e^ε + d − 1), with W for S·e^ε."""
        return Fraction(self.truth, self.total)

    @property
    def q(self) -> Fraction:
        """1/(e^ε + d − 1)."""
        return Fraction(self.scale, self.total)

    def channel(self) -> list[Row[int]]:
        """p on the diagonal, q elsewhere."""
        values = range(self.size)
        return [{report: self.p if report == value else self.q for report in values} for value in values]

    def randomize(self, value: int, words: Words) -> int:
        """One draw: below W it is the truth, above it names one of the others."""
        return truth_or_other(self.check_value(value), self.total, self.truth, self.scale, words)

    def support(self, report: int, value: int) -> int:
        """A report speaks for the value it names."""
        return int(report == value)

    @property
    def report_bytes(self) -> int:
        """The bytes of one value."""
        return symbol_bytes(self.size)
