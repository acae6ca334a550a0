"""What a server learns from everything that a person ever sends, as exact fractions: at most e^ε, at every level.

Each case lets the real client live two lives that the level promises to hide from each other, through every draw that
it could make. Planted clients that spend more are found by the same comparison.
"""

from fractions import Fraction
from itertools import product

import pytest

from hgldp.client.worker import Worker
from hgldp.model.budget import Budget
from hgldp.model.task import Task
from hgldp.model.weights import within
from tests.client.every_way import Steps, lived, worst_ratio

EPSILON = Fraction(1)
DRINKS = ["tea", "milk"]


def task(budget: Budget, **settings: object) -> Task:
    return Task("bgr", budget, DRINKS, k=1, cells=1, other=True, **settings)  # type: ignore[arg-type]


EVENT, EACH_DAY = Budget(EPSILON), Budget(EPSILON, "period")
WINDOW, USER = Budget(EPSILON, "window", 2), Budget(EPSILON, "user", 3)
EVEN_WINDOW = Budget(EPSILON, "window", 2, division="budget")
EVEN_USER = Budget(EPSILON, "user", 3, division="budget")
TEA, MILK, GIN = "tea", "milk", "gin"

HIDDEN: dict[str, tuple[Task, list[tuple[Steps, Steps]]]] = {
    "event": (
        task(EVENT),
        [([[TEA, TEA], [MILK]], [[TEA, MILK], [MILK]]), ([[TEA], [TEA, MILK]], [[GIN], [TEA, MILK]])],
    ),
    "period": (
        task(EACH_DAY),
        [
            ([[TEA], [MILK, MILK]], [[MILK, GIN, GIN], [MILK, MILK]]),
            ([[TEA, TEA], [GIN]], [[TEA, TEA], [MILK, TEA]]),
        ],
    ),
    "period, with nothing": (
        task(EACH_DAY, nothing=True),
        [([[], [TEA]], [[MILK, MILK], [TEA]]), ([[TEA], []], [[TEA], [GIN]]), ([[], []], [[], [TEA, MILK]])],
    ),
    "window": (
        task(WINDOW),
        [([[TEA, TEA, MILK]], [[MILK, GIN, MILK]]), ([[TEA], [TEA, MILK], [TEA]], [[TEA], [GIN, GIN], [TEA]])],
    ),
    "window, even split": (
        task(EVEN_WINDOW), [([[TEA, TEA, MILK]], [[MILK, GIN, MILK]]), ([[TEA], [TEA, TEA]], [[TEA], [GIN, MILK]])],
    ),
    "user": (task(USER), [([[TEA, TEA], [MILK]], [[GIN, MILK], [TEA]]), ([[TEA] * 3, [TEA]], [[MILK] * 3, [GIN]])]),
    "user, even split": (task(EVEN_USER), [([[TEA, TEA], [MILK]], [[GIN, MILK], [TEA]])]),
}  # fmt: skip


@pytest.mark.parametrize("level", HIDDEN)
@pytest.mark.parametrize("new_key_every", [0, 1])
def test_two_lives_that_a_level_hides_differ_by_at_most_epsilon(level: str, new_key_every: int) -> None:
    asked, pairs = HIDDEN[level]
    for one, other in pairs:
        ratio = worst_ratio(*(lived(asked, life, new_key_every=new_key_every) for life in (one, other)))
        assert ratio is not None, "something can be seen of one life and never of the other"
        assert ratio > 1, "nothing was reported, so nothing is proved"
        assert within(ratio, EPSILON)


def test_every_pair_of_days_is_hidden_by_the_level_period() -> None:
    """All days of up to two events, and the empty day, against each other; another day follows."""
    asked = task(EACH_DAY, nothing=True)
    days = [[], *([one] for one in (TEA, MILK, GIN)), *map(list, product((TEA, MILK, GIN), repeat=2))]
    lives = [lived(asked, [day, [TEA]]) for day in days]
    ratios = [worst_ratio(one, other) for one, other in product(lives, repeat=2)]
    assert all(ratio is not None and within(ratio, EPSILON) for ratio in ratios)


class LooksAtTheClockLate(Worker):
    """Takes an event for one of the day in which it looks at it."""

    def randomise(self, now: float) -> None:
        waiting = [event._replace(moment=self.ledger.time.now()) for event in self.inbox.take(100)]
        self.inbox.done()
        super().randomise(now)
        self.inbox._events.extend(waiting)
        super().randomise(now)


@pytest.mark.parametrize("nothing", [False, True])
def test_an_event_that_waits_when_its_day_ends_belongs_to_that_day(nothing: bool) -> None:
    asked, next_day = task(EACH_DAY, nothing=nothing), [] if nothing else [MILK, MILK]
    one, other = [[TEA, TEA], next_day], [[MILK, GIN], next_day]
    ratio = worst_ratio(*(lived(asked, each, waits=True) for each in (one, other)))
    assert ratio is not None
    assert within(ratio, EPSILON)
    late = worst_ratio(*(lived(asked, each, LooksAtTheClockLate, waits=True) for each in (one, other)))
    assert late is None or not within(late, EPSILON)


def test_two_days_cost_twice_as_much_and_not_more() -> None:
    one, other = (lived(task(EACH_DAY), [[drink], [drink]]) for drink in (TEA, MILK))
    ratio = worst_ratio(one, other)
    assert ratio is not None
    assert not within(ratio, Fraction(19, 10) * EPSILON)
    assert within(ratio, 2 * EPSILON)


@pytest.mark.parametrize("budget", [EVENT, EACH_DAY, WINDOW, EVEN_WINDOW, USER, EVEN_USER])
@pytest.mark.parametrize(("keys", "new_key_every"), [(1, 0), (2, 2)])
def test_with_the_same_answers_a_value_costs_epsilon_once_a_key_however_often_it_comes(
    budget: Budget, keys: int, new_key_every: int
) -> None:
    """At every level: which value it is, everywhere. Tea becomes gin each time that it comes, among others too."""
    asked, most = task(budget, same_answers=True), keys * budget.per_report
    if budget.most_reports is not None:
        most = min(most, budget.epsilon)
    for life in ([["?"], ["?"], ["?"], ["?"]], [["?", MILK], ["?"], [MILK, "?"]]):
        lives = ([[drink if event == "?" else event for event in day] for day in life] for drink in (TEA, GIN))
        ratio = worst_ratio(*(lived(asked, each, new_key_every=new_key_every) for each in lives))
        assert ratio is not None
        assert within(ratio, most)
        assert ratio > 1


@pytest.mark.parametrize("budget", [EVENT, EACH_DAY])
def test_the_planted_client_that_forgets_spends_epsilon_each_time(budget: Budget) -> None:
    """Three days without memory cost more than twice as much."""
    lives = ([[drink]] * 3 for drink in (TEA, GIN))
    ratio = worst_ratio(*(lived(task(budget), life) for life in lives))
    assert ratio is not None
    assert not within(ratio, 2 * EPSILON)


def test_the_same_answers_show_that_a_value_changed() -> None:
    """The price of the memory, which the documents name: equal values always look equal."""
    asked = task(EVENT, same_answers=True)
    assert worst_ratio(lived(asked, [[TEA], [TEA]]), lived(asked, [[TEA], [MILK]])) is None


class TwiceADay(Worker):
    """Does not wait for the end of the day, and forgets that the day was paid for."""

    def randomise(self, now: float) -> None:
        super().randomise(now)
        if self.periods.drawn.open is not None and self.periods.drawn.open.seen:
            self.periods.drawn.over = self.periods.drawn.open
            super().randomise(now)
        object.__setattr__(self.ledger.page, "period", -1)


class DrawsALotForEachEvent(Worker):
    def _chosen(self, events: list[object], task: Task) -> list[object]:
        return [event for event in events if self._words.below(task.budget.drawn_from) == 0]


class KeepsTheOrder(Worker):
    def _queue(self, symbols, bulletin, agreed, now) -> None:
        with_order = self._words
        self._words = type("Still", (), {"below": lambda _, bound: bound - 1})()
        super()._queue(symbols, bulletin, agreed, now)
        self._words = with_order


def test_a_client_that_reports_twice_a_day_is_found() -> None:
    one, other = (lived(task(EACH_DAY), [day], TwiceADay) for day in ([TEA, TEA], [MILK, MILK]))
    ratio = worst_ratio(one, other)
    assert ratio is not None
    assert not within(ratio, EPSILON)


def test_lots_for_single_events_are_found_where_one_lot_for_all_is_promised() -> None:
    one, other = (lived(task(WINDOW), [day], DrawsALotForEachEvent) for day in ([TEA, TEA], [MILK, MILK]))
    ratio = worst_ratio(one, other)
    assert ratio is not None
    assert not within(ratio, EPSILON)


def test_the_order_inside_an_upload_says_nothing() -> None:
    """Two events in the other order look just the same; a client that keeps their order does not."""
    one, other = ([[TEA, MILK]], [[MILK, TEA]])
    assert lived(task(EVENT), one) == lived(task(EVENT), other)
    assert lived(task(EVENT), one, KeepsTheOrder) != lived(task(EVENT), other, KeepsTheOrder)


def test_each_event_of_a_day_is_drawn_with_the_same_chance() -> None:
    """A day of two teas and a milk is two thirds of a day of tea and a third of a day of milk, exactly."""
    mixed, tea, milk = (lived(task(EACH_DAY), [day]) for day in ([TEA, MILK, TEA], [TEA], [MILK]))
    assert mixed == {seen: Fraction(2, 3) * tea[seen] + Fraction(1, 3) * milk[seen] for seen in tea}
