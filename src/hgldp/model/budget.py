"""How much one person may reveal, and over what: per event, per window of events, or per user."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, cast, get_args

from hgldp.errors import InvalidField
from hgldp.model.validate import check_whole
from hgldp.model.weights import as_epsilon

Level = Literal["event", "window", "user"]
_LEFT_OUT = cast(int, None)
_COVERED = {
    "event": "each single event",
    "window": "any {events} consecutive events of a person",
    "user": "all of a person's events, at most {events}",
}


@dataclass(frozen=True)
class Budget:
    """A total ε over `events` reports, split evenly (the paper's extensions, section "Extensions").

    `event`: ε for each event. `window`: ε for any `events` consecutive events of one person.
    `user`: ε for a person's whole stream of at most `events` events.

    >>> Budget(1.0, "user", events=4).per_report
    Fraction(1, 4)
    """

    epsilon: float | Fraction
    level: Level = "event"
    events: int = _LEFT_OUT

    def __post_init__(self) -> None:
        as_epsilon(self.epsilon)
        if self.level not in get_args(Level):
            raise InvalidField("level", f"must be one of {', '.join(get_args(Level))}", self.level)
        if self.events is _LEFT_OUT and self.level == "event":
            object.__setattr__(self, "events", 1)
        if self.events is _LEFT_OUT:
            raise InvalidField("events", f"must be given for the level {self.level}", "none")
        check_whole("events", self.events, 1)
        if self.level == "event" and self.events != 1:
            raise InvalidField("events", "must be 1 when the level is event", self.events)

    @property
    def covers(self) -> str:
        """What ε covers, in words.

        >>> Budget(1.0, "window", events=5).covers
        'any 5 consecutive events of a person'
        """
        return _COVERED[self.level].format(events=self.events)

    @property
    def per_report(self) -> Fraction:
        """What one report spends."""
        return as_epsilon(self.epsilon) / self.events
