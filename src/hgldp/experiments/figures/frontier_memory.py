"""Precision and NDCG against the bytes that the server keeps: a row for each stream, a column for each ε."""

from functools import partial

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from hgldp.experiments.figures.look import SCHEMES
from hgldp.experiments.figures.panels import curve, grid, legend_below, name_axes
from hgldp.experiments.figures.picture import Picture
from hgldp.experiments.figures.streams import stream_place, stream_title
from hgldp.experiments.results import Results

ACROSS = "state of the server (bytes)"
FIXED = ("hr", "olh", "bgr", "dsr", "bdr", "cnr")
TICKS = {1e3: "1 k", 1e4: "10 k", 1e5: "100 k"}


def draw_frontier_memory(results: Results, metric: str) -> Figure:
    """PFR as a curve; whoever has no choice of memory as a level, marked where its own memory is."""
    by_stream = results.by("stream")
    streams = sorted(by_stream, key=stream_place)
    budgets = [float(str(epsilon)) for epsilon in results.by("epsilon")]
    figure, axes = grid(len(streams) * len(budgets), len(budgets))
    panels = iter(axes)
    for stream in streams:
        for epsilon in budgets:
            panel = next(panels)
            _draw_panel(panel, by_stream[stream].where(epsilon=epsilon), metric)
            short = stream_title(str(stream)).partition(", n =")[0]
            name_axes(panel, f"{short}, ε = {epsilon:g}", ACROSS, metric)
    legend_below(figure, axes)
    return figure


def _draw_panel(panel: Axes, results: Results, metric: str) -> None:
    points = [(some.mean("state_bytes"), some) for some in results.where(scheme="pfr").by("cells").values()]
    levels = {name: results.where(scheme=name) for name in FIXED}
    places = [place for place, _ in points] + [some.mean("state_bytes") for some in levels.values() if len(some)]
    for name, some in levels.items():
        if len(some):
            own, height = some.mean("state_bytes"), some.mean(metric)
            style = SCHEMES[name].style | {"linewidth": 1.0, "markersize": 6, "markevery": [1]}
            panel.plot([min(places), own, max(places)], [height] * 3, **style)
    panel.set_xscale("log")
    panel.set_xticks(list(TICKS), list(TICKS.values()))
    curve(panel, points, metric, SCHEMES["pfr cold"])


CAPTION = (
    "Top 10, the largest that 32 cells can give; no warm-up for anybody. PFR with 32, 64, … 4,096 cells of 64 bytes."
    " The others are levels, with a mark at the memory that they have: HR and OLH a counter for each possible item,"
    " the paper's schemes 20 cells. Band: 95 % confidence interval of the mean over at most 5 repeats."
)
FRONTIER_MEMORY = tuple(
    Picture(
        f"frontier-memory-{metric}",
        f"{name} against memory",
        CAPTION,
        ("frontier-memory",),
        partial(draw_frontier_memory, metric=metric),
    )
    for metric, name in (("precision", "Precision"), ("ndcg", "NDCG"))
)
