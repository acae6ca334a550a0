"""Dots of F1 with their standard errors, by stream, ε and method; narrow enough for a telephone."""

from collections.abc import Sequence
from math import isnan

from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from benchmarks.strings.contest.contestants import LISTED, METHODS, PEM_PADDED, PEM_TOLD, PFR, TREE_TOLD
from benchmarks.strings.contest.rows import Row, best
from hgldp.experiments.plotting.look import Look

WIDTH, LINE, TEXT = 390 / 72, 0.34, 11
BETWEEN, EDGE = 0.7, 0.6
LOOKS = {
    PFR: Look(PFR, "#0072B2", "*"),
    PEM_PADDED: Look(PEM_PADDED, "#D55E00", "o"),
    PEM_TOLD: Look(PEM_TOLD, "#D55E00", "o", hollow=True),
    TREE_TOLD: Look(TREE_TOLD, "#009E73", "s", hollow=True),
    LISTED: Look(LISTED, "#000000", "D", hollow=True),
}
SIZES = {PFR: 11.0}
SPREAD = 0.7


def draw(rows: Sequence[Row], k: int) -> Figure:
    """One line for each stream and ε, the methods a little above each other; streams are groups with a heading."""
    found, there = best(rows), {row.method for row in rows}
    methods, groups = [method for method in METHODS if method in there], dict[str, list[float]]()
    for row in rows:
        groups.setdefault(row.data, [])
        if row.epsilon not in groups[row.data]:
            groups[row.data].append(row.epsilon)
    height, ticks, labels = 0.0, list[float](), list[str]()
    lines = sum(map(len, groups.values())) + BETWEEN * 2 * len(groups)
    figure = Figure(figsize=(WIDTH, LINE * lines * 1.25 + 1.6), layout="constrained")
    panel = figure.add_subplot()
    for data, epsilons in groups.items():
        panel.text(0.0, height, data, fontsize=TEXT, weight="bold", va="center")
        height += BETWEEN
        for epsilon in epsilons:
            ticks.append(height)
            labels.append(f"ε = {epsilon:g}")
            panel.axhspan(height - SPREAD / 2, height + SPREAD / 2, color="0.95", zorder=0)
            for place, method in enumerate(methods):
                row = found[data, epsilon, method]
                aside = SPREAD * ((place + 0.5) / len(methods) - 0.5)
                error = 0.0 if isnan(row.error) else row.error
                style = LOOKS[method].style | {"linestyle": "", "markersize": SIZES.get(method, 6.5)}
                panel.errorbar(row.f1, height + aside, xerr=error, elinewidth=1.4, clip_on=False, **style)
            height += 1
        height += BETWEEN
    panel.set_ylim(height - BETWEEN, -EDGE)
    panel.set_xlim(-0.02, 1.02)
    panel.set_yticks(ticks, labels, fontsize=TEXT)
    panel.set_xticks([0, 0.25, 0.5, 0.75, 1], ["0", "0.25", "0.5", "0.75", "1"], fontsize=TEXT)
    panel.set_xlabel(f"F1 of the top {k} ± standard error", fontsize=TEXT)
    panel.grid(axis="x", color="0.85")
    panel.tick_params(length=0)
    for side in ("top", "right", "left"):
        panel.spines[side].set_visible(False)
    shown = [
        Line2D([], [], **(LOOKS[method].style | {"linestyle": "", "markersize": SIZES.get(method, 6.5)}))
        for method in methods
    ]
    figure.legend(shown, methods, loc="outside upper left", ncols=2, frameon=False, fontsize=TEXT, handletextpad=0.2)
    return figure
