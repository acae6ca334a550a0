"""Optimised unary encoding: keep the own bit with a coin, set the others rarely."""

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from hgldp.mechanisms.unary import Odds, UnaryEncoding


@dataclass(frozen=True)
class OUE(UnaryEncoding):
    """Optimised unary encoding (Wang, Blocki, Li, Jha, USENIX Security 2017, section 4.3).

    Privacy: exactly W/S ≤ e^ε between any two values, from their two bits together.
    Report bytes: one bit per value.
    Memory: one counter per value.
    Error: variance 4e^ε/(e^ε − 1)² per report, whatever the number of values.

    >>> from hgldp.model.randomness import SeededWords
    >>> mechanism, words = OUE(size=8, epsilon=2.0), SeededWords(7)
    >>> [f"{mechanism.randomize(0, words):08b}" for _ in range(4)]
    ['00000011', '00000101', '00100000', '10000100']
    """

    name: ClassVar[str] = "oue"

    @property
    def own_odds(self) -> Odds:
        """A fair coin."""
        return 1, 1

    @cached_property
    def other_odds(self) -> Odds:
        """Set with 1/(e^ε + 1): S against W."""
        return self.scale, self.truth
