"""The tail of the χ² distribution, without SciPy."""

from collections.abc import Hashable, Mapping
from fractions import Fraction
from math import exp, lgamma, log

LEAST_EXPECTED = 20
_CLOSE = 1e-15
_TINY = 1e-300


def tail(statistic: float, freedom: int) -> float:
    """Pr[χ² ≥ statistic] with `freedom` degrees of freedom: the upper incomplete gamma function, regularised.

    >>> round(tail(3.841458820694124, 1), 12)
    0.05
    """
    if freedom < 1 or statistic <= 0:
        return 1.0
    shape, point = freedom / 2, statistic / 2
    front = exp(shape * log(point) - point - lgamma(shape))
    if point < shape + 1:
        return max(0.0, 1 - front * _series(shape, point))
    return front * _continued_fraction(shape, point)


def _series(shape: float, point: float) -> float:
    term = total = 1 / shape
    while abs(term) > abs(total) * _CLOSE:
        shape += 1
        term *= point / shape
        total += term
    return total


def _continued_fraction(shape: float, point: float) -> float:
    """Lentz's method."""
    bottom = point + 1 - shape
    ratio_up, ratio_down = 1 / _TINY, 1 / bottom
    value, step, change = ratio_down, 0, 2.0
    while abs(change - 1) > _CLOSE:
        step += 1
        top = -step * (step - shape)
        bottom += 2
        ratio_down = 1 / ((top * ratio_down + bottom) or _TINY)
        ratio_up = (bottom + top / ratio_up) or _TINY
        change = ratio_down * ratio_up
        value *= change
    return value


def distance(seen: Mapping[Hashable, int], row: Mapping[Hashable, Fraction]) -> tuple[float, int]:
    """The χ² statistic of a sample against a row of a channel, and its degrees of freedom.

    Reports that are expected fewer than `LEAST_EXPECTED` times are counted together. What the row holds impossible must
    not be in the sample.
    """
    draws = sum(seen.values())
    pools = [[0.0, 0.0]]
    for report, chance in sorted(row.items(), key=lambda entry: entry[1], reverse=True):
        if pools[-1][1] >= LEAST_EXPECTED:
            pools.append([0.0, 0.0])
        pools[-1][0] += seen.get(report, 0)
        pools[-1][1] += draws * float(chance)
    if len(pools) > 1 and pools[-1][1] < LEAST_EXPECTED:
        count, expected = pools.pop()
        pools[-1][0] += count
        pools[-1][1] += expected
    return sum((count - expected) ** 2 / expected for count, expected in pools), len(pools) - 1
