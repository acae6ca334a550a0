"""One event in, one randomised report out, or nothing at all."""

from dataclasses import dataclass, field
from difflib import get_close_matches
from math import isfinite
from typing import Any

from hgldp.errors import BudgetSpent, InvalidField
from hgldp.model.bulletins import AnyBulletin
from hgldp.model.domain import StringDomain
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
        check_ceiling(self.max_epsilon)
        self.accepted = accepted_schemes(self.accepted)
        if not self.task.budget.epsilon <= self.max_epsilon:
            limit = float(self.max_epsilon)
            raise InvalidField("epsilon", f"must be at most this client's ceiling {limit}", self.task.budget.epsilon)
        if self.task.scheme not in self.accepted:
            raise InvalidField("scheme", f"must be one this client accepts ({sorted(self.accepted)})", self.task.scheme)
        self._scheme: Any = scheme_of(self.task)

    def report(self, item: object, bulletin: AnyBulletin) -> Report:
        """Randomise one event once. Resend the same report if it was lost; never call this again for the same event."""
        self._check(bulletin)
        domain, budget = self.task.domain, self.task.budget
        value = domain.code(item) if isinstance(domain, StringDomain) else domain.index(item)
        if budget.level == "user" and self.sent >= budget.events:
            raise BudgetSpent(budget.events)
        self.sent += 1
        return Report(bulletin.version, self._scheme.randomize(value, bulletin, self.words))

    def _check(self, bulletin: AnyBulletin) -> None:
        if bulletin.task != self.task.id:
            raise InvalidField("bulletin", "must be of this client's task", f"one of task {bulletin.task.hex()[:8]}")
        self._scheme.check_bulletin(bulletin)


def check_ceiling(max_epsilon: Epsilon) -> None:
    """Refuse a ceiling on ε that is no number, or that nothing can stay below."""
    try:
        legal = not isinstance(max_epsilon, bool) and isfinite(max_epsilon) and max_epsilon > 0
    except TypeError:
        legal = False
    if not legal:
        raise InvalidField("max_epsilon", "must be finite and above 0", repr(max_epsilon))


def accepted_schemes(names: frozenset[str] | set[str]) -> frozenset[str]:
    """The names in lower case, as tasks write them; an unknown one is refused, with the nearest one suggested.

    >>> sorted(accepted_schemes({"PFR", "dsr"}))
    ['dsr', 'pfr']
    >>> accepted_schemes({"prf"})  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    hgldp.errors.InvalidField: accepted must be a set of scheme names out of ... (did you mean pfr?), got 'prf'
    """
    rule = f"must be a set of scheme names out of {', '.join(NAMES)}"
    if not isinstance(names, frozenset | set):
        raise InvalidField("accepted", rule, repr(names))
    found = set()
    for name in sorted(names, key=str):
        known = name.lower() if isinstance(name, str) else ""
        if known not in NAMES:
            near = get_close_matches(known, NAMES, 1)
            raise InvalidField("accepted", rule + (f" (did you mean {near[0]}?)" if near else ""), repr(name))
        found.add(known)
    return frozenset(found)
