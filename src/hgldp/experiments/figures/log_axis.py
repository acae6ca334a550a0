"""A logarithmic axis: how far it reaches, and plain numbers along it."""

from math import inf, log10
from typing import Any

from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

ROOM, FAR = 1.5, 50.0
TICKS = {1.0: (1.0, 1.5, 2.0, 3.0, 5.0, 7.0), 2.0: (1.0, 2.0, 5.0), 3.0: (1.0, 3.0), inf: (1.0,)}


def make_logarithmic(axes: Axes) -> None:
    """As far as what was drawn reaches, with more ticks where that is less."""
    drawn: list[Any] = [line.get_ydata() for line in axes.get_lines()]
    lines = sorted(sorted(float(height) for height in some if height > 0) for some in drawn)
    if not any(lines):
        return
    low, high = _reach([line for line in lines if line])
    axes.set_yscale("log")
    axes.set_ylim(low, high)
    decades = log10(high / low)
    axes.yaxis.set_major_locator(LogLocator(subs=next(ticks for reach, ticks in TICKS.items() if decades <= reach)))
    plain_numbers(axes.yaxis, in_short=True)


def _reach(lines: list[list[float]]) -> tuple[float, float]:
    """Room for all lines but one that lies far below all the others, which would take the axis for itself."""
    alone = len(lines) > 1 and lines[0][-1] * FAR < lines[1][0]
    shown = lines[1:] if alone else lines
    return shown[0][0] / ROOM, max(line[-1] for line in shown) * ROOM


def plain_numbers(axis: Axis, *, in_short: bool = False) -> None:
    """1,000 instead of a power of ten; in short, 10 k and 1 M beyond."""
    say = _in_short if in_short else _in_full
    axis.set_major_formatter(FuncFormatter(lambda value, _: say(value)))
    axis.set_minor_formatter(NullFormatter())


def _in_short(value: float) -> str:
    for unit, sign in ((1e6, " M"), (1e3, " k")):
        if value >= max(unit, 1e4):
            return f"{value / unit:g}{sign}"
    return _in_full(value)


def _in_full(value: float) -> str:
    return f"{value:,.0f}" if value >= 1 else f"{value:g}"
