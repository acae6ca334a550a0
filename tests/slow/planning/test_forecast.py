"""What a forecast says, what it needs to know, and what it refuses."""

from itertools import islice

import pytest

from hgldp.errors import InvalidField
from hgldp.model.budget import Budget
from hgldp.model.task import Task
from hgldp.planning.forecast import LaunchQuestion, MeanShare, forecasts
from hgldp.planning.least import LEAST_EPSILON, MOST_EPSILON, at_epsilon, fewest_reports, smallest_epsilon
from hgldp.planning.shapes import listed_shapes, open_shapes, shape_like
from hgldp.planning.traffic import Traffic

TASK = Task("pfr", epsilon=2.0, domain=range(200), k=5)
SHAPES = tuple(listed_shapes(200))


def question(reports: int = 2_000, **more: object) -> LaunchQuestion:
    return LaunchQuestion(TASK, SHAPES, Traffic(Budget(2.0), reports=reports), **more)  # type: ignore[arg-type]


def silent() -> None: ...


def test_every_shape_has_a_launch_before_any_has_two() -> None:
    asked = [dict.fromkeys(found.launches) for found in islice(forecasts(question(), 2, 1), 3)]
    assert [len(each) for each in asked] == [1, 2, 3]


def test_more_reports_find_no_less_and_the_same_seed_the_same() -> None:
    *_, found = forecasts(question(), 3, seed=1)
    *_, again = forecasts(question(), 3, seed=1)
    assert found.rows == again.rows
    for shape in SHAPES:
        first, last = (found.after(days) for days in (1, 30))
        means = [next(row.precision.mean for row in some if row.shape == shape.title) for some in (first, last)]
        assert means[0] <= means[1]
    assert [row.reports for row in found.after(7)] == [14_000] * 3


def test_days_without_a_report_find_nothing() -> None:
    monthly = Traffic(Budget(2.0, "period", period="month"), people=20)
    *_, found = forecasts(LaunchQuestion(TASK, SHAPES[:1], monthly), 1, seed=1)
    assert [(row.reports, row.precision.mean) for row in found.after(1)] == [(0, 0.0)]
    assert found.after(30)[0].reports == 20


@pytest.mark.parametrize(
    ("wrong", "rule"),
    [
        (lambda: Traffic(Budget(1.0)), "people must be given, or reports in its place"),
        (lambda: Traffic(Budget(1.0), reports=5, people=5), "got both"),
        (lambda: Traffic(Budget(1.0), people=5), "works with the level period only"),
        (lambda: Traffic(Budget(1.0), reports=0), "reports must be"),
        (lambda: question(warmup=-1), "warmup must be"),
        (lambda: LaunchQuestion(TASK, (), Traffic(Budget(1.0), reports=5)), "shapes must be at least one"),
        (lambda: next(forecasts(question(), 0, 1)), "launches must be"),
        (lambda: listed_shapes(1), "items must be"),
        (lambda: listed_shapes(50, -0.1), "zipf must lie in 0 … 10"),
        (lambda: open_shapes(0), "strings must be"),
        (lambda: shape_like("mine", []), "counts must be numbers"),
        (lambda: shape_like("mine", [0, 0]), "counts must be numbers"),
        (lambda: shape_like("mine", [3, 2, 1], items=2), "items must be at least the 3 different items"),
        (lambda: fewest_reports(question(), SHAPES[0], 1.0, 1, 1, silent), "wanted must lie above 0 and below 1"),
        (lambda: smallest_epsilon(question(), SHAPES[0], 0.0, 7, 1, 1, silent), "wanted must lie"),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_sentence(wrong: object, rule: str) -> None:
    with pytest.raises(InvalidField, match=rule):
        wrong()  # type: ignore[operator]


def test_the_error_of_a_mean_shrinks_with_launches_and_is_never_zero() -> None:
    errors = [MeanShare.of([1.0] * launches, k=10).error for launches in (1, 4, 16)]
    assert errors == sorted(errors, reverse=True)
    assert errors[-1] > 0


def test_the_fewest_reports_find_what_is_wanted_and_half_of_them_do_not() -> None:
    asked = question()
    least = fewest_reports(asked, SHAPES[0], 0.8, 6, 1, silent)
    assert least.found is not None
    assert least.low <= least.found <= (least.high or float("inf"))
    for part, enough in ((2.0, True), (0.25, False)):
        traffic = Traffic(Budget(2.0), reports=int(least.found * part))
        *_, found = forecasts(LaunchQuestion(TASK, SHAPES[:1], traffic, days=(1,)), 6, seed=77)
        assert (found.after(1)[0].precision.mean >= 0.8) == enough


def test_the_smallest_epsilon_finds_what_is_wanted_and_half_of_it_does_not() -> None:
    asked = question(3_000)
    least = smallest_epsilon(asked, SHAPES[0], 0.8, 7, 6, 1, silent)
    assert least.found is not None
    assert LEAST_EPSILON <= least.low <= least.found
    for part, enough in ((1.5, True), (0.5, False)):
        task = at_epsilon(TASK, least.found * part)
        *_, found = forecasts(LaunchQuestion(task, SHAPES[:1], asked.traffic, days=(7,)), 6, seed=77)
        assert (found.after(7)[0].precision.mean >= 0.8) == enough


def test_what_no_epsilon_finds_is_none() -> None:
    least = smallest_epsilon(question(1), SHAPES[1], 0.99, 7, 1, 1, silent)
    assert least.found is None
    assert [at for at, _ in least.tried] == [MOST_EPSILON]
