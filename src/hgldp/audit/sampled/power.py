"""How much an audit can see: what a client would have to do to be found with a chance of 95 %."""

from collections.abc import Callable
from math import ceil, exp, floor, inf, log, sqrt
from statistics import NormalDist

from hgldp.audit.sampled.bounds import lower_bound, upper_bound

FOUND = 0.95
MOST_EXCESS = 20.0
STEPS = 40
LUCK = NormalDist().inv_cdf((1 + FOUND) / 2)


def found_from(claim: float, share: float, draws: int, error: float) -> float:
    """The least spending that is found, where the less likely input has the event in this share of its draws.

    `error` is that of each of the two bounds. A share that leaves no room above it is replaced by that of randomised
    response between two answers, the easiest case. Both counts are taken as unlucky as they are in one of forty
    audits, so in at least 95 % both are luckier.

    >>> round(found_from(1.0, share=0.27, draws=200_000, error=1e-5), 3)
    1.032
    """

    def is_found(excess: float) -> bool:
        rare = min(max(share, 1 / draws), 1 / (1 + exp(claim + excess)))
        hits = _unlucky(rare * exp(claim + excess), draws, -LUCK), _unlucky(rare, draws, LUCK)
        return log_ratio(hits[0], hits[1], draws, draws, error) > claim

    return claim + _least(is_found, MOST_EXCESS)


def share_from(draws: int, error: float) -> float:
    """In which share of the draws of one input something must happen to be found, if it never does with the other.

    >>> round(share_from(200_000, error=1e-5), 6)
    0.000214
    """

    def is_found(share: float) -> bool:
        return log_ratio(_unlucky(share, draws, -LUCK), 0, draws, draws, error) > 0

    return _least(is_found, 1.0)


def log_ratio(hits: int, other_hits: int, draws: int, other_draws: int, error: float) -> float:
    """What the log ratio of two shares is at least, except with chance 2·error."""
    low = lower_bound(hits, draws, error)
    return log(low / upper_bound(other_hits, other_draws, error)) if low > 0 else -MOST_EXCESS


def _least(is_found: Callable[[float], bool], most: float) -> float:
    """The least that is found, by bisection; infinite if not even the most is."""
    if not is_found(most):
        return inf
    low, high = 0.0, most
    for _ in range(STEPS):
        middle = (low + high) / 2
        low, high = (low, middle) if is_found(middle) else (middle, high)
    return high


def _unlucky(share: float, draws: int, deviations: float) -> int:
    """A count that is this many deviations off, rounded to the unlucky side."""
    count = draws * share + deviations * sqrt(draws * share * (1 - share))
    return min(draws, max(0, floor(count) if deviations < 0 else ceil(count)))
