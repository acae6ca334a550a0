"""What to say of the main claims, each in one line that follows from the verdicts."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial

from hgldp.experiments.judging.gaps import levels
from hgldp.experiments.judging.view import NotMeasured, View
from hgldp.experiments.measurement import HOT_LISTS, ONE_PERCENT, OURS, PUBLISHED, WARMUP
from hgldp.experiments.results import Results
from hgldp.simulation.run import HEAVY_GUARDIAN

SUBJECTS = {"ours": "our schemes", "authors' code": "the published ones"}
VIEWS = {"ours": OURS, "authors' code": PUBLISHED}  # the words of the report for each implementation
ORACLES = ("hr", "grr")
NAMES = re.compile(r"\b(bgr|dsr|bdr|cnr|pfr|grr|hr|olh)\b")


@dataclass(frozen=True)
class Said:
    """A verdict and the number behind it."""

    holds: bool | None
    number: str


Measure = Callable[[Results], str]


@dataclass(frozen=True)
class Headline:
    """What to say of a claim that holds and of one that does not, after its subject, which is plural.

    `yes` and `no` say it in short where the subject before had the other verdict. Without a subject it is the schemes
    of each implementation. Without `measure` the numbers are those of the verdicts, after a `lead` that says what they
    are.
    """

    claim: str
    holds: str
    fails: str
    yes: str = ""
    no: str = ""
    measure: Measure | None = None
    subject: str = ""
    lead: str = ""

    def line(self, verdicts: Mapping[str, Said], results: Results) -> str:
        """One sentence with everybody's verdict, and one with the numbers, if anything was measured."""
        numbers = self._numbers(verdicts, results)
        return sentence("; ".join(self._parts(verdicts))) + (f" {sentence(numbers)}" if numbers else "")

    def _parts(self, verdicts: Mapping[str, Said]) -> Iterator[str]:
        groups: dict[bool | None, list[str]] = {}
        for who, said in verdicts.items():
            groups.setdefault(said.holds, []).append(self.subject or SUBJECTS[who])
        judged = {holds for holds in groups if holds is not None}
        for place, (holds, names) in enumerate(groups.items()):
            subjects = " and ".join(names)
            if holds is None:
                yield f"this run cannot tell whether {subjects} {self.holds}"
            elif place and len(judged) > 1:
                yield f"{subjects} {self.yes if holds else self.no}"
            else:
                yield f"{subjects} {self.holds if holds else self.fails}"

    def _numbers(self, verdicts: Mapping[str, Said], results: Results) -> str:
        judged = {who: said.number for who, said in verdicts.items() if said.holds is not None}
        if not judged:
            return ""
        if self.measure is not None:
            return _or_nothing(self.measure, results)
        said = "; ".join(f"{who}: {number}" if len(verdicts) > 1 else number for who, number in judged.items())
        return NAMES.sub(lambda name: name[0].upper(), f"{self.lead}: {said}" if self.lead else said)


def sentence(text: str) -> str:
    """With a capital and a full stop."""
    return f"{text[:1].upper()}{text[1:]}." if text else ""


def _or_nothing(measure: Measure, results: Results) -> str:
    try:
        return measure(results)
    except NotMeasured:
        return ""


def _ndcg(who: str, names: Iterable[str], results: Results) -> str:
    """The mean NDCG of each, over what all of them were run on."""
    view, names = View(results, VIEWS[who]), tuple(names)
    rows = [view.accuracy(name, warmup=ONE_PERCENT) for name in names]
    return ", ".join(f"{_name(name)} {level:.2f}" for name, level in zip(names, levels("ndcg", *rows), strict=True))


def _name(scheme: str) -> str:
    return {WARMUP: "the sample alone", HEAVY_GUARDIAN: "HeavyGuardian"}.get(scheme, scheme.upper())


def _both(names: Iterable[str]) -> Measure:
    """Mean NDCG for each implementation that was run."""
    asked = tuple(names)

    def measure(results: Results) -> str:
        found = {who: _or_nothing(partial(_ndcg, who, asked), results) for who in VIEWS}
        parts = [f"{who}: {numbers}" for who, numbers in found.items() if numbers]
        return f"mean NDCG, {'; '.join(parts)}" if parts else ""

    return measure


HEADLINES = (
    Headline(
        "more-accurate-than-baselines",
        "are on the whole more accurate than GRR and HR, which count every possible item",
        "are not all more accurate than GRR and HR, which count every possible item",
        "are",
        "are not all",
        _both(("dsr", "bdr", "cnr", *ORACLES)),
    ),
    Headline(
        "accuracy-in-turn",
        "get more accurate with each step from BGR over DSR and BDR to CNR, at nine points of ten at least",
        "do not get more accurate with each step from BGR over DSR and BDR to CNR at nine points of ten",
        "do",
        "do not",
        _both(HOT_LISTS),
    ),
    Headline(
        "satisfactory-tradeoff",
        "beat the raw sample that they start from, at least one of DSR, BDR and CNR",
        "do not clearly beat the raw sample that they start from, none of DSR, BDR and CNR",
        "do, at least one of them",
        "do not, none of them",
        _both((*HOT_LISTS[1:], WARMUP)),
    ),
    Headline(
        "close-to-heavyguardian",
        "come within 0.1 of HeavyGuardian without privacy on every stream (BDR and CNR, mean over ε)",
        "fall more than 0.1 short of HeavyGuardian without privacy on some stream (BDR or CNR, mean over ε)",
        "stay within 0.1",
        "fall more than 0.1 short on some stream",
        _both(("bdr", "cnr", HEAVY_GUARDIAN)),
    ),
    Headline(
        "memory-2300-times",
        "save about 2,300 times the memory of GRR and HR over 41,270 items",
        "do not save about 2,300 times the memory of GRR and HR over 41,270 items",
        "do",
        "do not",
    ),
    Headline(
        "oracles-cannot-run-on-webdocs",
        "are too large for a stream of the size of webdocs",
        "are not too large for a stream of the size of webdocs",
        subject="GRR and HR",
    ),
    Headline(
        "encodings-defeat-bounded-memory",
        "were not shown to work in bounded memory",
        "work in bounded memory: PFR does, without any raw sample",
        subject="mechanisms that encode a large domain into few symbols",
    ),
    Headline(
        "filling-the-list-is-enough",
        "do no clear harm",
        "clearly harm at least one scheme",
        subject="samples of wrong items that only fill the list",
        lead="precision gained over no sample at all",
    ),
)
