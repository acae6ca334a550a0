"""How long a curve takes to come back after a change, in shares of the stream."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

ENOUGH = 0.9
Curve = Sequence[float] | NDArray[np.float64]


def steady_before(curve: Curve, change: float) -> float:
    """The mean over the second half of what came before the change, which is a quarter of the stream if it is half-way.

    >>> steady_before([0.1, 0.2, 0.8, 0.9, 0.0, 0.0, 0.0, 0.0], 0.5)
    0.85
    """
    steps = round(change * len(curve))
    return round(float(np.mean(curve[steps // 2 : steps])), 6)


def steady_after_start(curve: Curve) -> float:
    """The median over the second half: for a stream that has seasons, and no one change."""
    return float(np.median(curve[len(curve) // 2 :]))


def time_below(curve: Curve, steady: float) -> list[tuple[float, bool]]:
    """Each stay below 90 % of the steady value: for which share of the curve, and whether it ended within it.

    >>> time_below([0.9, 0.2, 0.3, 0.9, 0.9, 0.9, 0.9, 0.1], steady=1.0)
    [(0.25, True), (0.125, False)]
    """
    below = [value < ENOUGH * steady - 1e-12 for value in curve]
    stays: list[tuple[float, bool]] = []
    length = 0
    for one in below:
        if one:
            length += 1
        elif length:
            stays.append((length / len(below), True))
            length = 0
    return [*stays, (length / len(below), False)] if length else stays


def back_after(curve: Curve, change: float, steady: float) -> float | None:
    """The share of the stream from the change until the first stay below 90 % is over; None if it never is.

    >>> back_after([0.9, 0.9, 0.9, 0.9, 0.9, 0.2, 0.4, 0.9], 0.5, steady=0.9)
    0.5
    >>> back_after([0.9, 0.9, 0.9, 0.9, 0.8, 0.2, 0.4, 0.8], 0.5, steady=0.9) is None
    True
    """
    first, dropped = round(change * len(curve)), False
    for step in range(first, len(curve)):
        enough = curve[step] >= ENOUGH * steady - 1e-12
        if dropped and enough:
            return (step + 1 - first) / len(curve)
        dropped = dropped or not enough
    return None if dropped else 0.0
