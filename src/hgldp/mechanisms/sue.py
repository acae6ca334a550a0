"""Symmetric unary encoding: every bit tells the truth with the same odds, half the budget each."""

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from hgldp.mechanisms.unary import Odds, UnaryEncoding
from hgldp.model.weights import as_epsilon


@dataclass(frozen=True)
class SUE(UnaryEncoding):
    """Symmetric unary encoding (Wang, Blocki, Li, Jha, USENIX Security 2017, section 4.3), RAPPOR without hashing.

    Privacy: exactly (W/S)² ≤ e^ε with W = ⌊S·e^(ε/2)⌋: two values differ in two bits.
    Report bytes: one bit per value.
    Memory: one counter per value.
    Error: variance e^(ε/2)/(e^(ε/2) − 1)² per report, whatever the number of values.

    >>> from hgldp.model.randomness import SeededWords
    >>> mechanism, words = SUE(size=8, epsilon=2.0), SeededWords(7)
    >>> [f"{mechanism.randomize(0, words):08b}" for _ in range(4)]
    ['00100011', '00000101', '00100000', '10000100']
    """

    name: ClassVar[str] = "sue"

    def __post_init__(self) -> None:
        super().__post_init__()
        self.weight(as_epsilon(self.epsilon) / 2)

    @cached_property
    def own_odds(self) -> Odds:
        """Set with e^(ε/2)/(e^(ε/2) + 1)."""
        return self.weight(as_epsilon(self.epsilon) / 2), self.scale

    @cached_property
    def other_odds(self) -> Odds:
        """Set with 1/(e^(ε/2) + 1)."""
        return self.scale, self.weight(as_epsilon(self.epsilon) / 2)
