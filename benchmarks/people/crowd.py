"""A crowd for a month: each person is more or less busy, and returns to a few favourites.

Items are ranked by Zipf's law. Each person draws three favourites from it, independently, so that two may be the same.
Eight events in ten are about a favourite, half of these about the first, a third about the second, a sixth about the
third; the other two in ten are a fresh draw. So every single event follows Zipf's law exactly, whoever it belongs to.
A person's number of events a day is Poisson; its mean differs from person to person (a gamma law of shape 2) and does
not depend on taste. With `apart`, it does: that share of the people, the busiest, draw from a ranking of their own, and
only the two groups follow Zipf's law, not the whole.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from hgldp.errors import InvalidField
from hgldp.model.validate import check_whole
from hgldp.simulation.drift import zipf_weights

FAVOURITES = (3 / 6, 2 / 6, 1 / 6)
LOYALTY = 0.8
BUSY_SHAPE = 2.0
MOST_ITEMS = 1 << 15
Whole = NDArray[np.int64]
Items = NDArray[np.int16]


@dataclass(frozen=True)
class Crowd:
    """How many people, for how many days, over how many items; `mean` is that of events per person and day.

    >>> month = Crowd(people=1000, days=3, items=50).draw(np.random.default_rng(1))
    >>> month.events, [day.item.size for day in month]
    (5924, [2024, 1901, 1999])
    """

    people: int
    days: int = 30
    items: int = 1000
    s: float = 1.1
    mean: float = 2.0
    apart: float = 0.0

    def __post_init__(self) -> None:
        check_whole("people", self.people, 1)
        check_whole("days", self.days, 1)
        check_whole("items", self.items, 2, MOST_ITEMS)
        if not 0 < self.mean <= 100:
            raise InvalidField("mean", "must be above 0 and at most 100 events a day", self.mean)
        if not 0 <= self.apart < 1:
            raise InvalidField("apart", "must be a share of the people below 1", self.apart)

    def draw(self, rng: np.random.Generator) -> "Month":
        """Everybody's events, day by day."""
        table = np.cumsum(zipf_weights(self.items, self.s))
        table /= table[-1]
        names = np.stack([rng.permutation(self.items) for _ in range(2)]).astype(np.int16)
        busy = rng.gamma(BUSY_SHAPE, self.mean / BUSY_SHAPE, self.people)
        group = np.zeros(self.people, np.int64)
        group[np.argsort(-busy)[: round(self.apart * self.people)]] = 1

        def fresh(person: Whole) -> Items:
            ranks = np.minimum(table.searchsorted(rng.random(person.size), side="right"), self.items - 1)
            return np.asarray(names[group[person], ranks], np.int16)

        favourites = np.stack([fresh(np.arange(self.people)) for _ in FAVOURITES])
        steps = np.cumsum(FAVOURITES) * LOYALTY
        counts = np.empty((self.days, self.people), np.int16)
        days = []
        for day in range(self.days):
            counts[day] = rng.poisson(busy)
            person = np.repeat(np.arange(self.people), counts[day])
            which = steps.searchsorted(rng.random(person.size), side="right")
            some = fresh(person)
            loyal = which < len(FAVOURITES)
            some[loyal] = favourites[which[loyal], person[loyal]]
            days.append(some)
        return Month(self.items, counts, days)


@dataclass(frozen=True)
class Day:
    """One day's events, person by person.

    `place` and `number` are an event's positions in the person's day and month, from 0; `of_day` and `of_month` are how
    many events the person has then.
    """

    person: Whole
    item: Items
    place: Whole
    number: Whole
    of_day: Whole
    of_month: Whole


@dataclass(frozen=True)
class Month:
    """`counts[day, person]` events, and each day's items, those of one person side by side."""

    domain_size: int
    counts: NDArray[np.int16]
    items: list[Items]

    def __iter__(self) -> Iterator[Day]:
        before = np.zeros(self.people, np.int64)
        for counts, items in zip(self.counts, self.items, strict=True):
            today = counts.astype(np.int64)
            person = np.repeat(np.arange(self.people), today)
            place = np.arange(items.size) - np.repeat(np.cumsum(today) - today, today)
            yield Day(person, items, place, place + before[person], today[person], self.of_each[person])
            before += today

    @property
    def people(self) -> int:
        """How many there are, those without any event too."""
        return int(self.counts.shape[1])

    @property
    def events(self) -> int:
        """In all."""
        return int(self.of_each.sum())

    @cached_property
    def of_each(self) -> Whole:
        """How many events each person has in the month."""
        return np.asarray(self.counts.sum(axis=0, dtype=np.int64))

    @property
    def most(self) -> int:
        """The busiest person's events."""
        return int(self.of_each.max())
