"""An immutable description of what is asked. Its id is the hash of its canonical bytes."""

import json
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from hashlib import sha256
from typing import Any, TypeVar, get_args

from hgldp.errors import InvalidField
from hgldp.model.asked import asked_domain, how_many
from hgldp.model.budget import Budget, Level, Unit
from hgldp.model.domain import AnyDomain, StringDomain, listed_size
from hgldp.model.hints import Hints
from hgldp.model.period import PERIOD_SECONDS, KeyLife, reports_within
from hgldp.model.reserved import Normalisation, Reserved, normalised_if_short
from hgldp.model.rules import Rules, rules_of
from hgldp.model.validate import LARGEST_32, check_flag, check_whole

FRONTIER, WITH_HINTS = "pfr", "pfr-hints"
R = TypeVar("R", bound=Rules)
OPTIONAL = ("epoch_seconds", "daily_reports", "other", "nothing", "normalise", "one_answer", "keys")
LEFT_OUT = (0, "none", "epoch")
ENDS_BY_THE_CLOCK = "must come with epoch_seconds or keys (an epoch that everybody has answered would never end)"
OWN_NAMES = ("scheme", "budget", "epsilon", "level", "events", "domain", "k", "rules", *OPTIONAL)


@dataclass(frozen=True, init=False)
class Task:
    """What clients and the server agree on: scheme, ε, domain, k, and the rules of the scheme.

    `scheme` is pfr, bgr, dsr, bdr, cnr, or one that you registered. Give `epsilon`, or a `Budget` for other levels.
    The domain is a list of words, a range, or for strings that nobody listed the most bytes of a string. The rest has
    defaults: k is 10, and `cells`, `memory` and so on are the scheme's rules (`HotListRules`, `FrontierRules`).

    `epoch_seconds` also ends an epoch after this time, and `daily_reports` limits what one client may send in 24 hours;
    0 means no limit. With `other`, items that a listed domain lacks are reported as *other*; with `nothing`, a period
    without events is reported too. `normalise` says which near misses count as the item: by surrounding space, by case.
    With `one_answer`, a client answers each bulletin once, whatever events follow. `keys` says for how long the hash
    keys of pfr stay at least: a day, a week, a month, or `epoch`, until the epoch is full.

    >>> task = Task("dsr", epsilon=2.0, domain=range(1000), k=10)
    >>> task.rules.cells, task.rules.light_cells, task.id.hex()[:8]
    (20, 10, 'fc944344')
    >>> Task("pfr", epsilon=2.0, domain=64, k=10).rules.cells
    1024
    >>> Task("pfr", epsilon=2.0, domain=["tea", "coffee"], k=3)
    Traceback (most recent call last):
    hgldp.errors.InvalidField: k must be at most the 2 items of the domain, got 3
    """

    scheme: str
    budget: Budget
    domain: AnyDomain
    k: int
    rules: Rules
    epoch_seconds: int
    daily_reports: int
    other: bool
    nothing: bool
    normalise: Normalisation
    one_answer: bool
    keys: KeyLife

    def __init__(
        self,
        scheme: str,
        budget: Budget | None = None,
        domain: object = None,
        k: int | None = None,
        *,
        epsilon: float | Fraction | None = None,
        level: Level | None = None,
        events: int | None = None,
        rules: Rules | None = None,
        epoch_seconds: int = 0,
        daily_reports: int = 0,
        other: bool = False,
        nothing: bool = False,
        normalise: Normalisation = "none",
        one_answer: bool = False,
        keys: KeyLife = "epoch",
        **settings: Any,
    ) -> None:
        name, kind = rules_of(scheme)
        if domain is None:
            raise InvalidField("domain", "must be a list of words, a range, or how many bytes a string has", "none")
        agreed = _budget(budget, epsilon, level, events)
        known = asked_domain(domain, agreed, other=other, nothing=nothing, normalise=normalise)
        k = how_many(k, known)
        found: dict[str, object] = {
            "scheme": name,
            "budget": agreed,
            "domain": known,
            "k": k,
            "rules": _rules(name, kind, rules, k, known, settings),
            "epoch_seconds": check_whole("epoch_seconds", epoch_seconds, 0, LARGEST_32),
            "daily_reports": check_whole("daily_reports", daily_reports, 0, LARGEST_32),
            "other": other,
            "nothing": nothing,
            "normalise": normalise,
            "one_answer": check_flag("one_answer", one_answer),
            "keys": _keys(keys, name, known, epoch_seconds),
        }
        if one_answer and not epoch_seconds and keys == "epoch":
            raise InvalidField("one_answer", ENDS_BY_THE_CLOCK, "neither")
        for field, value in found.items():
            object.__setattr__(self, field, value)

    def rules_as(self, kind: type[R]) -> R:
        """The rules, if they are of a kind."""
        if not isinstance(self.rules, kind):
            raise InvalidField("rules", f"must be {kind.__name__} here", type(self.rules).__name__)
        return self.rules

    def changed(self, **settings: Any) -> "Task":
        """The same task with other rules; it is another task, with another id."""
        self.rules.check_names(self.scheme, settings)
        return replace(self, rules=replace(self.rules, **settings))

    @property
    def hints(self) -> Hints | None:
        """The public list of strings that are expected, or at least its name; None for a task without one."""
        return self.domain.hints if isinstance(self.domain, StringDomain) else None

    def with_hints(self, hints: Hints) -> "Task":
        """The same task with the list that it names, which clients and server need; another list is refused."""
        if not isinstance(self.domain, StringDomain) or self.hints is None:
            raise InvalidField("hints", "must be left out for a task that names no list", hints.digest)
        if hints != self.hints:
            raise InvalidField("hints", f"must be the list that the task names, {self.hints.digest}", hints.digest)
        return replace(self, domain=replace(self.domain, hints=hints))

    @property
    def name_in_bytes(self) -> str:
        """The scheme as the canonical bytes name it: clients that know no lists refuse one by its name."""
        return self.scheme if self.hints is None else WITH_HINTS

    @property
    def domain_size(self) -> int:
        """How many items there are; strings that nobody listed have no number."""
        return listed_size(self.domain)

    @property
    def bulletin_seconds(self) -> int:
        """For how long a bulletin stays at least, however many reports answer it; 0 where its epoch decides."""
        return 0 if self.keys == "epoch" else PERIOD_SECONDS[self.keys]

    @property
    def reports_each_event(self) -> bool:
        """Whether every event makes a report; otherwise one of several does."""
        return self.budget.reports_each_event and not self.one_answer

    def most_reports_within(self, seconds: int) -> int | None:
        """How many reports one client makes at most within some time; None where nothing limits it.

        >>> kept = Task("pfr", epsilon=1.0, domain=range(100), one_answer=True, keys="week")
        >>> kept.most_reports_within(28 * 86_400)
        5
        """
        limits = [self.budget.most_reports_within(seconds, self.daily_reports)]
        if self.one_answer and self.keys != "epoch":
            limits.append(reports_within(seconds, self.keys))
        elif self.one_answer:
            limits.append(seconds // self.epoch_seconds + 1)
        return min((each for each in limits if each is not None), default=None)

    @property
    def covers(self) -> str:
        """What ε covers, in words."""
        if self.one_answer and self.budget.level == "event":
            return "everything a person does during one bulletin"
        return self.budget.covers

    @property
    def weighs(self) -> Unit:
        """What a count counts: people, each once a period or a bulletin, or events."""
        return "people" if self.one_answer else self.budget.weighs

    @property
    def counted(self) -> str:
        """What a count is a number of, in words."""
        return self.weighs if self.one_answer else self.budget.counted

    @property
    def ends_on_time(self) -> bool:
        """Whether the clock ends an epoch however few reports it has; one of pfr over a list must have enough."""
        return self.scheme != FRONTIER or (self.domain.size is None and self.hints is None)

    def encode(self, item: object) -> int | bytes | None:
        """What a client randomises in place of an item, by the task's rule for near misses.

        >>> Task("pfr", epsilon=1.0, domain=["tea", "milk"], other=True, normalise="space").encode(" milk")
        1
        """
        if isinstance(self.domain, StringDomain):
            text = item.value if isinstance(item, Reserved) else item
            most = self.domain.most_bytes
            return self.domain.encode(
                normalised_if_short(text, self.normalise, most) if isinstance(text, str) else text
            )
        return self.domain.encode(item)

    @cached_property
    def canonical(self) -> bytes:
        """The bytes that the id is the hash of: sorted JSON, every number exact, no rule that the scheme lacks."""
        fields: dict[str, object] = {
            "scheme": self.name_in_bytes,
            "epsilon": str(Fraction(self.budget.epsilon)),
            "level": self.budget.level,
            "events": self.budget.events,
            "domain": self.domain.as_fields(),
            "k": self.k,
            **self.rules.as_fields(),
            **{name: getattr(self, name) for name in OPTIONAL if getattr(self, name) not in LEFT_OUT},
        }
        if self.budget.period is not None:
            fields["period"] = self.budget.period
        if self.budget.division == "population":
            fields["division"] = self.budget.division
        return json.dumps(fields, sort_keys=True, separators=(",", ":"), ensure_ascii=True).encode()

    @cached_property
    def id(self) -> bytes:
        """SHA-256 of the canonical bytes."""
        return sha256(b"hgldp task 1" + self.canonical).digest()


def _keys(keys: KeyLife, scheme: str, domain: AnyDomain, epoch_seconds: int) -> KeyLife:
    if keys not in get_args(KeyLife):
        raise InvalidField("keys", f"must be one of {', '.join(get_args(KeyLife))}", keys)
    if keys != "epoch" and (scheme != FRONTIER or domain.size is None):
        raise InvalidField("keys", f"must be epoch unless {FRONTIER} has a listed domain: nothing else has keys", keys)
    if keys != "epoch" and epoch_seconds:
        raise InvalidField("epoch_seconds", "must be left out where keys stay for longer than an epoch", epoch_seconds)
    return keys


def _budget(budget: Budget | None, epsilon: float | Fraction | None, level: Level | None, events: int | None) -> Budget:
    if (budget is None) == (epsilon is None):
        given = "neither" if budget is None else "both"
        raise InvalidField("epsilon", "must be given, or a Budget in its place", given)
    if epsilon is not None:
        named: dict[str, Any] = {"level": level, "events": events}
        return Budget(epsilon, **{name: value for name, value in named.items() if value is not None})
    if not isinstance(budget, Budget):
        raise InvalidField("budget", "must be a Budget; for a plain number write epsilon=…", type(budget).__name__)
    if level is not None or events is not None:
        raise InvalidField("level and events", "must be set in the Budget", level or events)
    return budget


def _rules(
    scheme: str, kind: type[Rules], given: Rules | None, k: int, domain: AnyDomain, settings: dict[str, Any]
) -> Rules:
    """Settings given here override the given rules, so that `dataclasses.replace` works on tasks."""
    if given is None:
        return kind.settle(scheme, k, domain, settings)
    if not isinstance(given, kind):
        raise InvalidField("rules", f"must be {kind.__name__} for {scheme}", type(given).__name__)
    given.check_names(scheme, settings)
    settled = replace(given, **settings)
    settled.check(k, domain)
    return settled
