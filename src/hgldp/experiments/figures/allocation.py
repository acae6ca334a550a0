"""Accuracy against how BDR or CNR split their budget: a panel for each stream, a line for each ε."""

from functools import partial

from matplotlib.figure import Figure

from hgldp.experiments.figures.look import DASHED, MARKERS, SEQUENCE, Look
from hgldp.experiments.figures.panels import Point, categories, curve, grid, legend_below, name_axes
from hgldp.experiments.figures.picture import Picture
from hgldp.experiments.figures.streams import stream_place, stream_title
from hgldp.experiments.results import Results
from hgldp.experiments.sweeps.allocation import JUDGE_SHARES

COLUMNS = 3
NO_SPLIT = "none"
ACROSS = "ε1/ε2 (ratio; none: our tight judge)"


def draw_allocation(results: Results, scheme: str, metric: str) -> Figure:
    """Ours filled and solid, the authors' code hollow and dashed."""
    by_stream = results.where(scheme=scheme).by("stream")
    streams = sorted(by_stream, key=stream_place)
    figure, axes = grid(len(streams), COLUMNS)
    for stream, panel in zip(streams, axes, strict=True):
        for number, (epsilon, some) in enumerate(by_stream[stream].by("epsilon").items()):
            colour, marker = SEQUENCE[number], MARKERS[number]
            ours = some.where(variant="default", tight=False)
            curve(panel, _points(ours), metric, Look(f"ours, ε = {epsilon:g}", colour, marker))
            theirs = some.where(variant="as-published")
            label = f"authors' code, ε = {epsilon:g}"
            curve(panel, _points(theirs), metric, Look(label, colour, marker, DASHED, hollow=True))
            tight = some.where(variant="default").with_no_settings_but()
            look = Look("_tight", colour, marker)
            curve(panel, [(float(len(JUDGE_SHARES)), tight)], metric, look)
        categories(panel, [*JUDGE_SHARES.values(), NO_SPLIT])
        name_axes(panel, stream_title(str(stream)), ACROSS, metric, near_one=True)
    legend_below(figure, axes)
    return figure


def _points(some: Results) -> list[Point]:
    return [(float(place), some.where(judge_share=share)) for place, share in enumerate(JUDGE_SHARES)]


METRIC_NAMES = {"ndcg": "NDCG", "precision": "Precision", "aae": "Average absolute error"}
CAPTION = (
    "ε1 decides hot or cold, ε2 which item. Filled: our {0} with the printed split; at “none” the tight judge, our"
    " default, which spends ε without splitting it. Hollow: the authors' code. Bands: 95 % confidence interval."
)
ALLOCATION = tuple(
    Picture(
        f"allocation-{scheme}-{metric}",
        f"{name} of {scheme.upper()} against the split of its budget",
        CAPTION.format(scheme.upper()),
        ("allocation",),
        partial(draw_allocation, scheme=scheme, metric=metric),
    )
    for scheme in ("bdr", "cnr")
    for metric, name in METRIC_NAMES.items()
)
