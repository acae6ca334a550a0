"""The statement is computed: other terms, other figures; and every "at most" is rounded up."""

from dataclasses import replace
from math import exp

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hgldp.collector.statement import as_document, privacy_statement
from hgldp.model.budget import Budget
from hgldp.model.bulletins import FrontierBulletin
from hgldp.model.domain import RangeDomain, StringDomain
from hgldp.model.period import KeyLife
from hgldp.model.task import Task
from hgldp.schemes.registry import scheme_of
from hgldp.tracker import Tracker

TASKS = [
    *(Task(name, Budget(2.0), RangeDomain(1000), k=10) for name in ("bgr", "dsr", "bdr", "cnr", "pfr")),
    Task("pfr", Budget(2.0), StringDomain(), k=10),
]


@pytest.mark.parametrize("task", TASKS, ids=lambda task: f"{task.scheme} {task.domain.size}")
def test_leverage_is_what_one_forged_report_adds_to_the_estimate(task: Task) -> None:
    bulletin = Tracker(task, seed=1).bulletin
    stated, exact = privacy_statement(task, bulletin, 100), scheme_of(task).leverage(bulletin)
    assert exact <= stated.leverage <= exact * 1.011
    scheme = scheme_of(task)
    if hasattr(scheme, "mechanism"):
        assert exact == pytest.approx(float((1 - scheme.mechanism.q) / (scheme.mechanism.p - scheme.mechanism.q)))
    else:
        readings = [scheme.reading(replace(bulletin, nominating=each)) for each in (False, True)]
        assert exact == max(reading.leverage for reading in readings) > 1


@pytest.mark.parametrize("task", TASKS, ids=lambda task: f"{task.scheme} {task.domain.size}")
def test_what_a_forged_report_adds_to_a_published_count_is_stated_and_never_below_its_leverage(task: Task) -> None:
    bulletin = Tracker(task, seed=1).bulletin
    stated, exact = privacy_statement(task, bulletin, 100), scheme_of(task).worth_of_forgery(bulletin)
    assert scheme_of(task).leverage(bulletin) <= exact <= stated.worth_of_forgery <= exact * 1.011
    assert f"{stated.worth_of_forgery:g} to its published count, apart from chance." in stated.forged


def test_leverage_is_that_of_the_cells_that_the_bulletin_in_force_has() -> None:
    task = Task("pfr", Budget(4.0), RangeDomain(1000), k=10)
    bulletin = Tracker(task, seed=1).bulletin
    assert isinstance(bulletin, FrontierBulletin)
    assert scheme_of(task).leverage(replace(bulletin, cells=127)) > 1.5 * scheme_of(task).leverage(bulletin)


@given(st.floats(0.01, 10), st.integers(1, 50))
def test_every_figure_is_at_least_what_it_stands_for(epsilon: float, daily: int) -> None:
    task = Task("pfr", Budget(epsilon), RangeDomain(1000), k=10, daily_reports=daily)
    stated = privacy_statement(task, Tracker(task, seed=1).bulletin, 100)
    assert exp(epsilon) <= stated.odds_factor * (1 + 1e-12)
    assert stated.odds_factor <= exp(epsilon) * 1.011
    assert stated.epsilon_per_day is not None
    assert epsilon * daily * (1 - 1e-12) <= stated.epsilon_per_day <= epsilon * daily * 1.011


def test_a_budget_of_a_user_bounds_the_day_too() -> None:
    task = Task("dsr", Budget(2.0, "user", 4, division="budget"), RangeDomain(1000), k=10, daily_reports=100)
    stated = privacy_statement(task, Tracker(task, seed=1).bulletin, 100)
    assert (stated.epsilon_per_report, stated.epsilon_per_day, stated.odds_factor) == (0.5, 2.0, 1.65)
    assert "all of a person's events, at most 4" in stated.covers


def test_without_a_daily_cap_nothing_is_promised_about_a_day() -> None:
    task = Task("dsr", Budget(1.0), RangeDomain(1000), k=10)
    stated = privacy_statement(task, Tracker(task, seed=1).bulletin, 100)
    assert (stated.daily_reports, stated.epsilon_per_day) == (None, None)
    assert "no daily cap" in stated.day


def test_bytes_are_those_of_the_wire() -> None:
    task = Task("bgr", Budget(1.0), RangeDomain(70_000), k=10)
    stated = as_document(privacy_statement(task, Tracker(task, seed=1).bulletin, 981))
    assert (stated["symbol_bytes"], stated["upload_bytes"], stated["state_bytes"]) == (3, 64, 981)


@pytest.mark.parametrize(("keys", "month", "year"), [("day", 31, 366), ("week", 6, 54), ("month", 2, 14)])
def test_where_a_bulletin_is_answered_once_and_stays_the_card_says_what_a_year_costs(
    keys: KeyLife, month: int, year: int
) -> None:
    task = Task("pfr", epsilon=1.0, domain=range(1000), k=10, other=True, one_answer=True, keys=keys)
    stated = privacy_statement(task, Tracker(task, seed=1).bulletin, 100)
    told = f"All reports made for a person cost at most ε = {month} in 30 days and ε = {year} in a year."
    assert stated.month.startswith(told)
    assert stated.day.startswith(
        f"A client makes at most one report for each bulletin, which stays for at least a {keys}. "
    )
    assert stated.covers == "ε = 1 covers everything a person does during one bulletin."
    assert stated.weighs == "people"
    assert stated.counts.endswith("each counts at most once a bulletin, with one of the first events against it.")
    assert "during which bulletins it had events" in stated.not_covered


def test_where_the_level_itself_costs_less_the_card_says_that() -> None:
    budget = Budget(1.0, "period", period="month")
    task = Task("pfr", budget, range(1000), k=10, other=True, one_answer=True, keys="day")
    stated = privacy_statement(task, Tracker(task, seed=1).bulletin, 100)
    assert stated.month.startswith("All reports made for a person cost at most ε = 2 in 30 days and ε = 14 in a year.")
    assert stated.covers.endswith("all events of a person within one of the device's months.")
    assert stated.day.startswith("A client makes at most one report for each month, and no two for the same bulletin")


@pytest.mark.parametrize(
    ("budget", "told"),
    [
        (Budget(1.0, "period"), "a day and once a bulletin, with one of the day's events, drawn by lot."),
        (Budget(1.0, "window", 5), "a bulletin, with a drawn event."),
        (Budget(1.0, "window", 5, division="budget"), "a bulletin, with one of the first events against it."),
        (Budget(1.0, "user", 5), "in all, with one of the first 5 events, drawn by lot."),
        (Budget(1.0, "user", 5, division="budget"), "a bulletin, with one of the first events against it."),
    ],
)
def test_where_a_bulletin_is_answered_once_the_card_says_how_often_a_person_counts(budget: Budget, told: str) -> None:
    task = Task("pfr", budget, range(1000), k=10, other=True, one_answer=True, epoch_seconds=60)
    stated = privacy_statement(task, Tracker(task, seed=1).bulletin, 100)
    assert stated.counts == f"A count is a number of people: each counts at most once {told}"


def test_where_answers_are_an_epoch_apart_the_card_says_what_a_day_costs() -> None:
    """However often a full epoch ends sooner than the clock says. An answer at both ends of a day makes 25."""
    task = Task("pfr", epsilon=1.0, domain=range(1000), k=10, other=True, one_answer=True, epoch_seconds=3_600)
    stated = privacy_statement(task, Tracker(task, seed=1).bulletin, 100)
    assert stated.day == (
        "A client makes at most one report for each bulletin, and no two within 3,600 seconds. "
        "A client makes at most 25 reports in 24 hours, which together cost at most ε = 25."
    )
    assert (stated.epsilon_per_month, stated.epsilon_per_year) == (721, 8761)


def test_keys_alone_do_not_bound_a_year() -> None:
    task = Task("pfr", epsilon=1.0, domain=range(1000), k=10, other=True, keys="month")
    assert privacy_statement(task, Tracker(task, seed=1).bulletin, 100).epsilon_per_year is None
