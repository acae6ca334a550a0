"""From people or reports a day to the reports that a task has after a while."""

from dataclasses import dataclass

from hgldp.errors import InvalidField
from hgldp.model.budget import Budget
from hgldp.model.period import DAY_SECONDS, PERIOD_SECONDS
from hgldp.model.validate import check_whole

SPANS = {"day": 1, "week": 7, "month": 30}
MOST_A_DAY = 10_000_000_000


@dataclass(frozen=True)
class Traffic:
    """`reports` that come each day; or `people` who have an event in each period, and then send one report.

    A period is a day, a week or a month. Its report is sent when it is over. Each device draws by lot when its first
    period ends, so reports come evenly from the first day on.

    >>> Traffic(Budget(1.0), reports=500).after(7), Traffic(Budget(1.0, "period", period="week"), people=700).after(30)
    (3500, 3000)
    """

    budget: Budget
    reports: int | None = None
    people: int | None = None

    def __post_init__(self) -> None:
        if (self.reports is None) == (self.people is None):
            given = "neither" if self.reports is None else "both"
            raise InvalidField("people", "must be given, or reports in its place", given)
        if self.people is not None and self.budget.level != "period":
            rule = "works with the level period only, where each of them sends one report; else give reports"
            raise InvalidField("people", rule, self.budget.level)
        check_whole("reports" if self.people is None else "people", self.count, 1, MOST_A_DAY)

    @property
    def count(self) -> int:
        """The number that was given."""
        return self.reports if self.reports is not None else self.people or 0

    @property
    def days(self) -> int:
        """How many days a period has; reports are counted by the day."""
        if self.people is None or self.budget.period is None:
            return 1
        return PERIOD_SECONDS[self.budget.period] // DAY_SECONDS

    def after(self, days: int) -> int:
        """How many reports there are after so many days."""
        return self.count * days // self.days

    def needed(self, reports: float, days: int) -> float:
        """How many reports a day, or people a period, make so many reports within so many days."""
        return reports * self.days / days

    @property
    def unit(self) -> str:
        """What is counted, in words.

        >>> Traffic(Budget(1.0), reports=500).unit, Traffic(Budget(1.0, "period", period="week"), people=500).unit
        ('reports a day', 'people a week')
        """
        return "reports a day" if self.people is None else f"people a {self.budget.period}"
