"""How much one person may reveal, and over what: an event, a day, week or month, a window of events, or everything."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, cast, get_args

from hgldp.errors import InvalidField
from hgldp.model.period import DAY_SECONDS, LATE_AND_ON_TIME, Period, reports_within
from hgldp.model.validate import check_whole
from hgldp.model.weights import as_epsilon

Level = Literal["event", "period", "window", "user"]
Division = Literal["population", "budget"]
Unit = Literal["people", "events"]
DEFAULT_PERIOD: Period = "day"
_BY_EVENTS = ("window", "user")
_LEFT_OUT = cast(int, None)
_COVERED = {
    "event": "each single event",
    "period": "all events of a person within one of the device's {period}s",
    "window": "any {events} consecutive events of a person",
    "user": "all of a person's events, at most {events}",
}


@dataclass(frozen=True)
class Budget:
    """A total ε, and what it covers.

    `event`: each event is reported with ε. `period`: one event a day, week or month is drawn and reported with ε, so
    the period's events cost ε together. `window`: any `events` consecutive events of a person cost ε. `user`: all
    events of a person cost ε, at most `events` of them.

    For windows and users, `division` says how. `population`: one of `events` events is drawn by lot and reported with
    the whole ε. `budget`: each event is reported with ε / `events`, as the paper has it (section "Extensions").

    >>> Budget(1.0, "user", events=4).per_report, Budget(1.0, "user", events=4, division="budget").per_report
    (Fraction(1, 1), Fraction(1, 4))
    >>> Budget(1.0, "period").period
    'day'
    """

    epsilon: float | Fraction
    level: Level = "event"
    events: int = _LEFT_OUT
    period: Period | None = None
    division: Division | None = None

    def __post_init__(self) -> None:
        as_epsilon(self.epsilon)
        _check_choice("level", self.level, get_args(Level))
        by_events = self.level in _BY_EVENTS
        if by_events and self.events is _LEFT_OUT:
            raise InvalidField("events", f"must be given for the level {self.level}", "none")
        self._settle("events", 1)
        if check_whole("events", self.events, 1) != 1 and not by_events:
            raise InvalidField("events", f"must be 1 when the level is {self.level}", self.events)
        self._settle("division", "population" if by_events else None)
        self._check_part("division", get_args(Division), needed=by_events)
        self._settle("period", DEFAULT_PERIOD if self.level == "period" else None)
        self._check_part("period", get_args(Period), needed=self.level == "period")

    def _settle(self, field: str, default: object) -> None:
        """Put a default where nothing was given."""
        if getattr(self, field) is None:
            object.__setattr__(self, field, default)

    def _check_part(self, field: str, known: tuple[str, ...], *, needed: bool) -> None:
        """Refuse a part that the level does not have, or a value that the part does not have."""
        value = getattr(self, field)
        if needed:
            _check_choice(field, value, known)
        elif value is not None:
            raise InvalidField(field, f"must be left out when the level is {self.level}", value)

    @property
    def covers(self) -> str:
        """What ε covers, in words.

        >>> Budget(1.0, "window", events=5).covers, Budget(1.0, "period", period="week").covers
        ('any 5 consecutive events of a person', "all events of a person within one of the device's weeks")
        """
        return _COVERED[self.level].format(events=self.events, period=self.period)

    @property
    def drawn_from(self) -> int:
        """Of how many consecutive events one is reported; 1 where each is, or where a period's end decides."""
        return self.events if self.division == "population" else 1

    @property
    def reports_each_event(self) -> bool:
        """Whether every event makes a report; otherwise one of several does."""
        return self.level != "period" and self.drawn_from == 1

    @property
    def per_report(self) -> Fraction:
        """What one report spends."""
        return as_epsilon(self.epsilon) / (self.events if self.division == "budget" else 1)

    @property
    def most_reports(self) -> int | None:
        """How many reports a person ever sends; None where there is no limit."""
        if self.level != "user":
            return None
        return 1 if self.division == "population" else self.events

    def most_reports_within(self, seconds: int, daily: int) -> int | None:
        """How many reports one client makes at most within some time; None where nothing limits it.

        `daily` is the task's limit for 24 hours, or 0.

        >>> from hgldp.model.period import MONTH
        >>> Budget(1.0, "period").most_reports_within(MONTH, 0), Budget(1.0).most_reports_within(MONTH, 3)
        (31, 90)
        >>> Budget(1.0, "period").most_reports_within(DAY_SECONDS, 1), Budget(1.0).most_reports_within(MONTH, 0)
        (2, None)
        """
        daily = max(daily, LATE_AND_ON_TIME) if daily and self.period is not None else daily
        limits = [daily * -(-seconds // DAY_SECONDS)] if daily else []
        if self.period is not None:
            limits.append(reports_within(seconds, self.period))
        if self.most_reports is not None:
            limits.append(self.most_reports)
        return min(limits, default=None)

    @property
    def counted(self) -> str:
        """What a count is a number of, in words.

        >>> Budget(1.0, "window", events=5).counted, Budget(1.0).counted
        ('drawn events, one of 5', 'events')
        """
        return f"drawn events, one of {self.drawn_from:,}" if self.drawn_from > 1 else self.weighs

    @property
    def weighs(self) -> Unit:
        """What a count counts: people with an event in a period, each once, or events.

        >>> Budget(1.0, "period").weighs, Budget(1.0).weighs
        ('people', 'events')
        """
        return "people" if self.level == "period" else "events"


def _check_choice(field: str, value: object, known: tuple[str, ...]) -> None:
    if value not in known:
        raise InvalidField(field, f"must be one of {', '.join(known)}", value)
