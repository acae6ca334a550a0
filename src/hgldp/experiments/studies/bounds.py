"""The error bounds of the paper's two theorems, as printed, and what is left of them on closer reading.

Both say: with at least the stated confidence, an item that was recorded all the time is underestimated by no more than
the bound. The report draws them beside what was measured. Four remarks on the print:

* `E(V)` and `P_weak` enter the confidence only. `P_weak` takes the other k − 1 cells for a uniform draw of the domain,
  so it is next to nothing, and the loss to decay, α·t, costs next to nothing. Cells hold the hottest items: with one
  bucket the k-th item *is* the weakest, and the confidence is then empty.
* The first theorem's appendix prints e^(ε+d−1) for e^ε + d − 1.
* The second theorem's appendix ends with N_h under the root. A term has t − N_h trials: t, as in the text, is right.
* Hoeffding's inequality knows no variance. The first bound grows with d, the standard error of GRR with its root.
"""

from math import exp, log, sqrt
from statistics import median

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from hgldp.errors import InvalidField
from hgldp.experiments.judging.claim import Claim, Finding, Section, Verdict
from hgldp.experiments.judging.view import SYNTHETIC, View, on_domain
from hgldp.experiments.measurement import HOT_LISTS, OURS, PUBLISHED
from hgldp.experiments.plotting.look import (
    BUDGET,
    DASH_DOT,
    DASHED,
    DOTTED,
    SCHEMES,
    SEQUENCE,
    Look,
    stream_place,
    stream_title,
)
from hgldp.experiments.plotting.panels import curve, grid, legend_below, name_axes
from hgldp.experiments.results import Results, Row
from hgldp.experiments.studies.study import Picture, Study, Topic
from hgldp.simulation.generators import parse_generator

COLUMNS = 3
BETA = 0.05
JUDGE_SHARE = 1 / 3
CELLS = 20
BOUNDS = {
    "bgr": Look("bound on BGR and DSR", SEQUENCE[4], "", DOTTED),
    "bdr": Look("bound on BDR and CNR", SEQUENCE[1], "", DASH_DOT),
}
MEASURED = {
    ("bgr", "as-published"): Look("BGR, authors' code", SCHEMES["bgr"].colour, "o", DASHED, hollow=True),
    ("bdr", "as-published"): Look("BDR, authors' code", SCHEMES["bdr"].colour, "D", DASHED, hollow=True),
    ("bgr", "default"): Look("BGR, ours", SCHEMES["bgr"].colour, "o"),
    ("bdr", "default"): Look("BDR, ours", SCHEMES["bdr"].colour, "D"),
}
PROPORTIONAL = 0.25


def bgr_bound(*, reports: int, domain_size: int, epsilon: float, alpha: float, beta: float) -> float:
    """Theorem on BGR: (√(2t·log(2/β)) + α·t)·(e^ε + d − 1)/(e^ε − 1).

    >>> round(bgr_bound(reports=100_000, domain_size=1000, epsilon=2.0, alpha=0.0, beta=0.05))
    135298
    """
    _check(reports, epsilon, alpha, beta)
    gain = (exp(epsilon) - 1) / (exp(epsilon) + domain_size - 1)
    return (sqrt(2 * reports * log(2 / beta)) + alpha * reports) / gain


def bdr_bound(*, reports: int, cells: int, judge: float, value: float, alpha: float, beta: float) -> float:
    """Theorem on BDR, and CNR: (3√(t·log(3/β)/2) + α·t)·(e^ε1 + 1)(e^ε2 + k − 1)/(e^ε1·(e^ε2 − 1)).

    >>> round(bdr_bound(reports=100_000, cells=20, judge=2 / 3, value=4 / 3, alpha=0.0, beta=0.05))
    16761
    """
    _check(reports, value, alpha, beta)
    if judge < 0:
        raise InvalidField("judge", "must be at least 0", judge)
    gain = exp(judge) * (exp(value) - 1) / ((exp(judge) + 1) * (exp(value) + cells - 1))
    return (3 * sqrt(reports * log(3 / beta) / 2) + alpha * reports) / gain


def _check(reports: int, epsilon: float, alpha: float, beta: float) -> None:
    if reports < 1:
        raise InvalidField("reports", "must be at least 1", reports)
    if not epsilon > 0:
        raise InvalidField("epsilon", "must be above 0", epsilon)
    if not 0 <= alpha < 1:
        raise InvalidField("alpha", "must be in [0, 1)", alpha)
    if not 0 < beta < 1:
        raise InvalidField("beta", "must be in (0, 1)", beta)


def draw_bounds(results: Results) -> Figure:
    """A panel for each synthetic stream."""
    streams = {str(stream): some for stream, some in results.by("stream").items() if SYNTHETIC.holds(str(stream))}
    names = sorted(streams, key=stream_place)
    figure, axes = grid(max(len(names), 1), COLUMNS)
    for panel, name in zip(axes, names, strict=False):
        _draw_bounds(panel, name, streams[name])
        for (scheme, variant), look in MEASURED.items():
            some = streams[name].where(scheme=scheme, variant=variant)
            curve(panel, [(float(str(epsilon)), rows) for epsilon, rows in some.by("epsilon").items()], "aae", look)
        name_axes(panel, stream_title(name), BUDGET, "aae")
    legend_below(figure, axes)
    return figure


def _draw_bounds(panel: Axes, stream: str, results: Results) -> None:
    made = parse_generator(stream)
    budgets = [float(str(epsilon)) for epsilon in results.by("epsilon") if epsilon]
    whole = [bgr_bound(reports=made.n, domain_size=made.d, epsilon=e, alpha=0, beta=BETA) for e in budgets]
    parts = [(e * JUDGE_SHARE, e * (1 - JUDGE_SHARE)) for e in budgets]
    cells = [bdr_bound(reports=made.n, cells=CELLS, judge=a, value=b, alpha=0, beta=BETA) for a, b in parts]
    panel.plot(budgets, whole, **BOUNDS["bgr"].style)
    panel.plot(budgets, cells, **BOUNDS["bdr"].style)


def bound_of(row: Row) -> float:
    """The theorem's bound for the scheme of a row, with the printed split, all decay left out (α = 0)."""
    one, reports = row.measurement, int(row.values["reports"])
    if one.scheme in ("bgr", "dsr"):
        size = int(row.values["domain_size"])
        return bgr_bound(reports=reports, domain_size=size, epsilon=one.epsilon, alpha=0, beta=BETA)
    cells = one.get("cells")
    split = {"judge": one.epsilon * JUDGE_SHARE, "value": one.epsilon * (1 - JUDGE_SHARE)}
    return bdr_bound(reports=reports, cells=int(cells) if cells else 2 * one.k, alpha=0, beta=BETA, **split)


def error_is_bounded(view: View) -> Verdict:
    """The mean error of a count against its bound, run by run."""
    parts = []
    for scheme in HOT_LISTS:
        ratios = sorted(row.values["aae"] / bound_of(row) for row in view.accuracy(scheme))
        within = sum(ratio <= 1 for ratio in ratios)
        holds = within >= (1 - BETA) * len(ratios)
        number = f"{scheme}: within in {within} of {len(ratios)} runs, median {ratios[len(ratios) // 2]:.1%} of it"
        parts.append((holds, number))
    return Verdict.of_all(parts, f"AAE against the theorem's bound without decay, β = {BETA}")


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


def bound_over_error(results: Results) -> str:
    """How many times the bound exceeds the error."""
    view = View(results, OURS)
    ratios = {
        scheme: median(bound_of(row) / max(row.values["aae"], 1e-9) for row in view.accuracy(scheme))
        for scheme in ("bgr", "bdr")
    }
    return "bound over AAE, median: " + ", ".join(f"{scheme} {ratio:,.0f}" for scheme, ratio in ratios.items())


def growth_with_domain(results: Results) -> str:
    """AAE of BGR from the smallest domain to the largest."""
    error, domain = growth(View(results, PUBLISHED).accuracy("bgr", SYNTHETIC))
    return f"BGR's AAE as published grows {error:.2f}-fold over a {domain:.0f}-fold domain"


PICTURE = Picture(
    "bounds",
    "The theorems' error bounds against the measured error",
    "Bounds with β = 0.05, all loss to decay left out (α = 0), which favours them; ε1/ε2 = 1/2 and 20 cells for BDR. "
    "They are for an item that was recorded all the time; AAE is the mean over the true top 20, 0 for what was lost."
    " Bars: 95 % confidence interval of the mean.",
    ("accuracy",),
    draw_bounds,
)

CLAIMS = (
    Claim(
        "error-grows-with-domain",
        Section.BASELINE,
        "The error of BGR grows in proportion to d.",
        proportional_to_domain,
    ),
    Claim(
        "error-within-bounds",
        Section.DETAILS,
        "The error of the implementation is bounded by the theorems, and even lower.",
        error_is_bounded,
    ),
)

FINDINGS = (
    Finding(
        "bounds-are-loose",
        "The theorems' bounds are far above the error, and not proportional to it",
        "They come from Hoeffding's inequality, which knows no variance: the bound of BGR grows with d, the standard "
        "error of its channel with the root of d. The chance that an item is the weakest is computed for cells drawn "
        "blindly from the domain; for the k hottest items it is 1 for the k-th, and the stated confidence is then "
        "empty. Items that were never recorded are left out, and these are what costs most.",
        lambda results: f"{bound_over_error(results)}; {growth_with_domain(results)}",
        (("error-grows-with-domain", PUBLISHED, False), ("error-within-bounds", PUBLISHED, True)),
    ),
)

STUDY = Study("bounds", Topic.BOUNDS, pictures=(PICTURE,), claims=CLAIMS, findings=FINDINGS)
