"""One assertion of the paper, and the rule that judges it from results."""

from collections.abc import Callable
from dataclasses import dataclass

from hgldp.errors import InvalidField
from hgldp.experiments.claims.view import OURS, PUBLISHED, NotMeasured, View
from hgldp.experiments.results import Results

BOTH = (OURS, PUBLISHED)
Rule = Callable[[View], "Verdict"]


@dataclass(frozen=True)
class Verdict:
    """Whether the claim holds (None: cannot be judged), the number that says so, and what was compared."""

    holds: bool | None
    number: str
    why: str

    @property
    def word(self) -> str:
        """As a reader sees it."""
        return {True: "holds", False: "does not hold", None: "cannot be judged"}[self.holds]


@dataclass(frozen=True)
class Claim:
    """`text` is the claim in our words. `variants` are the implementations it can be asked of."""

    id: str
    section: str
    text: str
    rule: Rule
    variants: tuple[str, ...] = BOTH

    def __post_init__(self) -> None:
        if not (self.id and self.section and self.text):
            raise InvalidField("claim", "must have an id, a section and a text", self.id)
        if not self.variants or not set(self.variants) <= set(BOTH):
            raise InvalidField("variants", f"must be some of {', '.join(BOTH)}", self.variants)

    def verdicts(self, results: Results) -> dict[str, Verdict]:
        """One for every implementation: our repaired schemes first, then the authors' as published."""
        return {variant: self._verdict(results, variant) for variant in self.variants}

    def judge(self, results: Results) -> Verdict:
        """The verdict of the first implementation that the claim can be asked of."""
        return self._verdict(results, self.variants[0])

    def _verdict(self, results: Results, variant: str) -> Verdict:
        try:
            return self.rule(View(results, variant))
        except NotMeasured as missing:
            return Verdict(None, "", f"not measured: {missing}")
