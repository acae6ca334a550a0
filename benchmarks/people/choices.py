"""Which events of a crowd are reported at each level, and what the reports then weigh.

What a client decides for itself is drawn here for everybody at once, in plain arrays, one day after the other.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from benchmarks.people.crowd import Day, Month
from hgldp.model.budget import Budget

Chosen = NDArray[np.bool_]
Reals = NDArray[np.float64]


@dataclass(frozen=True)
class Coins:
    """A number in [0, 1) that each person drew for the month, and one for the day."""

    month: Reals
    day: Reals


@dataclass(frozen=True)
class Choice(ABC):
    """The events that a person reports under a budget."""

    budget: Budget

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


class OneAMonth(Choice):
    """One of the month's events, each as likely as the others, with all of ε."""

    weighs = "people"

    def chosen(self, day: Day, coins: Coins) -> Chosen:
        """One of the month."""
        return np.equal(np.floor(coins.month[day.person] * day.of_month), day.number)

    def chance(self, day: Day) -> Reals:
        """One over the events that it was drawn from."""
        return 1.0 / day.of_month


class OneADay(Choice):
    """One of each day's events, each as likely as the others. A month of days shares ε evenly."""

    weighs = "people's days"

    def chosen(self, day: Day, coins: Coins) -> Chosen:
        """One of the day."""
        return np.equal(np.floor(coins.day[day.person] * day.of_day), day.place)

    def chance(self, day: Day) -> Reals:
        """One over the events that it was drawn from."""
        return 1.0 / day.of_day


class OfEachWindow(Choice):
    """Any N consecutive events share ε. Population: every N-th event, beginning anywhere among the first N."""

    weighs = "events"

    def chosen(self, day: Day, coins: Coins) -> Chosen:
        """Every event, or every N-th."""
        if self.budget.division == "budget":
            return np.ones(day.item.size, np.bool_)
        return np.equal(day.number % self.budget.events, np.floor(coins.month[day.person] * self.budget.events))

    def chance(self, day: Day) -> Reals:
        """The same for all."""
        return np.ones(day.item.size)


class OfTheFirst(Choice):
    """A person's first N events share ε; no other is reported. Population: one of N places, drawn ahead."""

    @property
    def weighs(self) -> str:
        """Busy people more, up to N events."""
        return f"first {self.budget.events} events"

    def chosen(self, day: Day, coins: Coins) -> Chosen:
        """The first N, or the one at the place that was drawn, if the person gets that far."""
        if self.budget.division == "budget":
            return day.number < self.budget.events
        return np.equal(day.number, np.floor(coins.month[day.person] * self.budget.events))

    def chance(self, day: Day) -> Reals:
        """The same for the first N."""
        return (day.number < self.budget.events).astype(np.float64)


@dataclass(frozen=True)
class FirstOfEachDay(Choice):
    """Every event, at most `most` a day. The most that a person can send in a month shares ε."""

    most: int
    weighs = "events"

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


def send(choice: Choice, month: Month, rng: np.random.Generator) -> Sent:
    """Everybody's reports of a month."""
    for_the_month = rng.random(month.people)
    parts, reports_of = [], np.zeros(month.people, np.int64)
    for day in month:
        chosen = choice.chosen(day, Coins(for_the_month, rng.random(month.people)))
        parts.append(day.item[chosen].astype(np.int32))
        reports_of += np.bincount(day.person[chosen], minlength=month.people)
    return Sent(np.concatenate(parts), reports_of, choice.budget.per_report)


def truths(month: Month, *choices: Choice) -> list[Reals]:
    """The true weight of every item as each choice weighs events: what its answer is an estimate of."""
    found = [np.zeros(month.domain_size) for _ in choices]
    for day in month:
        for place, choice in enumerate(choices):
            found[place] += np.bincount(day.item, choice.chance(day), minlength=month.domain_size)
    return found
