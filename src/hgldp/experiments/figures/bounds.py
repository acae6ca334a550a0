"""The error bounds of the two theorems, against the error that was measured."""

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from hgldp.experiments.bounds import bdr_bound, bgr_bound
from hgldp.experiments.figures.look import BUDGET, DASH_DOT, DASHED, DOTTED, SCHEMES, SEQUENCE, Look
from hgldp.experiments.figures.panels import curve, grid, legend_below, name_axes
from hgldp.experiments.figures.picture import Picture
from hgldp.experiments.figures.streams import stream_place, stream_title
from hgldp.experiments.results import Results
from hgldp.simulation.generators import parse_generator

COLUMNS = 3
SYNTHETIC = ("normal:", "exponential:")
BETA, JUDGE_SHARE, CELLS = 0.05, 1 / 3, 20
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


def draw_bounds(results: Results) -> Figure:
    """A panel for each synthetic stream."""
    streams = {str(stream): some for stream, some in results.by("stream").items() if str(stream).startswith(SYNTHETIC)}
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


BOUNDS_PICTURE = Picture(
    "bounds",
    "The theorems' error bounds against the measured error",
    "Bounds with β = 0.05, all loss to decay left out (α = 0), which favours them; ε1/ε2 = 1/2 and 20 cells for BDR. "
    "They are for an item that was recorded all the time; AAE is the mean over the true top 20, 0 for what was lost."
    " Bands: 95 % confidence interval of the mean.",
    ("accuracy",),
    draw_bounds,
)
