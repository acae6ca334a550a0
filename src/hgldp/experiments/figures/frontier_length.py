"""Precision against the number of reports, a line for each ε: PFR as it comes, beside an oracle without a bound."""

from matplotlib.figure import Figure

from hgldp.experiments.figures.log_axis import plain_numbers
from hgldp.experiments.figures.look import DASHED, MARKERS, SEQUENCE, Look
from hgldp.experiments.figures.panels import Point, curve, grid, legend_below, name_axes
from hgldp.experiments.figures.picture import Picture
from hgldp.experiments.results import Results
from hgldp.simulation.generators import parse_generator

ACROSS = "length of the stream (reports)"
TICKS = (100_000, 1_000_000)
METRICS = {"precision": "precision", "ndcg": "NDCG"}


def draw_frontier_length(results: Results) -> Figure:
    """A panel for each metric; the oracle hollow and dashed in the same colour."""
    figure, axes = grid(len(METRICS), len(METRICS))
    for (metric, title), panel in zip(METRICS.items(), axes, strict=True):
        panel.set_xscale("log")
        for number, (epsilon, some) in enumerate(results.by("epsilon").items()):
            colour, marker = SEQUENCE[number], MARKERS[number]
            olh = Look(f"OLH (memory ~ d), ε = {epsilon:g}", colour, marker, DASHED, hollow=True)
            curve(panel, _points(some.where(scheme="pfr")), metric, Look(f"PFR, ε = {epsilon:g}", colour, marker))
            curve(panel, _points(some.where(scheme="olh")), metric, olh)
        panel.set_xlim(TICKS[0] / 2.5, TICKS[-1] * 9)
        panel.set_xticks(TICKS)
        plain_numbers(panel.xaxis)
        name_axes(panel, f"{title} of the top 20", ACROSS, metric)
    legend_below(figure, axes)
    return figure


def _points(some: Results) -> list[Point]:
    by_stream = some.by("stream").items()
    return sorted(((float(parse_generator(str(stream)).n), rows) for stream, rows in by_stream), key=lambda one: one[0])


FRONTIER_LENGTH = Picture(
    "frontier-length",
    "PFR against the number of reports, with nothing tuned",
    "Zipf 1.1 over 100,000 items, no warm-up. PFR: 256 cells and 16 kB, the same at every ε and length, the length not"
    " known beforehand. OLH: a counter for each item, 400 kB. Bands: 95 % confidence interval of the mean.",
    ("frontier-length",),
    draw_frontier_length,
)
