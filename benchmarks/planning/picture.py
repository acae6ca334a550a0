"""What was planned beside what was measured, a dot for each setting."""

from collections.abc import Sequence

from matplotlib.figure import Figure

from benchmarks.planning.launches import TOLERANCE, Row
from hgldp.cli.commands.plan.picture import bars_of
from hgldp.experiments.plotting.look import GREY, SEQUENCE

SIZE, SMALL = (5.4, 5.4), 9


def draw(rows: Sequence[Row]) -> Figure:
    """Dots within the band hold; bars are 95 % intervals of the means."""
    figure = Figure(figsize=SIZE, layout="constrained")
    axes = figure.add_subplot()
    axes.fill_between([0, 1], [-TOLERANCE, 1 - TOLERANCE], [TOLERANCE, 1 + TOLERANCE], color="0.92", lw=0)
    axes.plot([0, 1], [0, 1], color=GREY, linewidth=0.8)
    for is_open, marker, colour, label in ((False, "o", SEQUENCE[0], "items"), (True, "s", SEQUENCE[1], "strings")):
        some = [row for row in rows if row.setting.is_open == is_open]
        axes.errorbar(
            [row.planned.mean for row in some],
            [row.measured.mean for row in some],
            bars_of([row.measured for row in some]),
            bars_of([row.planned for row in some]),
            linestyle="",
            marker=marker,
            markersize=5,
            linewidth=0.8,
            color=colour,
            label=label,
        )
    axes.set(xlim=(-0.03, 1.03), ylim=(-0.03, 1.03), aspect="equal")
    axes.set_xlabel("planned precision or F1 (0 to 1)")
    axes.set_ylabel("measured with other seeds (0 to 1)")
    axes.legend(
        frameon=False, loc="upper left", fontsize=SMALL, title=f"grey: within {TOLERANCE:g}", title_fontsize=SMALL
    )
    return figure
