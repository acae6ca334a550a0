"""What this client agrees to, whatever a server asks for."""

from dataclasses import dataclass
from fractions import Fraction

from hgldp.client.randomizer import Randomizer, accepted_schemes, check_ceiling
from hgldp.client.spending.page import Caps
from hgldp.errors import InvalidField
from hgldp.model.period import LATE_AND_ON_TIME
from hgldp.model.randomness import Words
from hgldp.model.reserved import MUST_HAVE_OTHER
from hgldp.model.task import Task
from hgldp.model.validate import check_whole
from hgldp.model.weights import Epsilon
from hgldp.wire.upload import MOST_REPORTS


@dataclass(frozen=True)
class Ceilings:
    """The most ε at the task's level, the most reports in 24 hours, the schemes, and the most reports in one upload.

    `max_total_epsilon` is the most ε that all reports may ever cost together (None: no limit).

    >>> from hgldp.model.budget import Budget
    >>> from hgldp.model.domain import RangeDomain
    >>> task = Task("pfr", Budget(1.0, "user", events=4, division="budget"), RangeDomain(100), k=3, daily_reports=2)
    >>> Ceilings(max_epsilon=1.0).caps(task), Ceilings(max_epsilon=1.0, max_total_epsilon=0.5).caps(task)
    (Caps(per_day=2, ever=4), Caps(per_day=2, ever=2))
    """

    max_epsilon: Epsilon
    reports_per_day: int = 100
    accepted: frozenset[str] | None = None
    most_batch: int = 64
    max_total_epsilon: Epsilon | None = None

    def __post_init__(self) -> None:
        check_ceiling(self.max_epsilon)
        if self.max_total_epsilon is not None:
            check_ceiling(self.max_total_epsilon, "max_total_epsilon")
        check_whole("reports_per_day", self.reports_per_day, 0)
        check_whole("most_batch", self.most_batch, 1, MOST_REPORTS)
        accepted_schemes(self.accepted)

    def caps(self, task: Task) -> Caps:
        """The stricter of the client's caps and the task's, each with the setting that it comes from."""
        stricter = 0 < task.daily_reports < self.reports_per_day
        per_day = task.daily_reports if stricter else self.reports_per_day
        if task.budget.period is not None and per_day:
            per_day = max(per_day, LATE_AND_ON_TIME)
        whose = "the task's daily_reports" if stricter else "reports_per_day"
        day_rule = f"the limit of {per_day:,} reports in 24 hours is reached ({whose})"
        ever, ever_rule = task.budget.most_reports, ""
        if ever is not None:
            ever_rule = f"the person's whole budget is spent: {ever:,} reports at the level user (the task's events)"
        if self.max_total_epsilon is not None:
            affordable = Fraction(self.max_total_epsilon) // task.budget.per_report
            if ever is None or affordable < ever:
                limit = f"{float(self.max_total_epsilon):g}"
                ever_rule = f"all reports together may cost ε = {limit}, which is spent (max_total_epsilon)"
                ever = affordable
        return Caps(per_day, ever, day_rule, ever_rule)

    def randomizer(self, task: Task, words: Words, sent: int) -> Randomizer:
        """The randomiser of a task that stays below the ceilings; any other task is refused."""
        if task.domain.size is not None and not task.other:
            raise InvalidField("other", MUST_HAVE_OTHER, "false")
        return Randomizer(task, self.max_epsilon, words, self.accepted, sent)
