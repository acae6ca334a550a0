"""Precision against each setting that has a default, with a warm-up and without."""

from math import floor, sqrt

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from hgldp.experiments.claims.view import REAL, SYNTHETIC, on
from hgldp.experiments.figures.look import DASHED, DOTTED, GREY, MARKERS, SEQUENCE, Look
from hgldp.experiments.figures.panels import categories, grid, legend_below, name_axes
from hgldp.experiments.figures.picture import Picture
from hgldp.experiments.results import Results, student_95
from hgldp.experiments.sweeps.defaults import CELLS, DECAY, JUDGE, KNOBS, LIGHT, STARTS, WARM, K, Knob

METRIC = "precision"
ACROSS = {
    DECAY: "decay base b (number)",
    LIGHT: "light cells (number)",
    CELLS: f"cells per k (ratio; k = {K})",
    JUDGE: "split of the budget (ε1:ε2; tight: none)",
}
MARGIN = 0.03


def draw_defaults(results: Results) -> Figure:
    """A row for each start, a column for each knob; what is default is marked. A row has one scale."""
    figure, axes = grid(len(STARTS) * len(KNOBS), len(KNOBS))
    for number, start in enumerate(STARTS):
        panels = axes[number * len(KNOBS) :][: len(KNOBS)]
        rows = results.where(warmup=start)
        lowest = min(_panel(panel, knob, rows) for panel, knob in zip(panels, KNOBS, strict=True))
        for panel, knob in zip(panels, KNOBS, strict=True):
            who = ", ".join(scheme.upper() for scheme in knob.schemes)
            name_axes(panel, f"{'warm-up of 1 %' if start == WARM else 'no warm-up'}; {who}", ACROSS[knob], METRIC)
            panel.set_ylim(bottom=floor(10 * lowest) / 10 - MARGIN)
    legend_below(figure, axes)
    return figure


def _panel(panel: Axes, knob: Knob, rows: Results) -> float:
    """Every ε on both kinds of streams; returns the lowest mean."""
    panel.axvline(knob.values.index(knob.default), color=GREY, linestyle=DOTTED, label="the default")
    lowest = 1.0
    for number, (epsilon, some) in enumerate(rows.by("epsilon").items()):
        solid = Look(f"ε = {epsilon:g}, synthetic streams", SEQUENCE[number], MARKERS[number])
        dashed = Look(f"ε = {epsilon:g}, real streams", SEQUENCE[number], MARKERS[number], DASHED, hollow=True)
        for streams, look in ((SYNTHETIC, solid), (REAL, dashed)):
            lowest = min(lowest, _line(panel, knob, on(some, streams), look))
    categories(panel, [knob.label(value) for value in knob.values])
    return lowest


def _line(panel: Axes, knob: Knob, rows: Results, look: Look) -> float:
    points = [(place, knob.rows(rows, value)) for place, value in enumerate(knob.values)]
    bands = [(place, *stratified(some)) for place, some in points if len(some)]
    if not bands:
        return 1.0
    places, means, widths = zip(*bands, strict=True)
    panel.plot(places, means, **look.style)
    lows, highs = ([mean + sign * width for mean, width in zip(means, widths, strict=True)] for sign in (-1, 1))
    panel.fill_between(places, lows, highs, color=look.colour, alpha=0.15, linewidth=0)
    return float(min(means))


def stratified(rows: Results) -> tuple[float, float]:
    """The mean, each stream and scheme counting the same, and half its 95 % interval by the spread within them."""
    places = [some for stream in rows.by("stream").values() for some in stream.by("scheme").values()]
    mean = sum(some.mean(METRIC) for some in places) / len(places)
    error = sqrt(sum(some.standard_error(METRIC) ** 2 for some in places)) / len(places)
    freedom = len(rows) - len(places)
    return mean, error * student_95(freedom) if freedom else 0.0


DEFAULTS = Picture(
    "defaults",
    "Where the defaults come from",
    "One setting moved, all others at their default (dotted), top 20. Each line is the mean over its streams and the"
    " named schemes; bands: 95 % interval by the spread of repeats within a stream and scheme. Light cells follow the"
    " cells by their rule, cells − k and at least 8, where the cells are moved. The two rows"
    " have different scales.",
    ("defaults",),
    draw_defaults,
)
