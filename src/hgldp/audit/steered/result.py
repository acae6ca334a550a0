"""What a steered audit found: one exact ratio for each pair, and whether the uploads look alike."""

from dataclasses import dataclass
from fractions import Fraction
from math import inf

from hgldp.audit.pairs import Pair
from hgldp.audit.views import SPENDS, WHAT_DIFFERS
from hgldp.model.weights import Epsilon, spent, within


@dataclass(frozen=True)
class ExactComparison:
    """The largest ratio of two inputs' chances, over everything that can be sent; None where one chance is 0.

    `chances` are those of the most telling outcome: with the likelier input, and with the other.
    """

    pair: Pair
    view: str
    claim: Epsilon
    ratio: Fraction | None
    chances: tuple[Fraction, Fraction]

    @property
    def spends(self) -> float:
        """ln(ratio), for people to read."""
        return inf if self.ratio is None else spent(self.ratio)

    @property
    def broken(self) -> bool:
        """Whether the ratio is above e^claim, decided without rounding."""
        if self.ratio is None:
            return True
        return self.ratio != 1 if self.claim == 0 else not within(self.ratio, self.claim)

    @property
    def sentence(self) -> str:
        """What is wrong, without the items."""
        if self.view != SPENDS:
            return f"{self.pair.kind}: {WHAT_DIFFERS[self.view]}"
        if self.ratio is None:
            return f"{self.pair.kind}: one of them sends what the other never sends"
        return f"{self.pair.kind}: spends {self.spends:.12f} where {float(self.claim):.12g} is claimed"


@dataclass(frozen=True)
class SteeredResult:
    """All comparisons. There is no error rate: nothing was estimated.

    The client ran `runs` times; `checked` of them had random integers and were as predicted.
    """

    claim: Epsilon
    runs: int
    checked: int
    comparisons: tuple[ExactComparison, ...]

    @property
    def spending(self) -> tuple[ExactComparison, ...]:
        """The comparisons that give ε."""
        return tuple(each for each in self.comparisons if each.view == SPENDS)

    @property
    def spends(self) -> float:
        """ε of the worst pair."""
        return max(each.spends for each in self.spending)

    @property
    def broken(self) -> tuple[ExactComparison, ...]:
        """The comparisons that no honest client would show, the worst first."""
        return tuple(sorted((each for each in self.comparisons if each.broken), key=lambda each: -each.spends))

    @property
    def sentences(self) -> tuple[str, ...]:
        """What is wrong."""
        return tuple(each.sentence for each in self.broken)

    @property
    def passed(self) -> bool:
        """Whether nothing was found."""
        return not self.broken
