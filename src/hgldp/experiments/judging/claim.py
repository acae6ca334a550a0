"""Claims of the paper with the rules that judge them, and what we found where results differ from its text."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum

from hgldp.errors import InvalidField
from hgldp.experiments.judging.view import NotMeasured, View
from hgldp.experiments.measurement import OURS, PUBLISHED
from hgldp.experiments.results import Results

BOTH = (OURS, PUBLISHED)
Rule = Callable[[View], "Verdict"]
Expected = tuple[str, str, bool]
BORNE_OUT = {True: "this run bears it out", False: "this run does not bear it out", None: "this run cannot tell"}


class Section(StrEnum):
    """A section of the paper, in its order."""

    ABSTRACT = "Abstract"
    INTRODUCTION = "Introduction"
    BASELINE = "A Baseline Scheme: BGR"
    DSR = "DSR"
    BDR = "BDR"
    CNR = "CNR"
    ACCURACY = "Comparison of Accuracy"
    PARAMETERS = "Impact of Key Parameters"
    MEMORY = "Comparison of Memory Consumption"
    DISCUSSION = "Discussion"
    CONCLUSION = "Conclusion"
    DETAILS = "Appendix, Implementation Details"
    SUPPLEMENT = "Appendix, Supplementary Experiments"


@dataclass(frozen=True)
class Verdict:
    """Whether the claim holds (None: cannot be judged), the number that says so, and what was compared."""

    holds: bool | None
    number: str
    why: str

    @classmethod
    def of_all(cls, parts: Iterable[tuple[bool, str]], why: str) -> "Verdict":
        """For a claim of several parts, each with its number: it holds if all of them do."""
        found = tuple(parts)
        return cls(all(holds for holds, _ in found), "; ".join(number for _, number in found), why)

    @property
    def word(self) -> str:
        """The verdict in words."""
        return {True: "holds", False: "does not hold", None: "cannot be judged"}[self.holds]


@dataclass(frozen=True)
class Claim:
    """A claim of the paper; `text` says it in our words. `variants` are the implementations it is judged for."""

    id: str
    section: Section
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
        """The verdict on the first of the implementations."""
        return self._verdict(results, self.variants[0])

    def _verdict(self, results: Results, variant: str) -> Verdict:
        try:
            return self.rule(View(results, variant))
        except NotMeasured as missing:
            return Verdict(None, "", f"not measured: {missing}")


@dataclass(frozen=True)
class Finding:
    """What we found. `measure` puts its numbers into a sentence; `rests_on` are verdicts that it expects."""

    id: str
    title: str
    text: str
    measure: Callable[[Results], str]
    rests_on: tuple[Expected, ...] = ()

    def number(self, results: Results, claims: Iterable[Claim]) -> str:
        """Its numbers and whether this run bears it out, or what was not measured."""
        try:
            said = self.measure(results)
        except NotMeasured as missing:
            return f"not measured: {missing}"
        return f"{said} ({BORNE_OUT[self.holds(results, claims)]})" if self.rests_on else said

    def holds(self, results: Results, claims: Iterable[Claim]) -> bool | None:
        """Whether this run's verdicts on the paper's claims are those that the finding expects; None if unknown."""
        known = {claim.id: claim for claim in claims}
        found = [(known[name].verdicts(results)[variant].holds, holds) for name, variant, holds in self.rests_on]
        if any(verdict is None for verdict, _ in found):
            return None
        return all(verdict is holds for verdict, holds in found)
