"""Whole numbers within bounds, and what is true or false: the rules behind most fields."""

from hgldp.errors import InvalidField

LARGEST_32 = (1 << 32) - 1
LARGEST_53 = (1 << 53) - 1  # the largest that JSON carries exactly
LARGEST_63 = (1 << 63) - 1
LONGEST_SHOWN = 40


def check_whole(field: str, value: int, least: int, most: int | None = None) -> int:
    """The number itself, if it is whole and within its bounds.

    >>> check_whole("k", 0, least=1)
    Traceback (most recent call last):
    hgldp.errors.InvalidField: k must be a whole number of at least 1, got 0
    """
    bounds = f"of at least {least}" if most is None else f"in {least} … {most}"
    if isinstance(value, bool) or not isinstance(value, int):
        shown = (repr(value) if isinstance(value, str) else str(value))[:LONGEST_SHOWN]
        kind = "" if isinstance(value, str | float | bool | None) else f" of type {type(value).__name__}"
        raise InvalidField(field, f"must be a whole number {bounds}", f"{shown}{kind}")
    if value < least or (most is not None and value > most):
        raise InvalidField(field, f"must be a whole number {bounds}", value)
    return value


def check_flag(field: str, value: bool) -> bool:
    """The value itself, if it is true or false."""
    if not isinstance(value, bool):
        raise InvalidField(field, "must be true or false", value)
    return value
