"""Days, weeks and months of a person: each device counts its periods from a moment of its own."""

from typing import Literal

Period = Literal["day", "week", "month"]
DAY_SECONDS = 86_400
KeyLife = Literal["epoch", "day", "week", "month"]
"""How long the hash keys of a task stay: until the epoch is full, or at least so long."""
MONTH, YEAR = 30 * DAY_SECONDS, 365 * DAY_SECONDS
LATE_AND_ON_TIME = 2
"""A period's report may come late, and the next one on time: a daily limit of one would cost every second."""
PERIOD_SECONDS: dict[Period, int] = {"day": DAY_SECONDS, "week": 7 * DAY_SECONDS, "month": MONTH}


def period_at(second: float, period: Period, start: int) -> int:
    """The number of the period that a moment lies in, if one of them began at `start`.

    A device draws its start by lot. So nobody learns from the time of a report when its events were, and devices do not
    all report at midnight.

    >>> period_at(86_399, "day", 0), period_at(86_400, "day", 0), period_at(86_400, "day", 7)
    (0, 1, 0)
    """
    return int((second - start) // PERIOD_SECONDS[period])


def period_end(number: int, period: Period, start: int) -> int:
    """The first second after a period.

    >>> period_end(period_at(100, "day", 7), "day", 7)
    86407
    """
    return start + (number + 1) * PERIOD_SECONDS[period]


def reports_within(seconds: int, period: Period) -> int:
    """How many reports a person sends at most within some time: a late one may come first, and the next ones on time.

    >>> reports_within(DAY_SECONDS, "day"), reports_within(MONTH, "day"), reports_within(100, "month")
    (2, 31, 2)
    """
    return -(-seconds // PERIOD_SECONDS[period]) + 1
