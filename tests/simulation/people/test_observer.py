"""The observer: as good as any observer can be, on exact small cases, and never better than ε allows."""

from fractions import Fraction
from itertools import product
from math import exp, prod

import numpy as np
import pytest

from hgldp.errors import InvalidField
from hgldp.mechanisms.cyclic import CyclicResponse
from hgldp.model.bulletins import FrontierBulletin
from hgldp.model.randomness import SeededWords
from hgldp.schemes.base import Row
from hgldp.schemes.pfr import PFR
from hgldp.simulation.people.observer import Schedule, guess, hits, most_right, randomize_all, symbols_of

ITEMS, CELLS = 5, 8
LEAVES = ((), (3,), (1, 4, 0), (2, 0, 1, 3))
EPSILONS = (Fraction(1, 2), Fraction(2), Fraction(4))


def bulletin(key: int, leaves: tuple[int, ...], items: int = ITEMS, cells: int = CELLS) -> FrontierBulletin:
    return FrontierBulletin(bytes(32), key, items, cells, key * 0x9E3779B97F4A7C15 % 2**64, leaves)


def exact_success(rows: list[list[Row]]) -> Fraction:
    """How often the best guess is right after one report for each list of rows, if all items are equally likely."""
    found = Fraction(0)
    for sent in product(*(list(some[0]) for some in rows)):
        found += max(prod(some[item][symbol] for some, symbol in zip(rows, sent, strict=True)) for item in range(ITEMS))
    return found / ITEMS


def exact_bound(scheme: PFR, reports: int) -> Fraction:
    """`most_right` with W/S, which is the exact ratio of a report, in place of e^ε."""
    ratio = Fraction(scheme.mechanism.truth, scheme.mechanism.scale) ** reports
    return ratio / (ratio + ITEMS - 1)


@pytest.mark.parametrize("epsilon", EPSILONS)
@pytest.mark.parametrize("months", [1, 2, 3])
def test_no_guess_beats_what_the_sum_of_months_allows(epsilon: Fraction, months: int) -> None:
    """Exact fractions over every sequence of reports, each against a bulletin of another key and other leaves."""
    scheme = PFR(ITEMS, CELLS, epsilon)
    shown = [bulletin(month + 1, LEAVES[month]) for month in range(months)]
    success = exact_success([scheme.channel(each) for each in shown])
    assert Fraction(1, ITEMS) < success <= exact_bound(scheme, months)
    assert float(exact_bound(scheme, months)) <= most_right(months * float(epsilon), ITEMS)


def test_a_client_that_reports_three_times_in_a_month_beats_the_bound_of_one() -> None:
    """A planted bug: three draws against a bulletin in which every item has a symbol of its own."""
    scheme = PFR(ITEMS, CELLS, Fraction(4))
    rows = scheme.channel(bulletin(1, LEAVES[3]))
    assert exact_success([rows]) <= exact_bound(scheme, 1)
    assert exact_success([rows, rows, rows]) > exact_bound(scheme, 1)


def test_the_bound_is_reached_by_a_mechanism_that_wastes_nothing() -> None:
    """Randomised response over all items: its only guess is as good as any can be."""
    assert most_right(1.5, ITEMS) == pytest.approx(exp(1.5) / (exp(1.5) + ITEMS - 1), rel=1e-15)


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_the_most_hits_are_the_most_likely_item(epsilon: Fraction) -> None:
    scheme, rng = PFR(ITEMS, CELLS, epsilon), np.random.default_rng(1)
    shown = [bulletin(number + 1, LEAVES[number]) for number in range(4)]
    for _ in range(50):
        likely, score = [Fraction(1)] * ITEMS, np.zeros(ITEMS, int)
        for each in shown:
            sent = int(rng.integers(scheme.mechanism.modulus))
            rows = scheme.channel(each)
            likely = [chance * rows[item][sent] for item, chance in enumerate(likely)]
            score += hits(scheme.mechanism)[sent][symbols_of(each)]
        best = [item for item in range(ITEMS) if likely[item] == max(likely)]
        assert np.flatnonzero(score == score.max()).tolist() == best


class GivenDraw(SeededWords):
    """Words whose next draw is known."""

    def __init__(self, draw: int) -> None:
        super().__init__(1)
        self.next_draw = draw

    def below(self, limit: int) -> int:
        assert 0 <= self.next_draw < limit
        return self.next_draw


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_many_reports_at_once_are_those_of_the_client_one_by_one(epsilon: Fraction) -> None:
    mechanism, rng = CyclicResponse(40, epsilon), np.random.default_rng(1)
    inside = len(mechanism.members) * mechanism.truth
    draws = np.array([0, inside - 1, inside, mechanism.total - 1, *rng.integers(mechanism.total, size=500).tolist()])
    values = rng.integers(40, size=draws.size)
    one_by_one = [
        mechanism.randomize(int(value), GivenDraw(int(draw))) for value, draw in zip(values, draws, strict=True)
    ]
    assert randomize_all(mechanism, values, draws).tolist() == one_by_one


def test_symbols_and_hits_are_those_of_the_scheme() -> None:
    shown = bulletin(7, (12, 3, 99), items=100, cells=32)
    assert symbols_of(shown).tolist() == [shown.symbol(item) for item in range(100)]
    mechanism = CyclicResponse(32, 2.0)
    table = [[mechanism.support(report, value) for value in range(32)] for report in range(mechanism.modulus)]
    assert hits(mechanism).tolist() == table


@pytest.mark.parametrize("leaves", LEAVES)
def test_the_simulated_guess_is_right_as_often_as_the_exact_one(leaves: tuple[int, ...]) -> None:
    """40,000 people, two reports; a mean that is off by five standard errors happens once in 1.7 million."""
    scheme = PFR(ITEMS, CELLS, Fraction(2))
    shown = bulletin(1, leaves), bulletin(2, LEAVES[1])
    favourites = np.arange(40_000) % ITEMS
    right = guess(Schedule(scheme, (0, 1), shown), favourites, np.random.default_rng(1))
    for reports in (1, 2):
        exact = float(exact_success([scheme.channel(each) for each in shown[:reports]]))
        found = right[:, reports - 1]
        assert abs(found.mean() - exact) < 5 * found.std() / 200


def test_a_schedule_counts_its_reports_and_its_spending() -> None:
    scheme = PFR(ITEMS, CELLS, Fraction(2))
    schedule = Schedule(scheme, (0, 30, 60), tuple(bulletin(number, ()) for number in range(3)))
    assert [schedule.reports_by(day) for day in (0, 1, 30, 31, 61)] == [0, 1, 1, 2, 3]
    assert schedule.spent_by(31) == 4.0
    with pytest.raises(InvalidField, match="one for each"):
        Schedule(scheme, (0, 30), schedule.bulletins)
    with pytest.raises(InvalidField, match="ascend"):
        Schedule(scheme, (0, 60, 30), schedule.bulletins)
