"""One event in, one randomised report out, or nothing at all."""

from dataclasses import dataclass, field
from math import isfinite

from hgldp.errors import BudgetSpent, InvalidField
from hgldp.model.bulletins import AnyBulletin
from hgldp.model.randomness import OSWords, Words
from hgldp.model.reports import Report
from hgldp.model.task import Task
from hgldp.model.weights import Epsilon
from hgldp.schemes.registry import NAMES, scheme_of


@dataclass
class Randomizer:
    """Holds the client's own ceilings and refuses whatever lies above them; it never falls back to the raw value.

    `max_epsilon` is what one person may ever spend at the task's level, `accepted` the schemes this client agrees to.
    With a budget per user, the report after the last of its `events` is refused.

    >>> from hgldp.model.budget import Budget
    >>> from hgldp.model.bulletins import Bulletin
    >>> from hgldp.model.domain import Vocabulary
    >>> task = Task("dsr", Budget(1.0), Vocabulary(("tea", "coffee", "mate")), k=1, cells=2)
    >>> bulletin = Bulletin(task.id, 0, domain_size=3, hot=(0, 1))
    >>> Randomizer(task, max_epsilon=1.0).report("tea", bulletin).symbol in (0, 1, 2)
    True
    """

    task: Task
    max_epsilon: Epsilon
    words: Words = field(default_factory=OSWords, repr=False)
    accepted: frozenset[str] = frozenset(NAMES)
    sent: int = 0

    def __post_init__(self) -> None:
        if not isfinite(self.max_epsilon) or self.max_epsilon <= 0:
            raise InvalidField("max_epsilon", "must be finite and above 0", self.max_epsilon)
        if not isinstance(self.accepted, frozenset | set):
            raise InvalidField("accepted", "must be a set of scheme names", type(self.accepted).__name__)
        if not self.task.budget.epsilon <= self.max_epsilon:
            limit = float(self.max_epsilon)
            raise InvalidField("epsilon", f"must be at most this client's ceiling {limit}", self.task.budget.epsilon)
        if self.task.scheme not in self.accepted:
            raise InvalidField("scheme", f"must be one this client accepts ({sorted(self.accepted)})", self.task.scheme)
        self._scheme = scheme_of(self.task)

    def report(self, item: object, bulletin: AnyBulletin) -> Report:
        """Randomise one event once. Resend the same report if it was lost; never call this again for the same event."""
        self._check(bulletin)
        domain, budget = self.task.domain, self.task.budget
        value = domain.encode(item)
        if budget.level == "user" and self.sent >= budget.events:
            raise BudgetSpent(budget.events)
        self.sent += 1
        return Report(bulletin.version, self._scheme.randomize(value, bulletin, self.words))

    def _check(self, bulletin: AnyBulletin) -> None:
        if bulletin.task != self.task.id:
            raise InvalidField("bulletin", "must be of this client's task", f"one of task {bulletin.task.hex()[:8]}")
        self._scheme.check_bulletin(bulletin)
