"""What each level lets people send: never more than ε, and each event as often as its weight says, exactly."""

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from numpy.typing import NDArray

from benchmarks.people.choices import (
    Choice,
    Coins,
    FirstOfEachDay,
    OfEachWindow,
    OfTheFirst,
    OneADay,
    OneAMonth,
    send,
    truths,
)
from benchmarks.people.contest import DIVISIONS
from benchmarks.people.crowd import Crowd, Day, Month
from hgldp.model.budget import Budget, Division

EPSILON = 4.0
DAYS, DAILY = 6, 4
MONTHLY = OneAMonth(Budget(EPSILON, "period", period="month"))
EVERY_DAY = OneADay(Budget(Fraction(EPSILON) / DAYS, "period", period="day"))


def window(events: int, division: Division = "population") -> Budget:
    return Budget(EPSILON, "window", events, division=division)


def month(people: int = 40) -> Month:
    return Crowd(people, DAYS, items=20, mean=1.5).draw(np.random.default_rng(2))


def contest(most: int) -> list[Choice]:
    return [
        MONTHLY,
        EVERY_DAY,
        *(OfTheFirst(Budget(EPSILON, "user", 5, division=division)) for division in DIVISIONS),
        *(OfEachWindow(window(most, division)) for division in DIVISIONS),
        FirstOfEachDay(Budget(Fraction(EPSILON) / (DAYS * DAILY)), DAILY),
    ]


def test_nobody_spends_more_than_epsilon_in_a_month() -> None:
    drawn = month()
    for choice in contest(drawn.most):
        for seed in range(20):
            assert send(choice, drawn, np.random.default_rng(seed)).most_spent <= EPSILON, choice


@pytest.mark.parametrize("division", DIVISIONS)
def test_a_window_shorter_than_a_busy_month_would_spend_more_and_is_noticed(division: Division) -> None:
    drawn = month()
    short = OfEachWindow(window(drawn.most // 3, division))
    assert send(short, drawn, np.random.default_rng(1)).most_spent > EPSILON


def chosen_numbers(choice: Choice, drawn: Month, coin: float) -> dict[int, list[int]]:
    """Which events of each person are reported, by their number in the month, if everybody draws the same coin."""
    coins = Coins(np.full(drawn.people, coin), np.full(drawn.people, coin))
    found: dict[int, list[int]] = {person: [] for person in range(drawn.people)}
    for day in drawn:
        chosen = choice.chosen(day, coins)
        for person, number in zip(day.person[chosen].tolist(), day.number[chosen].tolist(), strict=True):
            found[person].append(number)
    return found


def test_a_month_has_one_report_of_everybody_who_has_an_event_and_a_day_one_of_each_day() -> None:
    drawn = month()
    rng = np.random.default_rng(1)
    assert (send(MONTHLY, drawn, rng).reports_of == np.minimum(drawn.of_each, 1)).all()
    assert (send(EVERY_DAY, drawn, rng).reports_of == (drawn.counts > 0).sum(axis=0)).all()


def never_twice_in(events: int, choice: Choice, coin: float) -> bool:
    """Whether no person reports twice within so many consecutive events."""
    told = chosen_numbers(choice, month(), coin).values()
    return all(later - earlier >= events for numbers in told for earlier, later in pairwise(numbers))


@pytest.mark.parametrize("coin", [0.0, 0.3, 0.7, 0.999])
def test_any_n_consecutive_events_hold_at_most_one_report_of_a_divided_window(coin: float) -> None:
    divided = OfEachWindow(window(3))
    assert never_twice_in(3, divided, coin)
    assert all(not numbers or numbers[0] < 3 for numbers in chosen_numbers(divided, month(), coin).values())


class Blocks(OfEachWindow):
    """A planted bug: a place in each block of N, drawn for that block. Two reports may then be neighbours."""

    def chosen(self, day: Day, _: Coins) -> NDArray[np.bool_]:
        last_or_first = np.where(day.number // self.budget.events % 2, 0, self.budget.events - 1)
        return np.equal(day.number % self.budget.events, last_or_first)


def test_a_window_that_draws_a_place_in_each_block_is_noticed() -> None:
    assert not never_twice_in(3, Blocks(window(3)), 0.5)


@pytest.mark.parametrize("place", range(7))
def test_each_event_is_reported_as_often_as_its_weight_says(place: int) -> None:
    """Coins on a grid that every number of events up to 12 divides, so that shares are exact."""
    grid, drawn = 27_720, Crowd(3, DAYS, items=20, mean=1.0).draw(np.random.default_rng(5))
    choice = contest(drawn.most)[place]
    assert drawn.most <= 12
    scale = set()
    coins = (np.arange(grid) + 0.5) / grid
    for day in drawn:
        for event in range(day.item.size):
            lone = type(day)(*(np.repeat(getattr(day, name)[event], grid) for name in day.__dataclass_fields__))
            lone = type(day)(np.arange(grid), lone.item, lone.place, lone.number, lone.of_day, lone.of_month)
            times = Fraction(int(choice.chosen(lone, Coins(coins, coins)).sum()), grid)
            weight = Fraction(float(choice.chance(day)[event])).limit_denominator(100)
            assert (times == 0) == (weight == 0)
            scale |= {times / weight} if weight else set()
    assert len(scale) == 1, "the same factor for every event"


def test_the_truths_are_those_of_a_slow_count() -> None:
    drawn = month()
    by_people, by_events = truths(drawn, MONTHLY, OfEachWindow(window(1)))
    slow_people, slow_events = [Fraction(0)] * 20, [0] * 20
    for day in drawn:
        for person, item in zip(day.person.tolist(), day.item.tolist(), strict=True):
            slow_people[item] += Fraction(1, int(drawn.of_each[person]))
            slow_events[item] += 1
    assert np.allclose(by_people, [float(share) for share in slow_people], rtol=1e-12)
    assert by_events.tolist() == slow_events
    assert sum(slow_people) == int((drawn.of_each > 0).sum())


def test_what_a_report_spends_is_an_exact_part() -> None:
    spent = [choice.budget.per_report for choice in contest(8)]
    assert spent == [4, Fraction(2, 3), 4, Fraction(4, 5), 4, Fraction(1, 2), Fraction(1, 6)]
