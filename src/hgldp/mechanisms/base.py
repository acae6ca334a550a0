"""The one shape of a mechanism: a one-shot randomiser together with its debias rule."""

from abc import ABC, abstractmethod
from collections.abc import Hashable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from operator import index
from typing import ClassVar, Generic, TypeVar

from hgldp.errors import InvalidField
from hgldp.model.domain import check_size
from hgldp.model.randomness import MAX_BOUND, Words
from hgldp.model.weights import SCALE, Epsilon, as_epsilon, truth_weight

R = TypeVar("R", bound=Hashable)
Row = dict[R, Fraction]


@dataclass(frozen=True)
class Mechanism(ABC, Generic[R]):
    """A channel from the values 0 … size − 1 to reports, and a score that counts how much a report speaks for a value.

    `scale` is S of the integer weights. Only the exhaustive checks change it, to walk through every possible draw.
    """

    name: ClassVar[str]
    size: int
    epsilon: Epsilon
    scale: int = field(default=SCALE, kw_only=True, repr=False)

    def __post_init__(self) -> None:
        check_size(self.size, "size")
        self.weight(as_epsilon(self.epsilon))

    @cached_property
    def truth(self) -> int:
        """W, the weight of what speaks for the sender's own value, against S of anything else."""
        return self.weight(as_epsilon(self.epsilon))

    @property
    @abstractmethod
    def p(self) -> Fraction:
        """The mean score that a report gives to its own value."""

    @property
    @abstractmethod
    def q(self) -> Fraction:
        """The mean score that a report gives to any other value."""

    @abstractmethod
    def channel(self) -> list[Row[R]]:
        """Pr[report | value] as exact fractions, one row per value. For small sizes only."""

    @abstractmethod
    def randomize(self, value: int, words: Words) -> R:
        """One report for one value: the client's whole part."""

    @abstractmethod
    def support(self, report: R, value: int) -> int:
        """How much a report speaks for a value: 0 or 1 for most mechanisms."""

    @property
    @abstractmethod
    def report_bytes(self) -> int:
        """Bytes of one report on the wire."""

    @property
    def most_support(self) -> int:
        """The largest score one report can give."""
        return 1

    @property
    def noise_variance(self) -> Fraction:
        """The variance of the score of a value that the sender does not hold."""
        return self.q * (1 - self.q)

    @property
    def own_variance(self) -> Fraction:
        """The variance of the score of the value that the sender holds."""
        return self.p * (1 - self.p)

    @property
    def even_noise(self) -> bool:
        """Whether the score of a value has the same variance whichever other value the sender holds."""
        return True

    @property
    def counters(self) -> int:
        """How many counters the server keeps until it answers."""
        return self.size

    @property
    def variance(self) -> float:
        """The variance that one report adds to the estimate of a rare value."""
        return float(self.noise_variance / (self.p - self.q) ** 2)

    @property
    def leverage(self) -> float:
        """What one forged report is worth, in honest reports."""
        return float((self.most_support - self.q) / (self.p - self.q))

    def debias(self, score: int, reports: int) -> Fraction:
        """The unbiased estimate of a value's count from its summed score over `reports` reports."""
        return (score - reports * self.q) / (self.p - self.q)

    def check_value(self, value: int) -> int:
        """The value as a plain integer, if it is one; a private value is never repeated in an error.

        Only the integer that is returned may be used: one of 32 bits, say, would be cut off by a shift.
        """
        try:
            whole = -1 if isinstance(value, bool) else index(value)
        except TypeError:
            whole = -1
        if not 0 <= whole < self.size:
            raise InvalidField("value", f"must be a whole number in 0 … {self.size - 1}", "one that is not (withheld)")
        return whole

    def weight(self, epsilon: Fraction) -> int:
        """W = ⌊S·e^ε⌋ for the whole budget or a part of it, if it says anything at all."""
        weight = truth_weight(epsilon, self.scale)
        if weight <= self.scale:
            raise InvalidField("epsilon", f"must lift a weight of {self.scale} by at least 1", float(self.epsilon))
        return weight

    def check_total(self, total: int) -> int:
        """The total of the weights, if one 63-bit draw can cover it."""
        if total > MAX_BOUND:
            raise InvalidField("size and epsilon", "must keep the total of the weights within 2^63", total)
        return total
