"""Comparison of Accuracy: the paper's four schemes among themselves."""

from itertools import combinations, pairwise

from hgldp.experiments.claims.claim import Claim, Verdict
from hgldp.experiments.claims.gaps import CLEARLY, TO_WIN, contest, rises
from hgldp.experiments.claims.view import FIGURES, IN_TURN, SYNTHETIC, View
from hgldp.experiments.measurement import NO_BUDGET

SECTION = "Comparison of Accuracy"
ANY, ONE = 100.0, 1.0
AGREE = 0.9


def in_turn(view: View, *metrics: str) -> Verdict:
    """Each scheme against the one before it."""
    found, holds = [], True
    for before, after in pairwise(IN_TURN):
        for metric in metrics:
            match = contest(view.accuracy(after), view.accuracy(before), metric)
            holds = holds and match.won
            found.append(f"{after} over {before}, {metric}: {match}")
    why = f"each step must {TO_WIN}"
    return Verdict(holds, "; ".join(found), why + (" (AAE: relative gains)" if "aae" in metrics else ""))


def dsr_gains_with_epsilon(view: View) -> Verdict:
    """DSR − BGR above ε = 1 against the same up to ε = 1."""
    match = contest(view.accuracy("dsr", SYNTHETIC), view.accuracy("bgr", SYNTHETIC), "ndcg")
    low, high = match.among(NO_BUDGET, ONE + 1e-9), match.among(ONE + 1e-9, ANY)
    number = f"dsr − bgr, NDCG: {low.shown} at ε ≤ 1, {high.shown} above"
    holds = rises(low, high) and high.gap > CLEARLY * high.error
    return Verdict(holds, number, "synthetic streams; above ε = 1 there must be a gap, and the larger one")


def cnr_gains_as_epsilon_falls(view: View) -> Verdict:
    """CNR − BDR below ε = 1 against the same above."""
    match = contest(view.accuracy("cnr", SYNTHETIC), view.accuracy("bdr", SYNTHETIC), "ndcg")
    low, high = match.among(NO_BUDGET, ONE), match.among(ONE, ANY)
    number = f"cnr − bdr, NDCG: {low.shown} at ε < 1, {high.shown} from 1 on"
    holds = rises(high, low) and low.gap > CLEARLY * low.error
    return Verdict(holds, number, "synthetic streams; below ε = 1 there must be a gap, and the larger one")


def aae_agrees(view: View) -> Verdict:
    """How often AAE and another metric put two schemes in the same order."""
    found, holds = [], True
    for metric in ("ndcg", "precision"):
        same = different = 0
        for one, other in combinations(IN_TURN, 2):
            first, second = view.accuracy(one), view.accuracy(other)
            by_error = {(p.stream, p.epsilon): p for p in contest(first, second, "aae").points}
            for point in contest(first, second, metric).points:
                error = by_error.get((point.stream, point.epsilon))
                if error is not None and point.clear and error.clear:
                    same, different = same + (point.gap * error.gap > 0), different + (point.gap * error.gap < 0)
        share = same / max(same + different, 1)
        holds = holds and share >= AGREE
        found.append(f"AAE and {metric} agree in {same} of {same + different} comparisons")
    return Verdict(holds, "; ".join(found), f"pairs of schemes that differ clearly by both; at least {AGREE:.0%}")


def ndcg_below_precision(view: View) -> Verdict:
    """Precision − NDCG at every scheme, stream and ε."""
    gaps = [
        group.mean("precision") - group.mean("ndcg")
        for scheme in (*IN_TURN, "grr", "hr")
        for stream in view.accuracy(scheme).by("stream").values()
        for group in stream.by("epsilon").values()
    ]
    below, mean = sum(gap >= 0 for gap in gaps), sum(gaps) / len(gaps)
    number = f"NDCG is not above precision at {below} of {len(gaps)} points; precision − NDCG {mean:+.3f} on average"
    why = f"the four schemes, grr and hr on all {FIGURES.name}; at least {AGREE:.0%} of the points"
    return Verdict(below >= AGREE * len(gaps), number, why)


CLAIMS = (
    Claim(
        "accuracy-in-turn",
        SECTION,
        "The accuracy of BGR, DSR, BDR and CNR “improves sequentially” (NDCG and precision).",
        lambda view: in_turn(view, "ndcg", "precision"),
    ),
    Claim(
        "aae-in-turn",
        SECTION,
        "The AAE of BGR, DSR, BDR and CNR “decreases in turn”.",
        lambda view: in_turn(view, "aae"),
    ),
    Claim(
        "dsr-gains-with-epsilon",
        SECTION,
        "What DSR gains over BGR is the more obvious, the larger ε is.",
        dsr_gains_with_epsilon,
    ),
    Claim(
        "cnr-gains-as-epsilon-falls",
        SECTION,
        "CNR's advantage over BDR is the more significant, the smaller ε is.",
        cnr_gains_as_epsilon_falls,
    ),
    Claim(
        "ndcg-below-precision",
        SECTION,
        "The NDCG of all schemes is slightly lower than their precision, on all streams.",
        ndcg_below_precision,
    ),
    Claim(
        "aae-agrees",
        SECTION,
        "Comparing the schemes by AAE gives the same as comparing them by NDCG and precision.",
        aae_agrees,
    ),
)
