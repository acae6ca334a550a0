"""Confidence bounds for a share: Clopper–Pearson to state a result, Wilson's formula to look for one.

The package does without SciPy, so the incomplete beta function is written out. A lower bound is approached from
below, and so it holds wherever the search stops.
"""

from math import exp, lgamma, log, log1p

import numpy as np
from numpy.typing import NDArray

from hgldp.errors import InvalidField

Floats = NDArray[np.float64]
STEPS, CLOSE, LONGEST_FRACTION = 100, 1e-12, 100_000
TINY = 1e-300


def lower_bound(hits: int, draws: int, error: float) -> float:
    """The share that lies below the truth except with chance `error`: the one with Pr[hits or more] = error.

    >>> round(lower_bound(80, 100, 0.025), 4), lower_bound(0, 100, 0.025)
    (0.7082, 0.0)
    """
    _check(hits, draws, error)
    if hits == 0:
        return 0.0
    if hits == draws:
        return float(error ** (1 / draws))
    share = _chernoff(hits, draws, error)
    for _ in range(STEPS):
        value, slope = _log_tail(share, hits, draws - hits + 1)
        step = (log(error) - value) / slope
        share += step
        if step <= CLOSE * share:
            break
    return share


def upper_bound(hits: int, draws: int, error: float) -> float:
    """The share that lies above the truth except with chance `error`.

    >>> round(upper_bound(80, 100, 0.025), 4), upper_bound(100, 100, 0.025)
    (0.8733, 1.0)
    """
    return 1.0 - lower_bound(draws - hits, draws, error)


def likely_low(hits: Floats, draws: float, deviations: float) -> Floats:
    """Wilson's lower bound, for many counts at once: good enough to choose by, not to state."""
    spread = deviations * np.sqrt(hits * (draws - hits) / draws + deviations**2 / 4)
    found: Floats = (hits + deviations**2 / 2 - spread) / (draws + deviations**2)
    return np.maximum(found, 0.0)


def likely_high(hits: Floats, draws: float, deviations: float) -> Floats:
    """Wilson's upper bound."""
    found: Floats = 1.0 - likely_low(draws - hits, draws, deviations)
    return found


def _check(hits: int, draws: int, error: float) -> None:
    if not 0 < error < 1:
        raise InvalidField("error", "must lie between 0 and 1", error)
    if not 0 <= hits <= draws or draws < 1:
        raise InvalidField("hits", f"must lie in 0 … {draws}, the number of draws, at least 1", hits)


def _chernoff(hits: int, draws: int, error: float) -> float:
    """A bound below Clopper–Pearson's: draws · KL(hits/draws, share) = ln(1/error), by bisection from below."""
    seen, low, high = hits / draws, 0.0, hits / draws
    for _ in range(STEPS // 2):
        middle = (low + high) / 2
        distance = seen * log(seen / max(middle, TINY)) + (1 - seen) * (log1p(-seen) - log1p(-middle))
        low, high = (middle, high) if draws * distance > -log(error) else (low, middle)
    return max(low, TINY)


def _log_tail(x: float, a: float, b: float) -> tuple[float, float]:
    """ln I_x(a, b), the regularised incomplete beta function, and its slope, for x below its mean.

    The continued fraction is the standard one, evaluated from the front (Lentz).
    """
    front = lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x)
    c, d = 1.0, 1.0 / (1.0 - (a + b) * x / (a + 1.0))
    fraction = d
    for m in range(1, LONGEST_FRACTION):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        d, c = 1.0 / (1.0 + even * d), 1.0 + even / c
        fraction *= d * c
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        d, c = 1.0 / (1.0 + odd * d), 1.0 + odd / c
        fraction *= d * c
        if abs(d * c - 1.0) < CLOSE / 10:
            break
    value = front + log(fraction / a)
    return value, exp(front - value) / (x * (1.0 - x))
