"""An axis for shares that are nearly 1: by the root of what is missing, so that the last tenth has a third of it."""

from typing import Any

import numpy as np
from matplotlib.axes import Axes

TICKS = (0.0, 0.2, 0.4, 0.6, 0.8, 0.9, 0.95, 0.99, 1.0)
LOWEST, HIGHEST = -0.03, 1.002
UNIT = "(0 to 1, wider near 1)"


def widen_near_one(axes: Axes) -> None:
    """Set scale, range and ticks."""
    axes.set_yscale("function", functions=(_place, _share))
    axes.set_ylim(LOWEST, HIGHEST)
    axes.set_yticks(TICKS, [f"{tick:g}" for tick in TICKS])


def _place(share: Any) -> Any:
    missing = 1 - np.asarray(share, float)
    return -np.sign(missing) * np.sqrt(np.abs(missing))


def _share(place: Any) -> Any:
    root = -np.asarray(place, float)
    return 1 - np.sign(root) * root**2
