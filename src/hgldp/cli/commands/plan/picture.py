"""A plan as a plot: what is found over the days, a line with its error for each stream."""

from collections.abc import Sequence
from pathlib import Path

import matplotlib
from matplotlib.figure import Figure

from hgldp.cli.commands.plan.tables import heading
from hgldp.errors import InvalidField
from hgldp.experiments.plotting.look import MARKERS, SEQUENCE, as_svg
from hgldp.planning.forecast import STOPS, Forecast, MeanShare

KINDS = (".svg", ".png")
SIZE, DOTS = (6.4, 4.2), 150


def check_file(path: str) -> None:
    """Refuse what cannot be drawn, before anything is simulated."""
    if Path(path).suffix.lower() not in KINDS:
        raise InvalidField("--plot", f"must end with {' or '.join(KINDS)}", path)
    if not Path(path).absolute().parent.is_dir():
        raise InvalidField("--plot", "must be in a folder that exists", path)


def draw(forecast: Forecast) -> Figure:
    """Days on a scale of factors; the bars are 95 % intervals of the mean, the bands all launches."""
    figure, question = Figure(figsize=SIZE, layout="constrained"), forecast.question
    axes = figure.subplots()
    titles = list(forecast.launches)
    for place, title in enumerate(titles):
        rows = [row for row in forecast.rows if row.shape == title]
        shares, days = [row.at(question.metric) for row in rows], [row.days for row in rows]
        colour = SEQUENCE[place % len(SEQUENCE)]
        axes.fill_between(
            days, [each.lowest for each in shares], [each.highest for each in shares], color=colour, alpha=0.12, lw=0
        )
        axes.errorbar(
            days,
            [each.mean for each in shares],
            bars_of(shares),
            color=colour,
            marker=MARKERS[place % len(MARKERS)],
            markersize=5,
            linewidth=1.4,
            capsize=3,
            label=title,
        )
    axes.set_xscale("log")
    axes.set_xticks(STOPS, [str(days) for days in STOPS])
    axes.minorticks_off()
    axes.set_ylim(-0.02, 1.02)
    axes.set_xlabel("days since the launch (number)")
    axes.set_ylabel(f"{question.metric_title} of the top {question.task.k} (0 to 1)")
    axes.set_title(heading(question), fontsize=9, wrap=True)
    axes.grid(alpha=0.25)
    if len(titles) > 1:
        axes.legend(title="stream", frameon=False, loc="best")
    return figure


def bars_of(shares: Sequence[MeanShare]) -> list[list[float]]:
    """How far the interval of each mean reaches down and up, as matplotlib wants it."""
    return [[each.mean - each.interval[0] for each in shares], [each.interval[1] - each.mean for each in shares]]


def write(forecast: Forecast, path: str) -> None:
    """One file, whole or not at all."""
    figure, file = draw(forecast), Path(path)
    try:
        if file.suffix.lower() == ".svg":
            file.write_text(as_svg(figure), encoding="utf-8")
        else:
            with matplotlib.rc_context({"savefig.dpi": DOTS}):
                figure.savefig(file, format="png")
    except OSError as failure:
        raise InvalidField("--plot", "must be a file that can be written", f"{path} ({failure.strerror})") from None
