"""Discussion: the allocation once more, with another recommendation."""

from fractions import Fraction
from itertools import pairwise

from hgldp.experiments.judging.claim import Claim, Finding, Section, Verdict
from hgldp.experiments.judging.gaps import CLEARLY, TO_WIN, contest
from hgldp.experiments.judging.view import EXPONENTIAL, FADING, NORMAL, SYNTHETIC, Family, NotMeasured, View
from hgldp.experiments.measurement import AUTHORS_CODE, ONE_PERCENT, OURS, Measurement
from hgldp.experiments.results import Results
from hgldp.experiments.scale import Scale
from hgldp.experiments.studies.accuracy.order import both_views
from hgldp.experiments.studies.parameters.allocation import (
    HALF,
    NINTH,
    PRINTED_SPLIT,
    SPLIT_SCHEMES,
    TWO,
    at_split,
    change,
    near_best,
    splits_of,
)
from hgldp.experiments.studies.study import Study, Topic

MOST_TO_JUDGE, LEAST_TO_JUDGE = "2/3", "1/10"
WRONG_START = "uniform 50"
DISCERNIBLE, MOST = 0.02, 0.5


def for_claims(scale: Scale) -> list[Measurement]:
    """Splits where the start is wrong, and where the top is gone half-way."""
    normal = scale.synthetic("normal", 1000)
    found = []
    for seed in scale.seeds:
        for epsilon in scale.few_epsilons:
            found += _splits(normal, epsilon, seed, WRONG_START)
            found += _splits(normal.replace("normal", "fading"), epsilon, seed)
    return found


def _splits(stream: str, epsilon: float, seed: int, warmup: str = Measurement.warmup) -> list[Measurement]:
    """The splits at both ends: most of ε for judging, and least."""
    return [
        Measurement(stream, scheme, epsilon, seed, warmup=warmup, settings=(*variant, ("judge_share", share)))
        for scheme in SPLIT_SCHEMES
        for variant in (PRINTED_SPLIT, AUTHORS_CODE)
        for share in (MOST_TO_JUDGE, LEAST_TO_JUDGE)
    ]


def no_advantage_on_exponential(view: View) -> Verdict:
    """From 1/2 to 1/9 on exponential streams."""
    gains = [change(view, scheme, "ndcg", (HALF, NINTH), EXPONENTIAL) for scheme in SPLIT_SCHEMES]
    number = "; ".join(f"{scheme}: {gain}" for scheme, gain in zip(SPLIT_SCHEMES, gains, strict=True))
    holds = all(gain.gap <= max(DISCERNIBLE, CLEARLY * gain.error) for gain in gains)
    return Verdict(holds, number, f"NDCG gained from ε1/ε2 = 1/2 to 1/9; discernible if above {DISCERNIBLE}")


def error_falls_throughout(view: View) -> Verdict:
    """AAE at every step down."""
    parts = []
    for scheme in SPLIT_SCHEMES:
        rows = view.setting(scheme, "judge_share", SYNTHETIC)
        errors = [at_split(rows, split) for split in splits_of(rows)]
        steps = [contest(later, earlier, "aae") for earlier, later in pairwise(errors)]
        if not steps:
            raise NotMeasured("at least two splits")
        holds = all(step.gap > -CLEARLY * step.error for step in steps) and sum(s.gap for s in steps) > 0
        number = f"{scheme}: " + " → ".join(f"{rows.mean('aae'):,.0f}" for rows in errors)
        parts.append((holds, number))
    return Verdict.of_all(parts, "mean AAE from the largest ε1 to the smallest; no step may raise it clearly")


def less_regular_than_aae(view: View) -> Verdict:
    """How many steps down in ε1 make a metric worse, case by case."""
    back = {"aae": 0, "ndcg": 0, "precision": 0}
    steps = 0
    for scheme in SPLIT_SCHEMES:
        for stream in view.setting(scheme, "judge_share", SYNTHETIC).by("stream").values():
            for rows in stream.by("epsilon").values():
                for one, other in pairwise(at_split(rows, split) for split in splits_of(rows)):
                    steps += 1
                    for metric in back:
                        back[metric] += contest(other, one, metric).gap < 0
    number = ", ".join(f"{metric} {count}" for metric, count in back.items()) + f" of {steps} steps"
    holds = min(back["ndcg"], back["precision"]) > back["aae"]
    return Verdict(holds, number, "steps to a smaller ε1 that make the mean worse; NDCG and precision must have more")


def more_to_judge_need_not_help(view: View) -> Verdict:
    """Precision from 1/9 to 2/1, case by case."""
    losses = [change(view, scheme, "precision", (NINTH, TWO)) for scheme in SPLIT_SCHEMES]
    number = "; ".join(f"{scheme}: {loss}" for scheme, loss in zip(SPLIT_SCHEMES, losses, strict=True))
    why = "precision from ε1/ε2 = 1/9 to 2/1 on synthetic streams; must be clearly worse somewhere for each scheme"
    return Verdict(all(loss.worse for loss in losses), number, why)


def another_split_helps(view: View, family: Family, warmup: str, steps: tuple[Fraction, Fraction]) -> Verdict:
    """What precision gains by a step to another split, which evicts more items or retains more."""
    gains = []
    for scheme in SPLIT_SCHEMES:
        rows = view.setting(scheme, "judge_share", family, warmup)
        gains.append(contest(at_split(rows, steps[1]), at_split(rows, steps[0]), "precision"))
    number = "; ".join(f"{scheme}: {gain}" for scheme, gain in zip(SPLIT_SCHEMES, gains, strict=True))
    before, after = (str(split / (1 - split)) for split in steps)
    why = f"precision gained from ε1/ε2 = {before} to {after} on {family.name}, start {warmup}; both must {TO_WIN}"
    return Verdict(all(gain.won for gain in gains), number, why)


def recommended_splits(results: Results) -> str:
    """NDCG of the two recommended splits."""
    found = []
    for label, view in zip(("ours", "as published"), both_views(results), strict=True):
        rows = view.setting("bdr", "judge_share", SYNTHETIC)
        half, ninth = at_split(rows, HALF).mean("ndcg"), at_split(rows, NINTH).mean("ndcg")
        found.append(f"bdr {label}: NDCG {half:.3f} at 1/2, {ninth:.3f} at 1/9")
    return "; ".join(found)


def allocation_of_the_tight_judge(results: Results) -> str:
    """The tight judge against the split of 1/2, at the same streams and ε."""
    view = View(results, OURS)
    split = at_split(view.setting("bdr", "judge_share", SYNTHETIC), HALF)
    match = contest(view.accuracy("bdr", SYNTHETIC), split, "aae")
    return f"the tight judge has {match.gap:.0%} less AAE than a split of 1/2"


CLAIMS = (
    Claim(
        "more-to-judge-need-not-help",
        Section.DISCUSSION,
        "A larger ε1 “does not necessarily” improve the precision of the list.",
        more_to_judge_need_not_help,
    ),
    Claim(
        "eviction-helps-after-a-wrong-start",
        Section.DISCUSSION,
        "For instance: after a wrong start, a smaller ε1 improves precision, since more is evicted.",
        lambda view: another_split_helps(view, NORMAL, WRONG_START, (TWO, NINTH)),
    ),
    Claim(
        "retention-helps-an-early-top",
        Section.DISCUSSION,
        "For instance: where the top is concentrated in the first half, a larger ε1 improves precision.",
        lambda view: another_split_helps(view, FADING, ONE_PERCENT, (NINTH, TWO)),
    ),
    Claim(
        "no-advantage-on-exponential",
        Section.DISCUSSION,
        "On the exponential stream a smaller ε1 gives NDCG no “discernible advantage”.",
        no_advantage_on_exponential,
    ),
    Claim(
        "more-to-naming-lowers-error",
        Section.DISCUSSION,
        "The larger ε2, the smaller the count error, as the theorem on BDR says.",
        error_falls_throughout,
    ),
    Claim(
        "a-half-is-promising",
        Section.DISCUSSION,
        "ε1/ε2 = 0.5 is suggested as promising “in most scenarios”.",
        lambda view: near_best(view, HALF, 0.05, MOST),
    ),
    Claim(
        "order-less-regular-than-error",
        Section.DISCUSSION,
        "As ε1 and ε2 change, precision and NDCG are not as regular as AAE.",
        less_regular_than_aae,
    ),
)

FINDINGS = (
    Finding(
        "two-recommendations",
        "1/9 and 1/2 cannot both be right, and neither is needed",
        "The evaluation recommends ε1/ε2 = 1/9, the discussion 1/2. Both split ε as if the worst report used up both "
        "parts; none does. A judge of two rates spends exactly ε on each report and has nothing to split.",
        lambda results: f"{recommended_splits(results)}; {allocation_of_the_tight_judge(results)}",
    ),
)

STUDY = Study("allocation-discussed", Topic.SPLIT, claims=CLAIMS, findings=FINDINGS, for_claims=for_claims)
