"""The likely range of a whole number of which mean and variance are known."""

from collections.abc import Callable
from math import exp, lgamma, log, log1p, sqrt
from statistics import NormalDist

FEW, SURE = 2000.0, 1e-6


def likely_range(mean: float, variance: float, level: float) -> tuple[int, int]:
    """The whole numbers between which it lies with this chance: half of what is left lies on either side.

    A number that varies more than its mean follows a negative binomial law, one that varies less a binomial one: these
    two have just a mean and a variance, and never a chance below 0. Large ones follow a gamma law, by the cube root
    of Wilson and Hilferty.

    >>> likely_range(12.0, 0.0, 0.95), likely_range(0.001, 0.001, 0.95), likely_range(3.0, 3.0, 0.95)
    ((12, 12), (0, 0), (0, 7))
    >>> likely_range(9.5, 1.0, 0.95), likely_range(20.0, 100.0, 0.95), likely_range(5000.0, 10_000.0, 0.95)
    ((7, 11), (5, 43), (4806, 5198))
    """
    outside = (1 - level) / 2
    if mean <= SURE or variance <= SURE * max(1.0, mean):
        return round(mean), round(mean)
    if mean > FEW:
        return _gamma(mean, variance, outside)
    return _between(_law(mean, variance), mean + 40 * (1 + sqrt(variance + mean)), outside)


def _gamma(mean: float, variance: float, outside: float) -> tuple[int, int]:
    ninth, reach = variance / (9 * mean**2), NormalDist().inv_cdf(1 - outside)
    low, high = (mean * max(0.0, 1 - ninth + side * reach * sqrt(ninth)) ** 3 for side in (-1, 1))
    return round(low), round(high)


def _between(chance: Callable[[int], float], most: float, outside: float) -> tuple[int, int]:
    below, number, low = 0.0, 0, None
    while number < most:
        below += chance(number)
        if low is None and below > outside:
            low = number
        if below >= 1 - outside:
            break
        number += 1
    return low or 0, number


def _law(mean: float, variance: float) -> Callable[[int], float]:
    """The chance of each number."""
    if variance >= mean * (1 + SURE):
        size = mean**2 / (variance - mean)
        rate = log(mean / (size + mean))

        def pascal(number: int) -> float:
            ways = lgamma(size + number) - lgamma(size) - lgamma(number + 1)
            return exp(ways - size * log1p(mean / size) + number * rate)

        return pascal
    if variance > mean * (1 - SURE):
        return lambda number: exp(number * log(mean) - mean - lgamma(number + 1))
    tries = max(round(mean**2 / (mean - variance)), int(mean) + 1)
    each = mean / tries

    def binomial(number: int) -> float:
        if number > tries:
            return 0.0
        ways = lgamma(tries + 1) - lgamma(number + 1) - lgamma(tries - number + 1)
        return exp(ways + number * log(each) + (tries - number) * log1p(-each))

    return binomial
