"""e^ε as an integer weight: the one place where ε meets a probability (paper-notes, decision 5).

With S = 2^32 and W = ⌊S·e^ε⌋, "truth" has weight W and every other symbol weight S. All probabilities are
rational, the ratio W/S never exceeds e^ε, and no floating point takes part.
"""

from decimal import ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from functools import cache
from math import inf, isfinite

from hgldp.errors import InvalidField

SCALE = 1 << 32
MAX_EPSILON = 10
MIN_EPSILON = 1e-6
Epsilon = float | Fraction
_EXACT = Context(prec=100)


def as_epsilon(epsilon: Epsilon) -> Fraction:
    """The budget as an exact fraction.

    >>> as_epsilon(0.5)
    Fraction(1, 2)
    >>> as_epsilon(float("nan"))
    Traceback (most recent call last):
    hgldp.errors.InvalidField: epsilon must be finite and above 0, got nan
    """
    if not isinstance(epsilon, int | float | Fraction) or isinstance(epsilon, bool):
        raise InvalidField("epsilon", "must be a number of type float, int or Fraction", type(epsilon).__name__)
    if MAX_EPSILON < epsilon < inf:
        found = epsilon if epsilon < 1_000_000 else "more"
        raise InvalidField("epsilon", f"must be at most {MAX_EPSILON} (beyond that nothing is hidden)", found)
    if not isfinite(epsilon) or epsilon <= 0:
        raise InvalidField("epsilon", "must be finite and above 0", epsilon)
    if epsilon < MIN_EPSILON:
        raise InvalidField("epsilon", f"must be at least {MIN_EPSILON} (below that a report says nothing)", epsilon)
    return Fraction(epsilon)


def _power(epsilon: Epsilon) -> Decimal:
    """e^ε to a hundred digits."""
    exact = Fraction(epsilon)
    return _EXACT.divide(Decimal(exact.numerator), Decimal(exact.denominator)).exp(_EXACT)


@cache
def truth_weight(epsilon: Epsilon, scale: int = SCALE) -> int:
    """W = ⌊scale·e^ε⌋, exactly.

    >>> truth_weight(1.0)
    11674931554
    >>> truth_weight(1.0, scale=4)
    10
    """
    return int(_EXACT.multiply(_power(epsilon), Decimal(scale)).to_integral_value(ROUND_FLOOR))


def spent(ratio: Fraction) -> float:
    """The ε of a likelihood ratio: ln(ratio), for people to read."""
    if ratio <= 0:
        raise InvalidField("ratio", "must be above 0", ratio)
    return float(_EXACT.divide(Decimal(ratio.numerator), Decimal(ratio.denominator)).ln(_EXACT))


def within(ratio: Fraction, epsilon: Epsilon) -> bool:
    """Whether ratio ≤ e^ε, decided with a hundred digits.

    >>> within(Fraction(truth_weight(1.0), SCALE), 1.0), within(Fraction(truth_weight(1.0) + 1, SCALE), 1.0)
    (True, False)
    """
    return Decimal(ratio.numerator) <= _EXACT.multiply(_power(as_epsilon(epsilon)), Decimal(ratio.denominator))
