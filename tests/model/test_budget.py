"""How a budget is spread over reports, and over the two parts of one report."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hgldp.errors import InvalidField
from hgldp.model.budget import Budget
from hgldp.model.weights import MAX_EPSILON, as_epsilon


@given(
    epsilon=st.floats(0.01, MAX_EPSILON),
    level=st.sampled_from(["window", "user"]),
    events=st.integers(1, 1000),
)
def test_the_reports_add_up_to_the_budget_exactly(epsilon: float, level: str, events: int) -> None:
    budget = Budget(epsilon, level, events, division="budget")  # type: ignore[arg-type]
    assert budget.per_report * events == as_epsilon(epsilon)


def test_what_is_drawn_by_lot_spends_all_of_it() -> None:
    for budget in (Budget(0.5), Budget(0.5, "period"), Budget(0.5, "window", 7), Budget(0.5, "user", 7)):
        assert budget.per_report == Fraction(1, 2)
    assert [Budget(0.5, level, 7).drawn_from for level in ("window", "user")] == [7, 7]  # type: ignore[arg-type]


def test_only_users_have_a_last_report() -> None:
    even = Budget(0.5, "user", 7, division="budget")
    assert (Budget(0.5, "user", 7).most_reports, even.most_reports, Budget(0.5, "period").most_reports) == (1, 7, None)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"epsilon": 0}, "epsilon must be finite and above 0, got 0"),
        ({"epsilon": 1.0, "level": "year"}, "level must be one of event, period, window, user, got year"),
        ({"epsilon": 1.0, "level": "user", "events": 0}, "events must be a whole number of at least 1, got 0"),
        ({"epsilon": 1.0, "level": "user", "events": 1.5}, "events must be a whole number of at least 1, got 1.5"),
        ({"epsilon": 1.0, "level": "user", "events": True}, "events must be a whole number of at least 1, got True"),
        ({"epsilon": 1.0, "events": 2}, "events must be 1 when the level is event, got 2"),
        ({"epsilon": 1.0, "level": "user"}, "events must be given for the level user, got none"),
        ({"epsilon": 1.0, "level": "period", "events": 2}, "events must be 1 when the level is period, got 2"),
        ({"epsilon": 1.0, "level": "period", "period": "year"}, "period must be one of day, week, month, got year"),
        ({"epsilon": 1.0, "period": "day"}, "period must be left out when the level is event, got day"),
        ({"epsilon": 1.0, "level": "user", "events": 2, "division": "x"}, "division must be one of population, budget"),
        ({"epsilon": 1.0, "division": "budget"}, "division must be left out when the level is event, got budget"),
    ],
)
def test_a_budget_that_is_none_is_refused(fields: dict[str, object], message: str) -> None:
    with pytest.raises(InvalidField, match=message):
        Budget(**fields)  # type: ignore[arg-type]
