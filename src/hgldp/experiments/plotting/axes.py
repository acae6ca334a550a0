"""Two kinds of axes: logarithmic with plain numbers, and one for shares that are nearly 1."""

from math import inf, log10
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

ROOM, FAR = 1.5, 50.0
LOG_TICKS = {1.0: (1.0, 1.5, 2.0, 3.0, 5.0, 7.0), 2.0: (1.0, 2.0, 5.0), 3.0: (1.0, 3.0), inf: (1.0,)}
NEAR_ONE_TICKS = (0.0, 0.2, 0.4, 0.6, 0.8, 0.9, 0.95, 0.99, 1.0)
LOWEST, HIGHEST = -0.03, 1.002
NEAR_ONE = "(0 to 1, wider near 1)"


def make_logarithmic(axes: Axes) -> None:
    """Make the axis logarithmic and fit it to what was drawn; a short one gets more ticks."""
    drawn: list[Any] = [line.get_ydata() for line in axes.get_lines()]
    lines = sorted(sorted(float(height) for height in some if height > 0) for some in drawn)
    if not any(lines):
        return
    low, high = _reach([line for line in lines if line])
    axes.set_yscale("log")
    axes.set_ylim(low, high)
    decades = log10(high / low)
    axes.yaxis.set_major_locator(LogLocator(subs=next(ticks for reach, ticks in LOG_TICKS.items() if decades <= reach)))
    plain_numbers(axes.yaxis, in_short=True)


def _reach(lines: list[list[float]]) -> tuple[float, float]:
    """Room for all lines, but for one that lies far below the others and would squeeze them."""
    alone = len(lines) > 1 and lines[0][-1] * FAR < lines[1][0]
    shown = lines[1:] if alone else lines
    return shown[0][0] / ROOM, max(line[-1] for line in shown) * ROOM


def plain_numbers(axis: Axis, *, in_short: bool = False) -> None:
    """Write 1,000 instead of a power of ten; in short, also 10 k and 1 M."""
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


def widen_near_one(axes: Axes) -> None:
    """Set scale, range and ticks."""
    axes.set_yscale("function", functions=(_place, _share))
    axes.set_ylim(LOWEST, HIGHEST)
    axes.set_yticks(NEAR_ONE_TICKS, [f"{tick:g}" for tick in NEAR_ONE_TICKS])


def _place(share: Any) -> Any:
    missing = 1 - np.asarray(share, float)
    return -np.sign(missing) * np.sqrt(np.abs(missing))


def _share(place: Any) -> Any:
    root = -np.asarray(place, float)
    return 1 - np.sign(root) * root**2
