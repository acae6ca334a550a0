"""Accuracy against what the run starts from."""

from matplotlib.figure import Figure

from hgldp.experiments.figures.look import SCHEMES
from hgldp.experiments.figures.panels import categories, curve, grid, legend_below, name_axes
from hgldp.experiments.figures.picture import Picture
from hgldp.experiments.figures.streams import stream_place, stream_title
from hgldp.experiments.results import Results
from hgldp.experiments.sweeps.warm_up import STARTS

METRICS = ("ndcg", "precision", "aae")
OURS, PUBLISHED = "default", "as-published"
LINES = {OURS: ("warmup", "bgr", "dsr", "bdr", "cnr", "pfr"), PUBLISHED: ("warmup", "bgr", "dsr", "bdr", "cnr")}
NAMES = {"0": "none", "uniform 50": "uniform\n50", "skewed 50": "skewed\n50", "true 50": "true\n50"}
ACROSS = "raw items before the first report (number)"


def draw_warm_up(results: Results) -> Figure:
    """A row for each stream and implementation, a column for each metric."""
    by_stream = results.by("stream")
    rows = [(stream, variant) for stream in sorted(by_stream, key=stream_place) for variant in LINES]
    figure, axes = grid(len(rows) * len(METRICS), len(METRICS))
    panels = iter(axes)
    for stream, variant in rows:
        for metric in METRICS:
            panel = next(panels)
            for name in LINES[variant]:
                some = by_stream[stream].where(scheme=name, variant=OURS if name == "warmup" else variant)
                points = [(float(place), some.where(warmup=start)) for place, start in enumerate(STARTS)]
                curve(panel, points, metric, SCHEMES[name])
            categories(panel, [NAMES.get(start, start.replace(" ", "\n")) for start in STARTS])
            who = "ours" if variant == OURS else "authors' code"
            name_axes(panel, f"{stream_title(str(stream)).partition(', d =')[0]}, {who}", ACROSS, metric)
    legend_below(figure, axes)
    return figure


WARM_UP = Picture(
    "warm-up",
    "What the warm-up is worth",
    "ε = 2. Uniform: any item of the domain; skewed: chances in proportion to the root of the true counts; true: from"
    " the stream's own distribution; 1 %: the first items of the stream. “Warm-up alone”: the raw sample by itself."
    " Bands: 95 % confidence interval of the mean.",
    ("warm-up",),
    draw_warm_up,
)
