"""What was found, in ten lines that follow from the verdicts of the run they stand in."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial

from hgldp.experiments.judging.gaps import levels
from hgldp.experiments.judging.view import NotMeasured, View
from hgldp.experiments.measurement import HOT_LISTS, ONE_PERCENT, OURS, PUBLISHED, WARMUP
from hgldp.experiments.plotting.look import stream_title
from hgldp.experiments.results import Results
from hgldp.experiments.scale import WEBDOCS, Scale
from hgldp.simulation.generators import is_generator
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


@dataclass(frozen=True)
class Run:
    """All that was measured, at which scale; `left_out` figures were not asked for."""

    results: Results
    scale: Scale
    left_out: int = 0


Judged = Mapping[str, Mapping[str, Said]]
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
        return _sentence("; ".join(self._parts(verdicts))) + (f" {_sentence(numbers)}" if numbers else "")

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


def what_was_found(judged: Judged, results: Results, run: Run) -> list[str]:
    """The counts, then a line for each headline, then how far the run goes."""
    lines = [headline.line(judged[headline.claim], results) for headline in HEADLINES]
    return [_counts(judged), *lines, _reach(run)]


def _counts(judged: Judged) -> str:
    parts = []
    for who, subject in (
        ("ours", "our schemes"),
        ("authors' code", "the published ones, as the authors' code has them"),
    ):
        found = [verdicts[who].holds for verdicts in judged.values() if who in verdicts]
        unknown = f" and {found.count(None)} cannot be judged from this run" if None in found else ""
        parts.append(f"of {len(found)} for {subject}, {found.count(True)} hold, {found.count(False)} do not{unknown}")
    return _sentence(f"we put {len(judged)} claims of the paper to the test: {'; '.join(parts)}")


def _reach(run: Run) -> str:
    """How much was measured, on what, and what the paper had that this run had not."""
    streams = sorted({row.measurement.stream for row in run.results})
    real = [stream_title(name) for name in streams if not is_generator(name)]
    missing = [f"the whole of {name}" if f"{name}-first100k" in streams else name for name in run.scale.missing]
    parts = [
        f"this run at the scale {run.scale.name} has {len(run.results):,} measurements with at most "
        f"{_many(run.scale.repeats, 'seed')} each, on {_many(len(streams) - len(real), 'synthetic stream')} and "
        f"{f'the real streams {_listed(real)}' if real else 'no real stream'}"
    ]
    if missing:
        stands_in = WEBDOCS in missing and run.scale.webdocs in streams
        stand_in = f"; a Zipf stream stands in for {WEBDOCS}" if stands_in else ""
        parts.append(f"of the paper's streams it lacks {_listed(missing)}{stand_in}")
    if run.left_out:
        parts.append(f"{_many(run.left_out, 'figure')} of the report were not asked for, nor what they need measured")
    if run.results.failed:
        parts.append(f"{_many(len(run.results.failed), 'measurement')} failed")
    return " ".join(_sentence(part) for part in parts)


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}." if text else ""


def _many(number: int, noun: str) -> str:
    """
    >>> _many(1, "seed"), _many(20, "seed")
    ('1 seed', '20 seeds')
    """
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _listed(names: Iterable[str]) -> str:
    """
    >>> _listed(["retail"]), _listed(["retail", "kosarak, a part", "webdocs"])
    ('retail', 'retail; kosarak, a part; and webdocs')
    """
    *first, last = names
    apart = "; " if any("," in name for name in (*first, last)) else ", "
    if not first:
        return last
    return f"{apart.join(first)}{apart.rstrip() if apart == '; ' else ''} and {last}"


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
