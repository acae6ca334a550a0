"""The share of hot events γ_h that BDR and CNR are told when they debias, right or wrong."""

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from hgldp.experiments.judging.claim import Claim, Finding, Section, Verdict
from hgldp.experiments.judging.gaps import CLEARLY, contest
from hgldp.experiments.judging.view import NORMAL, NotMeasured, View
from hgldp.experiments.measurement import AUTHORS_CODE, OURS, Measurement, Setting, Settings
from hgldp.experiments.plotting.look import DASH_DOT, DASHED, DOTTED, GREY, SEQUENCE, Look
from hgldp.experiments.plotting.panels import curve, grid, legend_below, level, name_axes
from hgldp.experiments.results import Results
from hgldp.experiments.scale import Scale
from hgldp.experiments.studies.parameters.allocation import PRINTED_SPLIT, SPLIT_SCHEMES
from hgldp.experiments.studies.study import Picture, Study, Sweep, Topic

EPSILON = 0.6
SHARES = (0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.92, 0.95, 1.0)
AS_PRINTED: Settings = (("variant", "paper"), ("cells", 20))
METRICS = ("ndcg", "precision", "aae")
ACROSS = "share of hot events γ_h it is told (0 to 1)"
LINES = {
    "default": Look("ours, printed split", SEQUENCE[0], "o"),
    "paper": Look("the paper's pseudocode, mended", SEQUENCE[2], "s"),
    "as-published": Look("authors' code", SEQUENCE[1], "D", DASHED, hollow=True),
}
ONLINE_LINES = {
    "default": Look("ours, γ_h estimated online", SEQUENCE[0], "", DOTTED),
    "paper": Look("pseudocode, γ_h estimated online", SEQUENCE[2], "", DASH_DOT),
}
PRINTED_SHARE, TO_THE_DIGIT = 0.92, 0.005
VISIBLE, OBVIOUS = 0.1, 0.05
ONLINE = "online"
WARM_UP = "warm-up"
EXACT = "true"


def measurements(scale: Scale) -> list[Measurement]:
    """At the paper's ε = 0.6 on the normal stream; `online` estimates the share, `true` is the exact one."""
    found, stream = [], scale.synthetic("normal", 1000)
    for seed in scale.seeds:
        for scheme in SPLIT_SCHEMES:
            for variant in (PRINTED_SPLIT, AS_PRINTED, AUTHORS_CODE):
                told: tuple[Setting, ...] = (*SHARES, "true", *(() if variant is AUTHORS_CODE else ("online",)))
                for share in told:
                    settings = (*variant, ("hot_share", share))
                    found.append(Measurement(stream, scheme, EPSILON, seed, settings=settings))
    return found


def for_claims(scale: Scale) -> list[Measurement]:
    """γ_h from the warm-up, to compare with the exact one and one that is estimated online."""
    stream = scale.synthetic("normal", 1000)
    settings: Settings = (*PRINTED_SPLIT, ("hot_share", WARM_UP))
    return [
        Measurement(stream, scheme, EPSILON, seed, settings=settings)
        for seed in scale.seeds
        for scheme in SPLIT_SCHEMES
    ]


def draw_hot_share(results: Results) -> Figure:
    """A row for each scheme, a column for each metric; the true share of the true top is marked."""
    figure, axes = grid(len(SPLIT_SCHEMES) * len(METRICS), len(METRICS))
    panels = iter(axes)
    for scheme in SPLIT_SCHEMES:
        for metric in METRICS:
            panel = next(panels)
            _draw_panel(panel, results.where(scheme=scheme), metric)
            name_axes(panel, scheme.upper(), ACROSS, metric)
            _mark_truth(panel, results)
    legend_below(figure, axes)
    return figure


def _draw_panel(panel: Axes, results: Results, metric: str) -> None:
    for variant, look in LINES.items():
        shares = results.where(variant=variant).by("hot_share")
        points = [(float(share), some) for share, some in shares.items() if isinstance(share, int | float)]
        curve(panel, points, metric, look)
        online = results.where(variant=variant, hot_share="online")
        if variant in ONLINE_LINES:
            level(panel, online, metric, ONLINE_LINES[variant], [place for place, _ in points])


def _mark_truth(panel: Axes, results: Results) -> None:
    if len(results):
        share = results.mean("top_share")
        panel.axvline(share, color=GREY, linewidth=0.9, linestyle=":", label="true share of the top 20")


def told(view: View, scheme: str) -> Results:
    """The rows that were told a γ_h, after the figure's warm-up: without one the authors' code is told the true one."""
    return view.setting(scheme, "hot_share", NORMAL)


def by_share(view: View, scheme: str) -> dict[float, Results]:
    """The rows by γ_h, in ascending order, where it was set to a number."""
    rows = told(view, scheme)
    groups = {float(share): found for share, found in rows.by("hot_share").items() if isinstance(share, int | float)}
    if len(groups) < 3:
        raise NotMeasured("at least three values of γ_h")
    return groups


def at_truth(view: View, scheme: str) -> Results:
    """The rows that were told the exact share of what their cells can hold."""
    return view.need(told(view, scheme).where(hot_share=EXACT), f"{scheme} with the exact γ_h")


def exact_share(view: View) -> Verdict:
    """The true top's share of the events."""
    rows = view.accuracy("bdr", NORMAL)
    share = rows.mean("top_share")
    number = f"{share:.4f} of the events belong to the true top {rows.rows[0].measurement.k}"
    return Verdict(abs(share - PRINTED_SHARE) < TO_THE_DIGIT, number, f"printed: ≃ {PRINTED_SHARE}; normal streams")


def swing(groups: dict[float, Results], metric: str) -> tuple[float, float, float]:
    """The least and the largest mean over γ_h, and the standard error of their difference (relative for AAE)."""
    means = {share: rows.mean(metric) for share, rows in groups.items()}
    low, high = min(means, key=lambda share: means[share]), max(means, key=lambda share: means[share])
    return means[low], means[high], contest(groups[high], groups[low], metric).error


def seen_in_aae(view: View) -> Verdict:
    """How much AAE moves with γ_h."""
    parts = []
    for scheme in SPLIT_SCHEMES:
        low, high, _ = swing(by_share(view, scheme), "aae")
        parts.append((high - low > VISIBLE * low, f"{scheme}: AAE from {low:,.0f} to {high:,.0f}"))
    return Verdict.of_all(parts, f"normal stream; clear if the worst γ_h is {VISIBLE:.0%} above the best")


def not_seen_in_ndcg(view: View) -> Verdict:
    """How much NDCG moves with γ_h."""
    parts = []
    for scheme in SPLIT_SCHEMES:
        low, high, error = swing(by_share(view, scheme), "ndcg")
        parts.append((high - low <= max(OBVIOUS, 2 * CLEARLY * error), f"{scheme}: NDCG from {low:.3f} to {high:.3f}"))
    return Verdict.of_all(parts, f"normal stream; not obvious if they are at most {OBVIOUS} apart")


def best_share(groups: dict[float, Results]) -> float:
    """The γ_h with the least AAE."""
    return min(groups, key=lambda share: groups[share].mean("aae"))


def exact_is_not_best(view: View) -> Verdict:
    """The best γ_h against the exact one."""
    parts = []
    for scheme in SPLIT_SCHEMES:
        groups = by_share(view, scheme)
        exact, best = at_truth(view, scheme), best_share(groups)
        gain = contest(groups[best], exact, "aae")
        holds = gain.gap > CLEARLY * gain.error
        number = (
            f"{scheme}: AAE {groups[best].mean('aae'):,.0f} at γ_h = {best:g}, "
            f"{exact.mean('aae'):,.0f} at the exact {exact.mean('hot_share'):.3f}"
        )
        parts.append((holds, number))
    return Verdict.of_all(parts, "normal stream; some γ_h must be clearly better than the exact one")


def lower_offsets_decay(view: View) -> Verdict:
    """On which side of the truth the best γ_h lies."""
    parts = []
    for scheme in SPLIT_SCHEMES:
        groups = by_share(view, scheme)
        truth, best = at_truth(view, scheme).mean("hot_share"), best_share(groups)
        parts.append((best < truth - TO_THE_DIGIT, f"{scheme}: least AAE at γ_h = {best:g}, the truth is {truth:.3f}"))
    return Verdict.of_all(parts, "normal stream; the best γ_h must lie below the truth")


def cannot_be_avoided(view: View) -> Verdict:
    """The error with γ_h from the warm-up, with the exact γ_h, and with one estimated online."""
    found, avoided = [], True
    for scheme in SPLIT_SCHEMES:
        rows = told(view, scheme)
        means = {way: rows.where(hot_share=way) for way in (WARM_UP, EXACT, ONLINE)}
        for way, some in means.items():
            view.need(some, f"{scheme} with γ_h {way}")
        gain = contest(means[ONLINE], means[EXACT], "aae")
        avoided = avoided and gain.gap > -CLEARLY * gain.error
        errors = ", ".join(f"{way} {some.mean('aae'):,.0f}" for way, some in means.items())
        found.append(f"{scheme}: AAE {errors}")
    why = (
        "the printed split; if γ_h estimated from the reports is no worse than the exact one, the error can be avoided"
    )
    return Verdict(not avoided, "; ".join(found), why)


def share_of_the_top(results: Results) -> str:
    """The true share of the top items."""
    return f"top share {View(results, OURS).accuracy('bdr', NORMAL).mean('top_share'):.3f}"


def gamma_ways(results: Results) -> str:
    """AAE by where γ_h comes from."""
    view = View(results, OURS)
    rows = told(view, "bdr")
    errors = [
        f"{view.need(rows.where(hot_share=way), f'γ_h {way}').mean('aae'):,.0f} ({way})"
        for way in (WARM_UP, EXACT, ONLINE)
    ]
    return "AAE of bdr with the printed split by the source of γ_h: " + ", ".join(errors)


SWEEP = Sweep("hot-share", "The share of hot events that BDR and CNR are told", measurements)

PICTURE = Picture(
    "hot-share",
    "What a wrong γ_h does to BDR and CNR",
    "Normal stream, d = 1,000, ε = 0.6, as in the paper. With the tight judge, our default, γ_h drops out altogether."
    " Bars: 95 % confidence interval of the mean.",
    ("hot-share",),
    draw_hot_share,
)

CLAIMS = (
    Claim(
        "gamma-is-0.92", Section.PARAMETERS, "On the normal stream the exact γ_h is about 0.92.", exact_share, (OURS,)
    ),
    Claim(
        "gamma-seen-in-aae", Section.PARAMETERS, "The impact of γ_h can be “clearly observed” in the AAE.", seen_in_aae
    ),
    Claim(
        "gamma-not-seen-in-ndcg",
        Section.PARAMETERS,
        "The impact of γ_h on NDCG is not obvious, the lines fluctuate.",
        not_seen_in_ndcg,
    ),
    Claim(
        "exact-gamma-is-not-best",
        Section.PARAMETERS,
        "A more accurate γ_h does not necessarily give more accurate counts.",
        exact_is_not_best,
    ),
    Claim(
        "lower-gamma-offsets-decay",
        Section.PARAMETERS,
        "Reason given: decay makes counts too small, and a smaller γ_h makes them larger again.",
        lower_offsets_decay,
    ),
    Claim(
        "gamma-error-is-inevitable",
        Section.DISCUSSION,
        "A γ_h from prior knowledge or from the warm-up adds an error that the design “cannot avoid”.",
        cannot_be_avoided,
        (OURS,),
    ),
)

FINDINGS = (
    Finding(
        "gamma-can-be-measured",
        "γ_h needs no prior, and is not 0.92",
        "The server sees how many reports lie on the hot side, which gives an unbiased γ_h at any time. The top 20 of "
        "a normal stream with σ = 5 hold more than the printed 0.92; that number would be the share of an imperfect "
        "list.",
        lambda results: f"{share_of_the_top(results)}; {gamma_ways(results)}",
        (("gamma-is-0.92", OURS, False), ("gamma-error-is-inevitable", OURS, False)),
    ),
)

STUDY = Study(
    "hot-share",
    Topic.SPLIT,
    sweeps=(SWEEP,),
    pictures=(PICTURE,),
    claims=CLAIMS,
    findings=FINDINGS,
    for_claims=for_claims,
)
