"""What this client agrees to, whatever a server asks for."""

from dataclasses import dataclass, field
from math import isfinite

from hgldp.client.randomizer import Randomizer
from hgldp.errors import InvalidField
from hgldp.model.randomness import Words
from hgldp.model.task import Task
from hgldp.model.validate import check_whole
from hgldp.model.weights import Epsilon
from hgldp.schemes.registry import NAMES
from hgldp.wire.upload import MOST_REPORTS


@dataclass(frozen=True)
class Caps:
    """How many reports one client may send: in a day, and ever (None: no such end)."""

    per_day: int
    ever: int | None = None


@dataclass(frozen=True)
class Ceilings:
    """The most ε at the task's level, the most reports a day, the schemes, and the most reports in one upload.

    >>> from hgldp.model.budget import Budget
    >>> from hgldp.model.domain import RangeDomain
    >>> task = Task("pfr", Budget(1.0, "user", events=4), RangeDomain(100), k=3, daily_reports=2)
    >>> Ceilings(max_epsilon=1.0).caps(task)
    Caps(per_day=2, ever=4)
    """

    max_epsilon: Epsilon
    reports_per_day: int = 100
    accepted: frozenset[str] = field(default=frozenset(NAMES))
    most_batch: int = 64

    def __post_init__(self) -> None:
        if isinstance(self.max_epsilon, bool) or not isfinite(self.max_epsilon) or self.max_epsilon <= 0:
            raise InvalidField("max_epsilon", "must be finite and above 0", self.max_epsilon)
        check_whole("reports_per_day", self.reports_per_day, 0)
        check_whole("most_batch", self.most_batch, 1, MOST_REPORTS)
        if not isinstance(self.accepted, frozenset | set) or not self.accepted <= set(NAMES):
            raise InvalidField("accepted", f"must be a set of names out of {', '.join(NAMES)}", "another")

    def caps(self, task: Task) -> Caps:
        """The stricter of the client's caps and the task's."""
        per_day = min(self.reports_per_day, task.daily_reports or self.reports_per_day)
        return Caps(per_day, task.budget.events if task.budget.level == "user" else None)

    def randomizer(self, task: Task, words: Words, sent: int) -> Randomizer:
        """The randomiser of a task that stays below the ceilings; any other task is refused."""
        return Randomizer(task, self.max_epsilon, words, frozenset(self.accepted), sent)
