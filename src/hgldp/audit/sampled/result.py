"""What an audit found: one comparison for each pair and view, each with its bound and with what it could have found."""

from dataclasses import dataclass

from hgldp.audit.pairs import Pair
from hgldp.audit.views import ABSENCE, SPENDS, WHAT_DIFFERS


@dataclass(frozen=True)
class Comparison:
    """Two inputs seen in one way. The log ratio is at least `least`, and may be at most `claim`.

    `looked_at` says where the telling event was found; `hits` is how often it happened with the likelier input and with
    the other, in `draws` draws each. Spending of `found_from` or
    more would have been found with a chance of 95 %.
    """

    pair: Pair
    view: str
    claim: float
    looked_at: str
    draws: tuple[int, int]
    hits: tuple[int, int]
    least: float
    found_from: float

    @property
    def broken(self) -> bool:
        """Whether the inputs differ more than they may."""
        return self.least > self.claim

    @property
    def sentence(self) -> str:
        """What is wrong, without the items."""
        if self.view == SPENDS:
            return f"{self.pair.kind}: spends at least {self.least:.3f} where {self.claim:g} is claimed"
        seen = f"{self.hits[0]:,} of {self.draws[0]:,} draws against {self.hits[1]:,} of {self.draws[1]:,}"
        return f"{self.pair.kind}: {WHAT_DIFFERS[self.view]} ({seen})"


@dataclass(frozen=True)
class AuditResult:
    """All comparisons. The chance that any of them is wrong about an honest client is at most `error`."""

    claim: float
    error: float
    draws: int
    comparisons: tuple[Comparison, ...]
    share_from: float

    @property
    def spending(self) -> tuple[Comparison, ...]:
        """The comparisons that bound ε."""
        return tuple(each for each in self.comparisons if each.view == SPENDS)

    @property
    def spends_at_least(self) -> float:
        """The bound on ε: what the client spends at least."""
        return max((each.least for each in self.spending), default=0.0)

    @property
    def found_from(self) -> float:
        """Spending that is found with a chance of 95 %, whichever pair it is that tells (of those not found yet)."""
        honest = [each.found_from for each in self.spending if not each.broken]
        return max(honest, default=self.claim)

    @property
    def broken(self) -> tuple[Comparison, ...]:
        """The comparisons that no honest client would show, the worst first."""
        found = [each for each in self.comparisons if each.broken]
        return tuple(sorted(found, key=lambda each: (each.claim - each.least, each.view)))

    @property
    def sentences(self) -> tuple[str, ...]:
        """What is wrong. Where one input sends nothing, that its number, length and so on differ too goes unsaid."""
        silent = {each.pair for each in self.broken if each.view == ABSENCE}
        said = [each for each in self.broken if each.pair not in silent or each.view in (ABSENCE, SPENDS)]
        return tuple(each.sentence for each in said)

    @property
    def passed(self) -> bool:
        """Whether nothing was found."""
        return not self.broken
