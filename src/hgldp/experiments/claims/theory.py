"""What the theorems and the sections on the schemes say about error and domain."""

from hgldp.experiments.bounds import bdr_bound, bgr_bound
from hgldp.experiments.claims.claim import Claim, Verdict
from hgldp.experiments.claims.gaps import CLEARLY, TO_WIN, contest, rises
from hgldp.experiments.claims.splits import lost_to_domain, on_domain
from hgldp.experiments.claims.view import COLD, EXPONENTIAL, FIGURES, NORMAL, SYNTHETIC, View
from hgldp.experiments.results import Results, Row

BETA, JUDGE = 0.05, 1 / 3
PROPORTIONAL = 0.25


def bound_of(row: Row) -> float:
    """The theorem's bound for the scheme of a row, with the printed split, all decay left out (α = 0)."""
    one, reports = row.measurement, int(row.values["reports"])
    if one.scheme in ("bgr", "dsr"):
        size = int(row.values["domain_size"])
        return bgr_bound(reports=reports, domain_size=size, epsilon=one.epsilon, alpha=0, beta=BETA)
    cells = one.get("cells")
    split = {"judge": one.epsilon * JUDGE, "value": one.epsilon * (1 - JUDGE)}
    return bdr_bound(reports=reports, cells=int(cells) if cells else 2 * one.k, alpha=0, beta=BETA, **split)


def error_is_bounded(view: View) -> Verdict:
    """The mean error of a count against its bound, run by run."""
    found, holds = [], True
    for scheme in ("bgr", "dsr", "bdr", "cnr"):
        ratios = sorted(row.values["aae"] / bound_of(row) for row in view.accuracy(scheme))
        within = sum(ratio <= 1 for ratio in ratios)
        holds = holds and within >= (1 - BETA) * len(ratios)
        found.append(f"{scheme}: within in {within} of {len(ratios)} runs, median {ratios[len(ratios) // 2]:.1%} of it")
    return Verdict(holds, "; ".join(found), f"AAE against the theorem's bound without decay, β = {BETA}")


def growth(rows: Results) -> tuple[float, float]:
    """By what factor AAE and domain grow from the smallest synthetic domain to the largest."""
    small, large = on_domain(rows, min), on_domain(rows, max)
    return large.mean("aae") / max(small.mean("aae"), 1e-9), large.mean("domain_size") / small.mean("domain_size")


def proportional_to_domain(view: View) -> Verdict:
    """BGR's measured error at the smallest and the largest domain."""
    error, domain = growth(view.accuracy("bgr", SYNTHETIC))
    number = f"AAE grows {error:.2f}-fold while the domain grows {domain:.0f}-fold"
    return Verdict(
        abs(error / domain - 1) <= PROPORTIONAL, number, "synthetic streams, all ε; the bound does, by its form"
    )


def domain_matters_less(view: View) -> Verdict:
    """NDCG lost from the smallest to the largest domain."""
    lost = {scheme: lost_to_domain(view.accuracy(scheme, SYNTHETIC), "ndcg") for scheme in ("bgr", "dsr", "bdr")}
    number = ", ".join(f"{scheme} {cost.shown}" for scheme, cost in lost.items())
    holds = all(rises(lost["bdr"], lost[scheme]) for scheme in ("bgr", "dsr"))
    return Verdict(holds, number, "NDCG lost from the smallest to the largest domain; clearly less for BDR")


def more_on_concentrated(view: View) -> Verdict:
    """DSR − BGR on the normal stream against the exponential one, whose top holds less."""
    normal, spread = (
        contest(view.accuracy("dsr", family), view.accuracy("bgr", family), "ndcg") for family in (NORMAL, EXPONENTIAL)
    )
    held = [view.accuracy("dsr", family).mean("top_share") for family in (NORMAL, EXPONENTIAL)]
    said = [
        f"{gap:+.3f} where the top holds {top:.0%}" for gap, top in zip((normal.gap, spread.gap), held, strict=True)
    ]
    number = f"dsr − bgr, NDCG: {said[0]} (normal), {said[1]} (exponential)"
    concentrated, other = (normal, spread) if held[0] >= held[1] else (spread, normal)
    return Verdict(rises(other, concentrated), number, "the stream whose top holds more must show the larger gap")


def beyond(view: View, after: str, before: str) -> Verdict:
    """One scheme against the one that it improves on."""
    match = contest(view.accuracy(after), view.accuracy(before), "ndcg")
    return Verdict(match.won, f"{after} over {before}, NDCG: {match}", f"all {FIGURES.name}; must {TO_WIN}")


def light_part_helps(view: View) -> Verdict:
    """CNR with its light part against BDR without one, at small ε."""
    match = contest(view.accuracy("cnr", NORMAL), view.accuracy("bdr", NORMAL), "ndcg").among(0.0, 1.0)
    number = f"cnr − bdr at ε < 1: {match.shown}"
    why = "NDCG on normal streams; the authors' light part has 5 cells, ours as many as there are cells beyond k"
    return Verdict(match.gap > CLEARLY * match.error, number, why)


def longer_light_part(view: View) -> Verdict:
    """CNR with the shortest and with the longest light part that was run."""
    rows = view.setting("cnr", "light_cells", NORMAL, COLD).with_no_settings_but(
        "variant", "cells", "hot_share", "light_cells"
    )
    groups = view.need(rows, "cnr with nothing moved but the light cells").by("light_cells")
    sizes = sorted(int(size) for size in groups if size is not None)
    match = contest(groups[sizes[-1]], groups[sizes[0]], "precision")
    shown = ", ".join(f"{size}: {groups[size].mean('precision'):.3f}" for size in sizes)
    number = f"precision with light cells {shown}; {match.shown} from first to last"
    return Verdict(len(sizes) > 1 and match.gap > CLEARLY * match.error, number, "normal stream, no warm-up")


CLAIMS = (
    Claim(
        "error-grows-with-domain",
        "A Baseline Scheme: BGR",
        "The error of BGR grows in proportion to d.",
        proportional_to_domain,
    ),
    Claim(
        "dsr-better-on-concentrated",
        "DSR",
        "What DSR gains over BGR is larger on more concentrated streams.",
        more_on_concentrated,
    ),
    Claim(
        "dsr-beyond-bgr",
        "DSR",
        "DSR alleviates the low utility that a large domain causes in BGR.",
        lambda view: beyond(view, "dsr", "bgr"),
    ),
    Claim(
        "bdr-beyond-dsr",
        "BDR",
        "BDR “further enhances accuracy beyond DSR”.",
        lambda view: beyond(view, "bdr", "dsr"),
    ),
    Claim(
        "cnr-beyond-bdr",
        "CNR",
        "CNR uses idle budget and the light part to improve further on BDR.",
        lambda view: beyond(view, "cnr", "bdr"),
    ),
    Claim(
        "bdr-suffers-less-from-domain",
        "BDR",
        "BDR reduces the impact of a large domain significantly, compared to BGR and DSR.",
        domain_matters_less,
    ),
    Claim(
        "light-part-of-five",
        "CNR",
        "Five light cells for a top 20 give a significant improvement at small ε on a concentrated stream.",
        light_part_helps,
    ),
    Claim("longer-light-part", "CNR", "A longer light part provides more accurate new hot items.", longer_light_part),
    Claim(
        "error-within-bounds",
        "Appendix, Implementation Details",
        "The error of the implementation is bounded by the theorems, and even lower.",
        error_is_bounded,
    ),
)
