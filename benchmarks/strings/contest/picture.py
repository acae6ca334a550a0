"""Dots of F1 with their standard errors, by stream, ε and method; narrow enough for a telephone."""

from collections.abc import Sequence
from math import isnan
from typing import Any

from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from benchmarks.strings.contest.contestants import LISTED, METHODS, PEM_PADDED, PEM_TOLD, PFR, TREE_TOLD
from benchmarks.strings.contest.rows import Row, best
from hgldp.experiments.plotting.look import Look

WIDTH, LINE, AROUND, TEXT = 390 / 72, 0.48, 1.5, 11
HEADING, BAND = 0.75, 0.86
LOOKS = {
    PFR: Look(PFR, "#0072B2", "*"),
    PEM_PADDED: Look(PEM_PADDED, "#D55E00", "o"),
    PEM_TOLD: Look(PEM_TOLD, "#D55E00", "o", hollow=True),
    TREE_TOLD: Look(TREE_TOLD, "#009E73", "s", hollow=True),
    LISTED: Look(LISTED, "#000000", "D", hollow=True),
}
STAR, DOT = 11.0, 6.0


def style(method: str) -> dict[str, Any]:
    """A dot without a line."""
    return LOOKS[method].style | {"linestyle": "", "markersize": STAR if method == PFR else DOT}


def draw(rows: Sequence[Row], k: int) -> Figure:
    """One band for each stream and ε, its methods one below the other; each stream has a heading."""
    found, there = best(rows), {row.method for row in rows}
    methods = [method for method in METHODS if method in there]
    bands = list(dict.fromkeys((row.data, row.epsilon) for row in rows))
    streams = list(dict.fromkeys(data for data, _ in bands))
    height = len(bands) + HEADING * len(streams)
    figure = Figure(figsize=(WIDTH, LINE * height + AROUND), layout="constrained")
    panel, ticks = figure.add_subplot(), dict[float, str]()
    place = -0.5
    for stream in streams:
        panel.text(0.0, place + HEADING / 2, stream, fontsize=TEXT, weight="bold", va="center")
        place += HEADING
        for epsilon in (epsilon for data, epsilon in bands if data == stream):
            middle = place + 0.5
            ticks[middle] = f"ε = {epsilon:g}"
            _band(panel, middle, [found[stream, epsilon, method] for method in methods])
            place += 1
    panel.set_ylim(place, -0.5)
    panel.set_yticks(list(ticks), list(ticks.values()), fontsize=TEXT)
    _finish(panel, k)
    shown = [Line2D([], [], **style(method)) for method in methods]
    figure.legend(shown, methods, loc="outside upper left", ncols=2, frameon=False, fontsize=TEXT, handletextpad=0.2)
    return figure


def _band(panel: Any, middle: float, rows: Sequence[Row]) -> None:
    panel.axhspan(middle - BAND / 2, middle + BAND / 2, color="0.95", zorder=0)
    for place, row in enumerate(rows):
        height = middle + BAND * ((place + 0.5) / len(rows) - 0.5)
        error = 0.0 if isnan(row.error) else row.error
        panel.errorbar(row.f1, height, xerr=error, elinewidth=1.4, clip_on=False, **style(row.method))


def _finish(panel: Any, k: int) -> None:
    panel.set_xlim(-0.02, 1.02)
    panel.set_xticks([0, 0.25, 0.5, 0.75, 1], ["0", "0.25", "0.5", "0.75", "1"], fontsize=TEXT)
    panel.set_xlabel(f"F1 of the top {k} ± standard error", fontsize=TEXT)
    panel.grid(axis="x", color="0.8", linewidth=0.6)
    panel.tick_params(length=0)
    for side in ("top", "right", "left"):
        panel.spines[side].set_visible(False)
