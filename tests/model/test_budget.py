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
    budget = Budget(epsilon, level, events)  # type: ignore[arg-type]
    assert budget.per_report * events == as_epsilon(epsilon)


def test_an_event_spends_all_of_it() -> None:
    assert Budget(0.5).per_report == Fraction(1, 2)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"epsilon": 0}, "epsilon must be finite and above 0, got 0"),
        ({"epsilon": 1.0, "level": "year"}, "level must be one of event, window, user, got year"),
        ({"epsilon": 1.0, "level": "user", "events": 0}, "events must be a whole number of at least 1, got 0"),
        ({"epsilon": 1.0, "level": "user", "events": 1.5}, "events must be a whole number of at least 1, got 1.5"),
        ({"epsilon": 1.0, "level": "user", "events": True}, "events must be a whole number of at least 1, got True"),
        ({"epsilon": 1.0, "events": 2}, "events must be 1 when the level is event, got 2"),
        ({"epsilon": 1.0, "level": "user"}, "events must be given for the level user, got none"),
    ],
)
def test_a_budget_that_is_none_is_refused(fields: dict[str, object], message: str) -> None:
    with pytest.raises(InvalidField, match=message):
        Budget(**fields)  # type: ignore[arg-type]
