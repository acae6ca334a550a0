"""One event in, one randomised report out, or nothing at all."""

from collections.abc import Set
from copy import copy
from dataclasses import dataclass, field
from math import isfinite

from hgldp.errors import BudgetSpent, InvalidField, did_you_mean
from hgldp.model.bulletins import AnyBulletin
from hgldp.model.domain import Code
from hgldp.model.randomness import OSWords, Words
from hgldp.model.reports import Report
from hgldp.model.rules import known_schemes, registered_schemes
from hgldp.model.task import Task
from hgldp.model.weights import Epsilon
from hgldp.schemes.registry import scheme_of

ANSWERS_KEPT = 32
"""So many bulletins back, a client with one answer a bulletin knows which ones it has answered."""


@dataclass
class Randomizer:
    """Holds the client's own ceilings and refuses anything above them; it never falls back to the raw value.

    `max_epsilon` is the most ε that a task may have at its level, `accepted` the schemes this client agrees to.
    With a budget per user, the report after the last one is refused. It reports every item it is given: which event of
    a period or window is reported, a `Reporter` decides. If the task has `one_answer`, it draws once for each bulletin
    and then gives the same report, whatever the item: send it once.

    >>> from hgldp.model.bulletins import Bulletin
    >>> task = Task("dsr", epsilon=1.0, domain=["tea", "coffee", "mate"], k=1, cells=2)
    >>> bulletin = Bulletin(task.id, 0, domain_size=3, hot=(0, 1))
    >>> Randomizer(task, max_epsilon=1.0).report("tea", bulletin).symbol in (0, 1, 2)
    True
    """

    task: Task
    max_epsilon: Epsilon
    words: Words = field(default_factory=OSWords, repr=False)
    accepted: frozenset[str] | None = None
    sent: int = 0
    answers: dict[str, Report] = field(default_factory=dict, init=False, repr=False)

    def __post_init__(self) -> None:
        if not isinstance(self.task, Task):
            raise InvalidField("task", "must be a Task", type(self.task).__name__)
        if not isinstance(self.words, Words):
            raise InvalidField(
                "words", "must be OSWords(), or SeededWords(seed) in experiments", type(self.words).__name__
            )
        check_ceiling(self.max_epsilon)
        accepted = accepted_schemes(self.accepted)
        if not self.task.budget.epsilon <= self.max_epsilon:
            limit = float(self.max_epsilon)
            raise InvalidField("epsilon", f"must be at most this client's ceiling {limit}", self.task.budget.epsilon)
        if self.task.scheme not in accepted:
            raise InvalidField(
                "scheme", f"must be one that this client accepts: {', '.join(sorted(accepted))}", self.task.scheme
            )
        self.accepted = accepted
        self._scheme = scheme_of(self.task)
        self._checked: AnyBulletin | None = None

    def another(self, sent: int) -> "Randomizer":
        """The randomiser of another person, who has sent so many reports: it shares no answer with this one."""
        one = copy(self)
        one.sent, one.answers = sent, {}
        return one

    def report(self, item: object, bulletin: AnyBulletin) -> Report:
        """Randomise one event once. Resend the same report if it was lost; never call this again for the same event."""
        if bulletin is None or bulletin is not self._checked:
            self._check(bulletin)
        return self._draw(self.task.encode(item), bulletin)

    def report_code(self, code: Code, bulletin: AnyBulletin) -> Report:
        """The same for an item whose code was kept; a code that no item of the task has is refused."""
        self._check(bulletin)
        size = self.task.domain.size
        legal = code is None or isinstance(code, bytes) if size is None else isinstance(code, int) and 0 <= code < size
        if not legal:
            raise InvalidField("code", "must be that of an item of the task", "another (withheld)")
        return self._draw(code, bulletin)

    def _draw(self, code: Code, bulletin: AnyBulletin) -> Report:
        if bulletin.version in self.answers:
            return self.answers[bulletin.version]
        most = self.task.budget.most_reports
        if most is not None and self.sent >= most:
            raise BudgetSpent(most)
        self.sent += 1  # before the draw: whatever happens then, it is spent
        report = Report(bulletin.version, self._scheme.randomize(code, bulletin, self.words))
        if self.task.one_answer:
            self.answers[bulletin.version] = report
            for old in list(self.answers)[:-ANSWERS_KEPT]:
                del self.answers[old]
        return report

    def _check(self, bulletin: AnyBulletin) -> None:
        """Once for each bulletin, which cannot change; a scheme that forgot its own check is still safe."""
        if not isinstance(bulletin, AnyBulletin):
            raise InvalidField("bulletin", "must be a bulletin, such as tracker.bulletin", type(bulletin).__name__)
        if bulletin.task != self.task.id:
            raise InvalidField("bulletin", "must be of this client's task", f"one of task {bulletin.task.hex()[:8]}")
        self._scheme.check_bulletin(bulletin)
        self._checked = bulletin


def check_ceiling(max_epsilon: Epsilon, name: str = "max_epsilon") -> None:
    """Refuse a ceiling on ε that is not a number, or that no task can stay below."""
    try:
        legal = not isinstance(max_epsilon, bool) and isfinite(max_epsilon) and max_epsilon > 0
    except TypeError:
        legal = False
    if not legal:
        raise InvalidField(name, "must be finite and above 0", repr(max_epsilon))


def accepted_schemes(names: Set[str] | None) -> frozenset[str]:
    """The names in lower case, as tasks write them; None accepts every scheme that this process knows.

    >>> sorted(accepted_schemes({"PFR", "dsr"}))
    ['dsr', 'pfr']
    >>> accepted_schemes({"prf"})  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    hgldp.errors.InvalidField: accepted must be a set of scheme names out of ..., got 'prf'; did you mean pfr?
    """
    if names is None:
        return frozenset(registered_schemes())
    known = known_schemes()
    rule = f"must be a set of scheme names out of {', '.join(known)}"
    if not isinstance(names, Set):
        raise InvalidField("accepted", rule, repr(names))
    for name in sorted(names, key=str):
        if not isinstance(name, str) or name.lower() not in known:
            raise InvalidField("accepted", rule, repr(name), did_you_mean(str(name), known))
    return frozenset(name.lower() for name in names)
