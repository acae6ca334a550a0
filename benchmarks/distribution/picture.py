"""The distribution of each stream beside the truth: bars with whiskers, as narrow as a telephone."""

from collections.abc import Mapping, Sequence
from typing import Any

from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from benchmarks.distribution.runs import Told

WIDTH, HEIGHT, TEXT = 390 / 72, 1.9, 11
OURS, TRUE, LEAST = "#0072B2", "#D55E00", 0.5


def draw(found: Mapping[str, Sequence[Told]], epsilon: float, n: int) -> Figure:
    """One panel a stream, one bar a decade; the last is what is below all of them."""
    figure = Figure(figsize=(WIDTH, HEIGHT * len(found) + 0.8), layout="constrained")
    for panel, (title, told) in zip(figure.subplots(len(found), 1, squeeze=False)[:, 0], found.items(), strict=True):
        _panel(panel, title, told)
    figure.supxlabel(f"items, of {n:,} reports at ε = {epsilon:g}", fontsize=TEXT)
    shown = [
        Line2D([], [], color=OURS, linewidth=8, alpha=0.35, label="told, with its 95 % interval"),
        Line2D([], [], color=TRUE, marker="D", linestyle="", label="true"),
    ]
    figure.legend(handles=shown, loc="outside upper left", ncols=2, frameon=False, fontsize=TEXT)
    return figure


def _panel(panel: Any, title: str, told: Sequence[Told]) -> None:
    places = range(len(told))
    low, middle, high = zip(*((e.interval[0], e.items, e.interval[1]) for e in told), strict=True)
    panel.barh(places, [max(value, LEAST) for value in middle], color=OURS, alpha=0.35, height=0.62)
    ends = [max(value, LEAST) for value in low], [max(value, LEAST) for value in high]
    panel.hlines(places, *ends, color=OURS, linewidth=2)
    for end in ends:
        panel.scatter(end, places, marker="|", color=OURS, s=60, linewidths=2)
    panel.scatter(
        [max(e.true_items, LEAST) for e in told], places, marker="D", color=TRUE, s=26, zorder=3, clip_on=False
    )
    panel.set_xscale("log")
    panel.set_xlim(LEAST, 200_000)
    panel.set_xticks([LEAST, 1, 10, 100, 1_000, 10_000, 100_000])
    panel.set_xticklabels(["0", "1", "10", "100", "1,000", "10,000", "100,000"], fontsize=TEXT - 1)
    panel.minorticks_off()
    panel.set_yticks(places, [e.name for e in told], fontsize=TEXT)
    panel.invert_yaxis()
    panel.set_title(title, fontsize=TEXT, loc="left", weight="bold")
    panel.grid(axis="x", color="0.88", linewidth=0.6)
    panel.set_axisbelow(True)
    panel.tick_params(length=0)
    for side in ("top", "right", "left"):
        panel.spines[side].set_visible(False)
