"""What a server learns from everything that a person ever sends, as exact fractions: at most e^ε, at every level.

Each case lets the real client live two lives that the level promises to hide from each other, through every draw that
it could make. Planted clients that spend more are found by the same comparison.
"""

from dataclasses import replace
from fractions import Fraction
from itertools import combinations, product

import pytest

from hgldp.client.agreement import Agreed
from hgldp.client.worker import Worker
from hgldp.model.budget import Budget
from hgldp.model.bulletins import AnyBulletin
from hgldp.model.task import Task
from hgldp.model.weights import within
from hgldp.system.clock import DAY_SECONDS
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


def remembering(asked: Task) -> Task:
    """The same task with one answer a bulletin."""
    return replace(asked, one_answer=True, epoch_seconds=DAY_SECONDS)


@pytest.mark.parametrize("level", HIDDEN)
@pytest.mark.parametrize("memory", [False, True])
@pytest.mark.parametrize("new_key_every", [0, 1])
def test_two_lives_that_a_level_hides_differ_by_at_most_epsilon(level: str, memory: bool, new_key_every: int) -> None:
    asked, pairs = HIDDEN[level]
    asked = remembering(asked) if memory else asked
    ratios = []
    for one, other in pairs:
        ratio = worst_ratio(*(lived(asked, life, new_key_every=new_key_every) for life in (one, other)))
        assert ratio is not None, "something can be seen of one life and never of the other"
        assert within(ratio, EPSILON)
        ratios.append(ratio)
    assert max(ratios) > 1, "nothing was reported, so nothing is proved"


@pytest.mark.parametrize("memory", [False, True])
def test_every_pair_of_days_is_hidden_by_the_level_period(memory: bool) -> None:
    """All days of up to two events, and the empty day, against each other; another day follows."""
    asked = task(EACH_DAY, nothing=True)
    asked = remembering(asked) if memory else asked
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


ALL = [EVENT, EACH_DAY, WINDOW, EVEN_WINDOW, USER, EVEN_USER]
THREE_DAYS = [[[first], [second], [third]] for first, second, third in product((TEA, MILK, GIN), repeat=3)]
HIDDEN_DAYS = {"event": 1, "period": 1, "window": 2, "user": 3}


@pytest.mark.parametrize("budget", ALL)
@pytest.mark.parametrize("memory", [False, True])
def test_every_pair_of_lives_of_three_events_that_a_level_hides(budget: Budget, memory: bool) -> None:
    """Events change within as many days in a row as the level covers: one, two, or all three; each day has a key."""
    asked = remembering(task(budget)) if memory else task(budget)
    lives = [lived(asked, life, new_key_every=1) for life in THREE_DAYS]
    compared = 0
    for one, other in combinations(range(len(lives)), 2):
        changed = [day for day in range(3) if THREE_DAYS[one][day] != THREE_DAYS[other][day]]
        if changed[-1] - changed[0] < HIDDEN_DAYS[budget.level]:
            ratio = worst_ratio(lives[one], lives[other])
            assert ratio is not None
            assert within(ratio, EPSILON)
            compared += 1
    assert compared == {"event": 81, "period": 81, "window": 189, "user": 351}[budget.level]


@pytest.mark.parametrize("budget", ALL)
def test_with_memory_any_two_lives_against_one_bulletin_differ_by_at_most_one_report(budget: Budget) -> None:
    """At every level, and whatever is changed: all 27 lives of three events, each against each."""
    asked = remembering(task(budget))
    lives = [lived(asked, life) for life in THREE_DAYS]
    ratios = [worst_ratio(one, other) for one, other in product(lives, repeat=2)]
    assert all(ratio is not None and within(ratio, budget.per_report) for ratio in ratios)
    assert max(ratio for ratio in ratios if ratio is not None) > 1


@pytest.mark.parametrize("budget", ALL)
def test_with_memory_each_further_bulletin_costs_one_report_more(budget: Budget) -> None:
    asked, most = remembering(task(budget)), 2 * budget.per_report
    if budget.most_reports is not None:
        most = min(most, budget.epsilon)
    one, other = (lived(asked, [[drink]] * 4, new_key_every=2) for drink in (TEA, GIN))
    ratio = worst_ratio(one, other)
    assert ratio is not None
    assert within(ratio, most)
    if budget.reports_each_event or budget.period:
        assert not within(ratio, Fraction(9, 10) * most)


@pytest.mark.parametrize("budget", [EVENT, EACH_DAY])
def test_without_memory_each_report_against_a_bulletin_costs_epsilon(budget: Budget) -> None:
    lives = ([[drink]] * 3 for drink in (TEA, GIN))
    ratio = worst_ratio(*(lived(task(budget), life) for life in lives))
    assert ratio is not None
    assert not within(ratio, 2 * EPSILON)


class Forgetful(Worker):
    """Forgets which bulletins it has answered."""

    def randomise(self, now: float) -> None:
        self.ledger.page = replace(self.ledger.page, answered=())
        super().randomise(now)


@pytest.mark.parametrize("budget", [EVENT, EACH_DAY])
def test_a_client_that_forgets_what_it_answered_is_found(budget: Budget) -> None:
    one, other = (lived(remembering(task(budget)), [[drink]] * 2, Forgetful) for drink in (TEA, GIN))
    ratio = worst_ratio(one, other)
    assert ratio is not None
    assert not within(ratio, Fraction(19, 10) * EPSILON)


class RemembersItems(Worker):
    """Repeats its answer when an item comes again, and draws for each new item, as an earlier version did."""

    def _draw(self, events: list[object], bulletin: AnyBulletin, agreed: Agreed, now: float) -> None:
        known = self.__dict__.setdefault("known", {})
        for code in [self.agreement.code_of(event) for event in events]:
            if code not in known:
                known[code] = agreed.randomizer.report_code(code, bulletin).symbol
            self._queue([known[code]], bulletin, agreed, now)


def test_a_client_that_remembers_items_is_found() -> None:
    """Equal events would look equal for certain, and that is no secret that a level may give away."""
    asked = remembering(task(EVENT))
    one, other = (lived(asked, life, RemembersItems) for life in ([[TEA], [TEA]], [[TEA], [MILK]]))
    assert worst_ratio(one, other) is None


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
