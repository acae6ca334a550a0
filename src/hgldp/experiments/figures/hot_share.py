"""Accuracy against the share of hot events that BDR and CNR are told."""

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from hgldp.experiments.figures.look import DASH_DOT, DASHED, DOTTED, GREY, SEQUENCE, Look
from hgldp.experiments.figures.panels import curve, grid, legend_below, level, name_axes
from hgldp.experiments.figures.picture import Picture
from hgldp.experiments.results import Results

METRICS = ("ndcg", "precision", "aae")
SCHEMES = ("bdr", "cnr")
ACROSS = "share of hot events γ_h it is told (0 to 1)"
LINES = {
    "default": Look("ours, printed split", SEQUENCE[0], "o"),
    "paper": Look("the paper's pseudocode, mended", SEQUENCE[2], "s"),
    "as-published": Look("authors' code", SEQUENCE[1], "D", DASHED, hollow=True),
}
ONLINE = {
    "default": Look("ours, γ_h estimated online", SEQUENCE[0], "", DOTTED),
    "paper": Look("pseudocode, γ_h estimated online", SEQUENCE[2], "", DASH_DOT),
}


def draw_hot_share(results: Results) -> Figure:
    """A row for each scheme, a column for each metric; the true share of the true top is marked."""
    figure, axes = grid(len(SCHEMES) * len(METRICS), len(METRICS))
    panels = iter(axes)
    for scheme in SCHEMES:
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
        if variant in ONLINE:
            level(panel, online, metric, ONLINE[variant], [place for place, _ in points])


def _mark_truth(panel: Axes, results: Results) -> None:
    if len(results):
        share = results.mean("top_share")
        panel.axvline(share, color=GREY, linewidth=0.9, linestyle=":", label="true share of the top 20")


HOT_SHARE = Picture(
    "hot-share",
    "What a wrong γ_h does to BDR and CNR",
    "Normal stream, d = 1,000, ε = 0.6, as in the paper. With the tight judge, our default, γ_h drops out altogether."
    " Bands: 95 % confidence interval of the mean.",
    ("hot-share",),
    draw_hot_share,
)
