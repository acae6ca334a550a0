"""Panels side by side, with one legend below all of them."""

from collections.abc import Sequence
from math import ceil

from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.transforms import ScaledTranslation

from hgldp.experiments.plotting.axes import NEAR_ONE, make_logarithmic, widen_near_one
from hgldp.experiments.plotting.look import METRICS, Look
from hgldp.experiments.results import Results

PLOT = (3.3, 2.1)
LEFT = 0.68
RIGHT = 0.12
TOP = 0.32
BELOW = 0.52
LEGEND_ROW = 0.22
BROKEN_LABEL = 0.14
LEGEND_COLUMN = 3.0
SMALL = 9
BAR, STRENGTH, ASIDE = 1.3, 0.75, 1.7
LOGARITHMIC = ("aae", "published_bytes_per_report")
Point = tuple[float, Results]


def grid(panels: int, columns: int) -> tuple[Figure, list[Axes]]:
    """A figure with this many empty panels, row by row."""
    rows, columns = ceil(panels / columns), min(columns, panels)
    width, height = columns * (LEFT + PLOT[0] + RIGHT), rows * (TOP + PLOT[1] + BELOW)
    figure = Figure(figsize=(width, height))
    axes: list[Axes] = figure.subplots(rows, columns, squeeze=False).ravel().tolist()
    for spare in axes[panels:]:
        spare.remove()
    for one in axes[:panels]:
        one.grid(visible=True, color="#DDDDDD", linewidth=0.6)
        one.spines[["top", "right"]].set_visible(False)
        one.tick_params(labelsize=SMALL - 1)
    return figure, axes[:panels]


def name_axes(axes: Axes, title: str, across: str, metric: str, *, near_one: bool = False) -> None:
    """The title of a panel, what its axes show, and how far they reach: shares 0 to 1, errors by what was drawn."""
    axes.set_title(title, fontsize=10)
    axes.set_xlabel(across, fontsize=SMALL)
    axes.set_ylabel(METRICS[metric], fontsize=SMALL)
    if metric in LOGARITHMIC:
        make_logarithmic(axes)
    elif near_one:
        axes.set_ylabel(METRICS[metric].replace("(0 to 1)", NEAR_ONE), fontsize=SMALL)
        widen_near_one(axes)
    else:
        axes.set_ylim(-0.03, 1.03)


def curve(axes: Axes, points: Sequence[Point], metric: str, look: Look) -> None:
    """A line through the means, with a bar for the 95 % confidence interval of each."""
    bands = [(place, *some.band(metric)) for place, some in points if some.values(metric).size]
    if metric in LOGARITHMIC:
        bands = [(place, mean, max(low, mean / 100), high) for place, mean, low, high in bands if mean > 0]
    else:
        bands = [(place, mean, max(low, 0.0), min(high, 1.0)) for place, mean, low, high in bands]
    if not bands:
        return
    places, means, lows, highs = zip(*bands, strict=True)
    axes.plot(places, means, **look.style)
    bars(axes, places, lows, highs, look)


def bars(axes: Axes, places: Sequence[float], lows: Sequence[float], highs: Sequence[float], look: Look) -> None:
    """An upright bar for each interval, beside those of the lines before: shaded bands would hide one another."""
    number = len(axes.collections)
    aside = (number + 1) // 2 * (1 if number % 2 else -1) * ASIDE
    moved = axes.transData + ScaledTranslation(aside / 72, 0.0, axes.figure.dpi_scale_trans)
    axes.vlines(places, lows, highs, colors=look.colour, linewidth=BAR, alpha=STRENGTH, transform=moved, zorder=1.5)


def level(axes: Axes, some: Results, metric: str, look: Look, places: Sequence[float]) -> None:
    """A horizontal line, for what does not depend on the axis."""
    if places:
        curve(axes, [(place, some) for place in (min(places), max(places))], metric, look)


def categories(axes: Axes, names: Sequence[str]) -> None:
    """Words instead of numbers along the axis."""
    axes.set_xticks(range(len(names)), names)
    axes.set_xlim(-0.3, len(names) - 0.7)


def legend_below(figure: Figure, axes: Sequence[Axes]) -> None:
    """Put one legend below all panels, each label once, in as many columns as fit; then place the panels."""
    entries: dict[str, Artist] = {}
    for one in axes:
        for handle, label in zip(*one.get_legend_handles_labels(), strict=True):
            entries.setdefault(label, handle)
    width, height = figure.get_size_inches()
    columns = max(1, min(len(entries), int(width / LEGEND_COLUMN)))
    columns = ceil(len(entries) / ceil(len(entries) / columns))
    broken = BROKEN_LABEL if any("\n" in label.get_text() for label in axes[0].get_xticklabels()) else 0.0
    rows = round(height / (TOP + PLOT[1] + BELOW))
    legend = LEGEND_ROW * (ceil(len(entries) / columns) + 0.5)
    height += legend + broken * rows
    figure.set_size_inches(width, height)
    figure.subplots_adjust(
        left=LEFT / width,
        right=1 - RIGHT / width,
        top=1 - TOP / height,
        bottom=(legend + BELOW + broken) / height,
        wspace=(LEFT + RIGHT) / PLOT[0],
        hspace=(TOP + BELOW + broken) / PLOT[1],
    )
    figure.legend(
        list(entries.values()), list(entries), loc="lower center", ncols=columns, frameon=False, fontsize=SMALL
    )
