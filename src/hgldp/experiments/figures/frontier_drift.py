"""Precision of the last tenth along the way, where the stream changes."""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from hgldp.experiments.figures.look import DASH_DOT, DASHED, DOTTED, GREY, METRICS, SCHEMES, SEQUENCE, Look
from hgldp.experiments.figures.panels import SMALL, grid, legend_below
from hgldp.experiments.figures.picture import Picture
from hgldp.experiments.figures.streams import stream_place, stream_title
from hgldp.experiments.measure_over_time import HALF_WAY, at_step
from hgldp.experiments.results import Results
from hgldp.experiments.sweeps.frontier_drift import ASKED, FOLLOWERS

COLUMNS = 2
ACROSS = "seen of the stream (%)"
LOOKS = {
    "half-life 1/4": Look("PFR, half-life n/4", SEQUENCE[5], "", DASHED),
    "half-life 1/8": Look("PFR, half-life n/8", SEQUENCE[0]),
    "half-life 1/16": Look("PFR, half-life n/16", SEQUENCE[1], "", DASH_DOT),
    "half-life 1/4, window 1/8": Look("PFR, half-life n/4, last n/8", SEQUENCE[4], "^"),
    "window 1/10": Look("PFR in 48 kB, last n/10", SEQUENCE[6], "", DOTTED),
    "dsr": Look("DSR, 1 % warm-up", SCHEMES["dsr"].colour, "s"),
    "cnr": Look("CNR, 1 % warm-up", SCHEMES["cnr"].colour, "P"),
    "recent oracle": Look("OLH, last n/10 alone", SCHEMES["olh"].colour, "X", DASHED, hollow=True),
}


def draw_frontier_drift(results: Results) -> Figure:
    """A row for each stream, a column for each ε."""
    by_stream = results.by("stream")
    budgets = list(results.by("epsilon"))
    figure, axes = grid(len(by_stream) * len(budgets), min(COLUMNS, len(budgets)))
    panels = iter(axes)
    for stream in sorted(by_stream, key=stream_place):
        for epsilon in budgets:
            panel = next(panels)
            some = by_stream[stream].where(epsilon=epsilon)
            _draw_panel(panel, some)
            panel.set_title(f"{stream_title(str(stream))}, ε = {epsilon:g}", fontsize=10)
    legend_below(figure, axes)
    return figure


def _draw_panel(panel: Axes, results: Results) -> None:
    seen = 100 * np.arange(1, ASKED + 1) / ASKED
    for name, look in LOOKS.items():
        scheme, _, settings = FOLLOWERS[name]
        wanted = {part: dict(settings).get(part) for part in ("half_life", "window")}
        some = results.where(scheme=scheme, **wanted)
        if len(some):
            style = look.style | {"markersize": 3.5, "markevery": 4}
            panel.plot(seen, [some.mean(at_step(step)) for step in range(1, ASKED + 1)], **style)
    if len(results.where(replaced=HALF_WAY)):
        panel.axvline(50, color=GREY, linewidth=0.9)
        panel.annotate("the whole top\nis replaced", (50, 0), (48.5, 0.02), fontsize=SMALL - 1, ha="right", color=GREY)
    panel.set_ylim(-0.03, 1.03)
    panel.set_xlim(0, 101)
    panel.set_xlabel(ACROSS, fontsize=SMALL)
    panel.set_ylabel(f"recent {METRICS['precision']}", fontsize=SMALL)


FRONTIER_DRIFT = Picture(
    "frontier-drift",
    "Who follows a stream that changes",
    "The share of the last tenth's true top 20 that is in the answer, mean of at most 5 repeats, PFR with 256 cells and"
    " 16 kB unless said otherwise; “last n/8” is what it answers when asked for that window. Zipf: the 20 most frequent"
    " items change places with others half-way. online-retail, where the folder of data has it: a shop's year with its"
    " seasons. OLH has a counter for each item and starts anew for each answer, from the reports of the last tenth."
    " Eight bands would hide each other: the repeats are in the CSV.",
    ("frontier-drift",),
    draw_frontier_drift,
)
