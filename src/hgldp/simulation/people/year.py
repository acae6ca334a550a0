"""One person's year at every level: one event a day, always the same item, and what an observer makes of it.

The bulletins are real ones: a store publishes them, one a day, while a crowd reports to it.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from hgldp.model.bulletins import FrontierBulletin
from hgldp.model.frontier_size import LISTED_CELLS, default_memory
from hgldp.model.randomness import derive_seed
from hgldp.model.weights import as_epsilon
from hgldp.schemes.pfr import PFR, leaves_for
from hgldp.simulation.frontier import follow
from hgldp.simulation.generators import Synthetic
from hgldp.simulation.people.observer import Schedule, guess, most_right
from hgldp.stores.frontier import Frontier

DAYS, WEEK, MONTH = 365, 7, 30
ITEMS, K, CROWD, ZIPF = 1000, 20, 2000, 1.1
SERVER, CLIENTS, FAVOURITES, COINS = range(4)
EVENT, MONTHLY = "event", "period: month"


@dataclass(frozen=True)
class Course:
    """How often the guess is right after each report of a level, with its standard error over people."""

    level: str
    schedule: Schedule
    right: tuple[float, ...]
    errors: tuple[float, ...]

    def after(self, day: int) -> float:
        """How often the guess is right after so many days; a blind one before the first report."""
        reports = self.schedule.reports_by(day)
        return self.right[reports - 1] if reports else 1 / self.schedule.scheme.domain_size

    def bound_after(self, day: int) -> float:
        """How often any guess could be right at most, by the ε that was spent until then."""
        return most_right(self.schedule.spent_by(day), self.schedule.scheme.domain_size)


def published(
    epsilon: float, seed: int, stays: int = 1, advance: Callable[[int], None] | None = None
) -> list[FrontierBulletin]:
    """What clients answer on each day of a year: 2,000 people report to a store every day (Zipf 1.1).

    Its bulletins stay for so many days; those of a single day only until their epoch is full.
    """
    scheme = PFR(ITEMS, LISTED_CELLS, epsilon, leaves_for(K))
    store = Frontier(scheme, memory=default_memory(LISTED_CELLS), seed=derive_seed(seed, SERVER))
    crowd = Synthetic("zipf", CROWD * DAYS, ITEMS, ZIPF).draw(np.random.default_rng(derive_seed(seed, CLIENTS)))
    bulletins = []
    for day in range(0, DAYS, stays):
        bulletins += [store.bulletin] * min(stays, DAYS - day)
        heard = crowd[day * CROWD : (day + stays) * CROWD]
        follow(scheme, store, heard, derive_seed(seed, DAYS + day), seals=stays == 1)
        store.seal()
        if advance is not None:
            advance(min(stays, DAYS - day))
    return bulletins


def schedules(
    epsilon: float, daily: list[FrontierBulletin], monthly: list[FrontierBulletin]
) -> Iterator[tuple[str, Schedule]]:
    """Every level, from the one that tells most to the one that tells least."""
    whole, one_key = as_epsilon(epsilon), [daily[-1]] * DAYS

    def of(step: int, shown: list[FrontierBulletin] = daily, *, parts: int = 1, until: int = DAYS) -> Schedule:
        days = tuple(range(0, until, step))
        scheme = PFR(ITEMS, LISTED_CELLS, whole / parts, leaves_for(K))
        return Schedule(scheme, days, tuple(shown[day] for day in days))

    yield EVENT, of(1)
    yield "event, a key a month", of(1, monthly)
    yield "event, one key for the year", of(1, one_key)
    yield "event, one answer, a key a month", of(MONTH, monthly)
    yield "event, one answer, one key", of(1, until=1)
    yield "period: day", of(1)
    yield "period: week", of(WEEK)
    yield MONTHLY, of(MONTH)
    yield f"window of {MONTH}, population", of(MONTH)
    yield f"window of {MONTH}, budget", of(1, parts=MONTH)
    yield f"user, {DAYS} events, population", of(1, until=1)
    yield f"user, {DAYS} events, budget", of(1, parts=DAYS)


def watch(epsilon: float, people: int, seed: int, progress: Callable[[int, int], None]) -> list[Course]:
    """Let an observer guess the favourites of so many people at every level; each item is the favourite of as many.

    Levels that send the same reports on the same days are one and the same to an observer, and are watched once.
    """
    done, total = 0, 2 * DAYS

    def advance(steps: int) -> None:
        nonlocal done
        done += steps
        progress(done, total)

    shown = (published(epsilon, seed, stays, advance) for stays in (1, MONTH))
    levels = list(schedules(epsilon, *shown))
    different = dict.fromkeys(schedule for _, schedule in levels)
    total += sum(len(schedule.days) for schedule in different)
    favourites = np.random.default_rng(derive_seed(seed, FAVOURITES)).permutation(np.arange(people) % ITEMS)
    found = {}
    for number, schedule in enumerate(different):
        right = guess(schedule, favourites, np.random.default_rng([derive_seed(seed, COINS), number]), advance)
        errors = right.std(axis=0) / people**0.5
        found[schedule] = tuple(right.mean(axis=0).tolist()), tuple(errors.tolist())
    return [Course(level, schedule, *found[schedule]) for level, schedule in levels]
