"""What is computed for a new task is near what is simulated, and what cannot work gets a warning."""

import pytest

from hgldp.model.domain import StringDomain
from hgldp.model.hints import Hints
from hgldp.model.rules import Spelling
from hgldp.model.task import Task
from hgldp.planning.expectation import expectation
from hgldp.planning.launch import launch
from hgldp.planning.shapes import Shape, listed_shapes, open_shapes


def found(task: Task, shape: Shape, reports: int, launches: int = 6) -> float:
    """The mean precision of some launches."""
    return sum(next(launch(task, shape, [reports], seed)).precision for seed in range(launches)) / launches


@pytest.mark.parametrize("epsilon", [1.0, 4.0])
def test_after_as_many_reports_as_are_told_nearly_all_of_the_top_is_found(epsilon: float) -> None:
    task = Task("pfr", epsilon=epsilon, domain=range(2_000), k=10)
    told, usual = expectation(task), listed_shapes(2_000, 1.0)[0]
    assert told is not None
    assert found(task, usual, told.whole) >= 0.75
    assert found(task, usual, told.whole // 20) <= 0.6
    assert 0.05 <= found(task, usual, 2 * told.first) <= 0.6


@pytest.mark.parametrize(("spelling", "launches"), [("text", 6), ("identifiers", 6), ("urls", 2)])
def test_the_first_strings_appear_about_when_it_is_told(spelling: Spelling, launches: int) -> None:
    """Two launches of URLs take ten seconds."""
    task = Task("pfr", epsilon=4.0, domain=64, k=10, spelling=spelling)
    told, usual = expectation(task), open_shapes(20_000, 1.0, spelling=spelling)[0]
    assert told is not None
    assert found(task, usual, told.first // 6, launches) <= 0.07
    assert 0 < found(task, usual, 2 * told.first, launches) < 0.7
    assert found(task, usual, told.whole, launches=2) >= 0.6


def test_what_is_told_of_a_hot_list_from_nothing_is_far_beyond_where_it_finds_next_to_nothing() -> None:
    task = Task("dsr", epsilon=1.0, domain=range(5_000), k=10)
    told = expectation(task)
    assert told is not None
    assert told.first > 10 * 200_000
    assert found(task, listed_shapes(5_000, 1.0)[0], 200_000) <= 0.05


def test_the_first_of_a_list_of_hints_is_expected_before_any_other_string() -> None:
    domain = StringDomain(64, hints=Hints.of(["tea", "milk"]))
    hinted, others = (expectation(Task("pfr", epsilon=1.0, domain=each, k=10)) for each in (domain, StringDomain(64)))
    assert hinted is not None
    assert others is not None
    assert hinted.first < others.first / 10
    assert hinted.whole == pytest.approx(others.whole, rel=0.1)
