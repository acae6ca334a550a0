"""What all reports of one person may cost together within a day, a month, a year: the sum over what a task allows."""

from fractions import Fraction

from hgldp.model.budget import Budget
from hgldp.model.period import DAY_SECONDS, PERIOD_SECONDS, reports_within

DAY, MONTH, YEAR = DAY_SECONDS, PERIOD_SECONDS["month"], 365 * DAY_SECONDS


def most_reports(budget: Budget, daily: int, seconds: int) -> int | None:
    """How many reports one client sends at most within some time; None where nothing limits it.

    `daily` is the task's limit for 24 hours, or 0.

    >>> each = Budget(1.0)
    >>> most_reports(Budget(1.0, "period"), 0, MONTH), most_reports(each, 3, MONTH), most_reports(each, 0, DAY)
    (31, 90, None)
    """
    limits = [daily * -(-seconds // DAY_SECONDS)] if daily else []
    if budget.period is not None:
        limits.append(reports_within(seconds, budget.period))
    if budget.most_reports is not None:
        limits.append(budget.most_reports)
    return min(limits, default=None)


def most_spent(budget: Budget, daily: int, seconds: int) -> Fraction | None:
    """The ε of these reports together.

    >>> most_spent(Budget(2.0, "period", period="month"), 0, YEAR), most_spent(Budget(2.0, "user", 5), 0, YEAR)
    (Fraction(28, 1), Fraction(2, 1))
    """
    reports = most_reports(budget, daily, seconds)
    return None if reports is None else budget.per_report * reports
