"""Comparison of Accuracy: what the paper finds different on the two real streams."""

from hgldp.experiments.claims.claim import Claim, Verdict
from hgldp.experiments.claims.gaps import CLEARLY, Contest, contest
from hgldp.experiments.claims.mechanisms import LIKE
from hgldp.experiments.claims.order import ANY, ONE, SECTION
from hgldp.experiments.claims.regimes import ALWAYS, share_of
from hgldp.experiments.claims.view import COLD, KOSARAK, NORMAL, PUBLISHED, REAL, SYNTHETIC, Family, View, on
from hgldp.experiments.measurement import NO_BUDGET
from hgldp.experiments.results import Results


def less_pronounced_on_real(view: View) -> Verdict:
    """Both gaps where they should be largest, on real and on synthetic streams."""
    found, holds = [], True
    for after, before, low, high in (("dsr", "bgr", ONE + 1e-9, ANY), ("cnr", "bdr", NO_BUDGET, ONE)):
        real, made = (
            contest(view.accuracy(after, family), view.accuracy(before, family), "ndcg").among(low, high)
            for family in (REAL, SYNTHETIC)
        )
        holds = holds and abs(real.gap) < abs(made.gap)
        found.append(f"{after} − {before}: {real.gap:+.3f} on real, {made.gap:+.3f} on synthetic streams")
    return Verdict(holds, "; ".join(found), "NDCG; dsr − bgr at ε > 1, cnr − bdr at ε < 1")


def apart(match: Contest) -> tuple[float, str]:
    """The mean distance of two schemes, and how it is said."""
    mean = sum(abs(point.gap) for point in match.points) / len(match.points)
    largest = max(match.points, key=lambda point: abs(point.gap))
    return mean, f"{mean:.3f} apart in NDCG on average, at most {largest.gap:+.3f} (ε = {largest.epsilon:g})"


def dsr_works_like_bgr(view: View) -> Verdict:
    """How often DSR randomises over the whole domain, and how far it is from BGR."""
    share, _ = share_of(view, REAL, NO_BUDGET, ANY)
    distance, said = apart(contest(view.accuracy("dsr", REAL), view.accuracy("bgr", REAL), "ndcg"))
    number = f"{share:.1%} of DSR's reports are over the whole domain; {said}"
    why = f"{REAL.name}; “always” is at least {ALWAYS:.0%}, in the same way if at most {LIKE} apart on average"
    return Verdict(share >= ALWAYS and distance <= LIKE, number, why)


def cnr_performs_like_bdr(view: View) -> Verdict:
    """How far CNR is from BDR."""
    distance, said = apart(contest(view.accuracy("cnr", REAL), view.accuracy("bdr", REAL), "ndcg"))
    return Verdict(distance <= LIKE, said, f"{REAL.name}; similar if at most {LIKE} apart on average")


def from_nothing(view: View, family: Family) -> Results:
    """CNR without a warm-up, where every item of its list has come through the light part."""
    allowed = ("variant", "cells", "hot_share") if view.variant == PUBLISHED else ()
    rows = view.results.where(scheme="cnr", variant=view.variant, warmup=COLD).with_no_settings_but(*allowed)
    return view.need(on(rows, family), f"cnr on {family.name} without a warm-up")


def light_part_is_inaccurate(view: View) -> Verdict:
    """What CNR finds through its light part alone, on a small domain and on a large one."""
    small, large = (from_nothing(view, family) for family in (NORMAL, KOSARAK))
    lost = small.mean("precision") - large.mean("precision")
    error = (small.standard_error("precision") ** 2 + large.standard_error("precision") ** 2) ** 0.5
    number = f"precision of cnr without a warm-up: {small.mean('precision'):.3f} on {NORMAL.name}, "
    number += f"{large.mean('precision'):.3f} on {KOSARAK.name}"
    why = "all that it holds has come through the light part; must be clearly less where the domain is large"
    return Verdict(lost > CLEARLY * error, number, why)


CLAIMS = (
    Claim(
        "less-pronounced-on-real",
        SECTION,
        "These two observations are “not pronounced” on the real streams.",
        less_pronounced_on_real,
    ),
    Claim(
        "dsr-like-bgr-on-real",
        SECTION,
        "On real streams DSR always randomises over the whole domain, in the same way as BGR.",
        dsr_works_like_bgr,
    ),
    Claim(
        "light-part-inaccurate-on-real",
        SECTION,
        "Reason given: a large domain leads to a low accuracy of the light part.",
        light_part_is_inaccurate,
    ),
    Claim(
        "cnr-like-bdr-on-real",
        SECTION,
        "On real streams CNR performs like BDR.",
        cnr_performs_like_bdr,
    ),
)
