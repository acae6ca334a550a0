"""Where our results differ from the paper's text: what, by how much, and why."""

from collections.abc import Callable
from dataclasses import dataclass

from hgldp.experiments.claims.registry import CLAIMS
from hgldp.experiments.claims.view import NotMeasured
from hgldp.experiments.results import Results

Expected = tuple[str, str, bool]
BORNE_OUT = {True: "this run bears it out", False: "this run does not bear it out", None: "this run cannot tell"}


@dataclass(frozen=True)
class Finding:
    """`measure` turns results into the sentence with the numbers; `rests_on` are verdicts that it expects."""

    id: str
    title: str
    text: str
    measure: Callable[[Results], str]
    rests_on: tuple[Expected, ...] = ()

    def number(self, results: Results) -> str:
        """The numbers that the finding rests on, and whether they bear it out; or what was not run."""
        try:
            said = self.measure(results)
        except NotMeasured as missing:
            return f"not measured: {missing}"
        return f"{said} ({BORNE_OUT[self.holds(results)]})" if self.rests_on else said

    def holds(self, results: Results) -> bool | None:
        """Whether the verdicts of this run are those that the finding speaks of."""
        claims = {claim.id: claim for claim in CLAIMS}
        found = [(claims[name].verdicts(results)[variant].holds, holds) for name, variant, holds in self.rests_on]
        if any(verdict is None for verdict, _ in found):
            return None
        return all(verdict is holds for verdict, holds in found)
