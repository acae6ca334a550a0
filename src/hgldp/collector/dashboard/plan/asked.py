"""What the form asks, checked: numbers within limits, so that no plan can take long or need much memory."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast, get_args

from hgldp.errors import InvalidField
from hgldp.model.budget import Budget
from hgldp.model.domain import RangeDomain, StringDomain
from hgldp.model.period import Period
from hgldp.model.rules import Spelling
from hgldp.model.task import Task
from hgldp.planning.forecast import LaunchQuestion
from hgldp.planning.shapes import listed_shapes, open_shapes
from hgldp.planning.traffic import Traffic

LISTED = "items"
UNITS = {**{period: f"people a {period}" for period in get_args(Period)}, "reports": "reports a day"}
KINDS = {LISTED: "items on a list", "text": "words that nobody lists", "urls": "URLs that nobody lists"}
KINDS["identifiers"] = "identifiers that nobody lists"
SKEWS = {"": "I do not know", "0.7": "flat (Zipf 0.7)", "1": "usual (Zipf 1)", "1.3": "steep (Zipf 1.3)"}
LIMITS: dict[str, tuple[float, float]] = {
    "count": (1, 100_000_000),
    "size": (2, 1_000_000),
    "k": (1, 100),
    "epsilon": (0.05, 10),
}
LABELS = {
    "count": "how many come",
    "unit": "what they are",
    "kind": "what is counted",
    "size": "how many different items",
    "skew": "how frequent they are",
    "k": "k",
    "epsilon": "ε",
}
LONGEST = 16


@dataclass(frozen=True)
class PlanForm:
    """The texts of the form, as they were typed."""

    count: str = "20000"
    unit: str = "day"
    kind: str = LISTED
    size: str = "5000"
    k: str = "10"
    epsilon: str = "1"
    skew: str = ""

    @classmethod
    def of(cls, form: Mapping[str, str]) -> "PlanForm":
        """What was posted; what is missing is as on an empty form, what is too long is cut."""
        return cls(**{name: form[name][:LONGEST] for name in cls.__dataclass_fields__ if name in form})

    def question(self) -> LaunchQuestion:
        """The same as numbers; what is not legal is refused in one sentence.

        >>> PlanForm().question().traffic.after(7)
        140000
        >>> PlanForm(k="1000").question()
        Traceback (most recent call last):
        hgldp.errors.InvalidField: k must be a whole number in 1 … 100, got 1000
        """
        task, count, size = self.task(), self._whole("count"), self._whole("size")
        paid = task.budget
        traffic = Traffic(paid, reports=count) if self.unit == "reports" else Traffic(paid, people=count)
        skew = float(self.skew) if self.skew else None
        if not isinstance(task.domain, StringDomain):
            return LaunchQuestion(task, tuple(listed_shapes(size, skew)), traffic)
        spelling, most_bytes = cast(Spelling, self.kind), task.domain.most_bytes
        return LaunchQuestion(task, tuple(open_shapes(size, skew, spelling=spelling, most_bytes=most_bytes)), traffic)

    def task(self) -> Task:
        """The task alone. It takes no time, however many items there are, and refuses all that `question` refuses."""
        for name, known in (("unit", UNITS), ("kind", KINDS), ("skew", SKEWS)):
            if getattr(self, name) not in known:
                raise InvalidField(LABELS[name], f"must be one of {', '.join(known.values())}", "another one")
        _, size, k = (self._whole(name) for name in ("count", "size", "k"))
        epsilon, period = self._number("epsilon"), None if self.unit == "reports" else cast(Period, self.unit)
        budget = Budget(epsilon, "event" if period is None else "period", period=period)
        if self.kind != LISTED:
            return Task("pfr", budget, StringDomain(), k, spelling=cast(Spelling, self.kind))
        if k >= size:
            raise InvalidField(LABELS["k"], "must be below the number of different items", k)
        return Task("pfr", budget, RangeDomain(size), k)

    def _number(self, name: str) -> float:
        least, most = LIMITS[name]
        text: str = getattr(self, name).strip()
        try:
            found = float(text) if text.isascii() else least - 1
        except ValueError:
            found = least - 1
        if not least <= found <= most:
            raise InvalidField(LABELS[name], f"must be a number in {least:g} … {most:g}", text or "nothing")
        return found

    def _whole(self, name: str) -> int:
        least, most = (int(end) for end in LIMITS[name])
        text: str = getattr(self, name).strip()
        if not (text.isascii() and text.isdecimal() and least <= int(text) <= most):
            raise InvalidField(LABELS[name], f"must be a whole number in {least:,} … {most:,}", text or "nothing")
        return int(text)
