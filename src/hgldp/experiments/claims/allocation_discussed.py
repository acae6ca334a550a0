"""Discussion: the allocation once more, with another recommendation."""

from fractions import Fraction
from itertools import pairwise

from hgldp.experiments.claims.allocation import SCHEMES, change, near_best
from hgldp.experiments.claims.claim import Claim, Verdict
from hgldp.experiments.claims.gaps import CLEARLY, TO_WIN, contest
from hgldp.experiments.claims.splits import HALF, NINTH, TWO, at_split, splits_of
from hgldp.experiments.claims.starts import UNIFORM
from hgldp.experiments.claims.view import EXPONENTIAL, FADING, NORMAL, ONE_PERCENT, SYNTHETIC, Family, NotMeasured, View

SECTION = "Discussion"
DISCERNIBLE, MOST = 0.02, 0.5


def no_advantage_on_exponential(view: View) -> Verdict:
    """From 1/2 to 1/9 on exponential streams."""
    gains = [change(view, scheme, "ndcg", (HALF, NINTH), EXPONENTIAL) for scheme in SCHEMES]
    number = "; ".join(f"{scheme}: {gain}" for scheme, gain in zip(SCHEMES, gains, strict=True))
    holds = all(gain.gap <= max(DISCERNIBLE, CLEARLY * gain.error) for gain in gains)
    return Verdict(holds, number, f"NDCG gained from ε1/ε2 = 1/2 to 1/9; discernible if above {DISCERNIBLE}")


def error_falls_throughout(view: View) -> Verdict:
    """AAE at every step down."""
    found, holds = [], True
    for scheme in SCHEMES:
        rows = view.setting(scheme, "judge_share", SYNTHETIC)
        errors = [at_split(rows, split) for split in splits_of(rows)]
        steps = [contest(later, earlier, "aae") for earlier, later in pairwise(errors)]
        if not steps:
            raise NotMeasured("at least two splits")
        holds = holds and all(step.gap > -CLEARLY * step.error for step in steps) and sum(s.gap for s in steps) > 0
        found.append(f"{scheme}: " + " → ".join(f"{rows.mean('aae'):,.0f}" for rows in errors))
    return Verdict(
        holds, "; ".join(found), "mean AAE from the largest ε1 to the smallest; no step may raise it clearly"
    )


def less_regular_than_aae(view: View) -> Verdict:
    """How many steps down in ε1 make a metric worse, case by case."""
    back = {"aae": 0, "ndcg": 0, "precision": 0}
    steps = 0
    for scheme in SCHEMES:
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
    losses = [change(view, scheme, "precision", (NINTH, TWO)) for scheme in SCHEMES]
    number = "; ".join(f"{scheme}: {loss}" for scheme, loss in zip(SCHEMES, losses, strict=True))
    why = "precision from ε1/ε2 = 1/9 to 2/1 on synthetic streams; must be clearly worse somewhere for each scheme"
    return Verdict(all(loss.worse for loss in losses), number, why)


def another_split_helps(view: View, family: Family, warmup: str, steps: tuple[Fraction, Fraction]) -> Verdict:
    """What precision gains by a step, which evicts more or retains more."""
    gains = []
    for scheme in SCHEMES:
        rows = view.setting(scheme, "judge_share", family, warmup)
        gains.append(contest(at_split(rows, steps[1]), at_split(rows, steps[0]), "precision"))
    number = "; ".join(f"{scheme}: {gain}" for scheme, gain in zip(SCHEMES, gains, strict=True))
    before, after = (str(split / (1 - split)) for split in steps)
    why = f"precision gained from ε1/ε2 = {before} to {after} on {family.name}, start {warmup}; both must {TO_WIN}"
    return Verdict(all(gain.won for gain in gains), number, why)


CLAIMS = (
    Claim(
        "more-to-judge-need-not-help",
        SECTION,
        "A larger ε1 “does not necessarily” improve the precision of the list.",
        more_to_judge_need_not_help,
    ),
    Claim(
        "eviction-helps-after-a-wrong-start",
        SECTION,
        "For instance: after a wrong start, a smaller ε1 improves precision, since more is evicted.",
        lambda view: another_split_helps(view, NORMAL, UNIFORM, (TWO, NINTH)),
    ),
    Claim(
        "retention-helps-an-early-top",
        SECTION,
        "For instance: where the top is concentrated in the first half, a larger ε1 improves precision.",
        lambda view: another_split_helps(view, FADING, ONE_PERCENT, (NINTH, TWO)),
    ),
    Claim(
        "no-advantage-on-exponential",
        SECTION,
        "On the exponential stream a smaller ε1 gives NDCG no “discernible advantage”.",
        no_advantage_on_exponential,
    ),
    Claim(
        "more-to-naming-lowers-error",
        SECTION,
        "The larger ε2, the smaller the count error, as the theorem on BDR says.",
        error_falls_throughout,
    ),
    Claim(
        "a-half-is-promising",
        SECTION,
        "ε1/ε2 = 0.5 is suggested as promising “in most scenarios”.",
        lambda view: near_best(view, HALF, 0.05, MOST),
    ),
    Claim(
        "order-less-regular-than-error",
        SECTION,
        "As ε1 and ε2 change, precision and NDCG are not as regular as AAE.",
        less_regular_than_aae,
    ),
)
