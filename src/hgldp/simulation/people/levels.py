"""Which events a person reports at each level, with which ε, and what the reports then weigh.

Plain arrays, one day after the other: what a client decides for itself is drawn here for everybody at once.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from hgldp.errors import InvalidField
from hgldp.model.validate import check_whole
from hgldp.model.weights import Epsilon, as_epsilon
from hgldp.simulation.people.crowd import Day, Month

Division = Literal["population", "budget"]
Chosen = NDArray[np.bool_]
Reals = NDArray[np.float64]


@dataclass(frozen=True)
class Coins:
    """A number in [0, 1) that each person drew for the month, and one for the day."""

    month: Reals
    day: Reals


@dataclass(frozen=True)
class Level(ABC):
    """A promise of `epsilon` to a person for a month."""

    epsilon: Epsilon

    @property
    @abstractmethod
    def per_report(self) -> Fraction:
        """What one report spends."""

    @property
    @abstractmethod
    def weighs(self) -> str:
        """What counts the same as another of its kind: people, days of people, or events."""

    @abstractmethod
    def chosen(self, day: Day, coins: Coins) -> Chosen:
        """Which events of a day are reported."""

    @abstractmethod
    def chance(self, day: Day) -> Reals:
        """How likely each event of a day is to be reported, up to a factor: the weight that the answer gives it."""


@dataclass(frozen=True)
class Period(Level):
    """One report a period with the whole ε of that period, about one of its events, each as likely as the others.

    A month of days spends a part of ε each day: the even split.
    """

    days: int = 1

    @property
    def per_report(self) -> Fraction:
        """The month's ε over the number of its periods."""
        return as_epsilon(self.epsilon) / self.days

    @property
    def weighs(self) -> str:
        """A person as much as another, however busy."""
        return "people" if self.days == 1 else "people's days"

    def chosen(self, day: Day, coins: Coins) -> Chosen:
        """One of the month, or one of the day."""
        if self.days == 1:
            return np.equal(np.floor(coins.month[day.person] * day.of_month), day.number)
        return np.equal(np.floor(coins.day[day.person] * day.of_day), day.place)

    def chance(self, day: Day) -> Reals:
        """One over the events that it was drawn from."""
        return 1.0 / (day.of_month if self.days == 1 else day.of_day)


@dataclass(frozen=True)
class Sequence(Level):
    """ε over N events: one of them with all of it (population), or each with an N-th of it (budget)."""

    events: int = 1
    division: Division = "population"

    def __post_init__(self) -> None:
        check_whole("events", self.events, 1)
        if self.division not in ("population", "budget"):
            raise InvalidField("division", "must be population or budget", self.division)

    @property
    def per_report(self) -> Fraction:
        """All of ε, or an N-th."""
        whole = as_epsilon(self.epsilon)
        return whole if self.division == "population" else whole / self.events

    @property
    def weighs(self) -> str:
        """Busy people more."""
        return "events"


@dataclass(frozen=True)
class Window(Sequence):
    """Any N consecutive events. Population: every N-th event, beginning anywhere among the first N."""

    def chosen(self, day: Day, coins: Coins) -> Chosen:
        """Every event, or every N-th."""
        if self.division == "budget":
            return np.ones(day.item.size, np.bool_)
        return np.equal(day.number % self.events, np.floor(coins.month[day.person] * self.events))

    def chance(self, day: Day) -> Reals:
        """The same for all."""
        return np.ones(day.item.size)


@dataclass(frozen=True)
class User(Sequence):
    """All events of a person, of which at most the first N are reported. Population: one of N places, drawn ahead."""

    @property
    def weighs(self) -> str:
        """Busy people more, up to N events."""
        return f"first {self.events} events"

    def chosen(self, day: Day, coins: Coins) -> Chosen:
        """The first N, or the one at the place that was drawn, if the person gets that far."""
        if self.division == "budget":
            return day.number < self.events
        return np.equal(day.number, np.floor(coins.month[day.person] * self.events))

    def chance(self, day: Day) -> Reals:
        """The same for the first N."""
        return (day.number < self.events).astype(np.float64)


@dataclass(frozen=True)
class Event(Level):
    """Every event, at most `most` a day, each with so much that the most a person can send in a month spends ε."""

    days: int = 30
    most: int = 10

    @property
    def per_report(self) -> Fraction:
        """The month's ε over its most reports."""
        return as_epsilon(self.epsilon) / (self.days * self.most)

    @property
    def weighs(self) -> str:
        """Busy people more."""
        return "events"

    def chosen(self, day: Day, _: Coins) -> Chosen:
        """The first few of each day."""
        return day.place < self.most

    def chance(self, day: Day) -> Reals:
        """The same for the first few of each day."""
        return (day.place < self.most).astype(np.float64)


@dataclass(frozen=True)
class Sent:
    """What reaches the server in a month, in the order of days, and what each person spent on it."""

    items: NDArray[np.int32]
    reports_of: NDArray[np.int64]
    per_report: Fraction

    @property
    def mean_spent(self) -> float:
        """ε per person; those without a report count as 0."""
        return float(self.reports_of.mean() * self.per_report)

    @property
    def most_spent(self) -> Fraction:
        """ε of whoever spent most."""
        return int(self.reports_of.max()) * self.per_report


def send(level: Level, month: Month, rng: np.random.Generator) -> Sent:
    """Everybody's reports of a month at a level."""
    for_the_month = rng.random(month.people)
    parts, reports_of = [], np.zeros(month.people, np.int64)
    for day in month:
        chosen = level.chosen(day, Coins(for_the_month, rng.random(month.people)))
        parts.append(day.item[chosen].astype(np.int32))
        reports_of += np.bincount(day.person[chosen], minlength=month.people)
    return Sent(np.concatenate(parts), reports_of, level.per_report)


def truths(month: Month, *levels: Level) -> list[Reals]:
    """The true weight of every item as each level weighs events: what its answer is an estimate of."""
    found = [np.zeros(month.domain_size) for _ in levels]
    for day in month:
        for place, level in enumerate(levels):
            found[place] += np.bincount(day.item, level.chance(day), minlength=month.domain_size)
    return found
