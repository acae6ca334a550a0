"""What an answer grants to forged reports: how far it extrapolates, and how many liars a certain line withstands.

Chance moves every count by its standard error, with forged reports or without: what they add comes on top of it.
"""

from decimal import ROUND_CEILING, Decimal
from math import isfinite

REACH = 8.0
"""The count of a hot list's item is at most so many times what was measured since it was admitted."""

FRONTIER_REACH = 2.0
"""The same for pfr. It lets an item drift from one epoch to the next, so a burst may spread to the epochs around it.
Twice is measured, not proven: in bursts of 500 forged reports the worst was 1.7 times."""

STRING_REACH = 8.0
"""The same for strings that nobody listed, since they were tracked."""

FORGED_SHARE = 0.001
"""A hot list's line that may not be noise would stand out even if this share of all reports were forged for it."""


def rounded_up(number: float) -> float:
    """Three figures, never too low: what is stated about forged reports are upper bounds.

    >>> rounded_up(22.91), rounded_up(41.52), rounded_up(1011.3)
    (23.0, 41.6, 1020.0)
    """
    if not isfinite(number):
        return number
    exact = Decimal(number)
    return float(exact.quantize(Decimal(1).scaleb(exact.adjusted() - 2), ROUND_CEILING))
