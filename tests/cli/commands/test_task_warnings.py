"""Which tasks get a warning before they are created, and what it says."""

import pytest

from hgldp.cli.commands.task.forewarn import warnings
from hgldp.model.task import Task


def test_a_hot_list_from_nothing_over_many_items_gets_a_warning() -> None:
    (told,) = warnings(Task("dsr", epsilon=1.0, domain=range(5_000), k=10))
    assert told.startswith("dsr starts from nothing here: among 5,000 items it takes about 2,700,000 reports")
    assert told.endswith("; pfr takes 5,100, and 510,000 for most of them. Give it a warm-up, or take pfr")


@pytest.mark.parametrize("scheme", ["bgr", "dsr", "bdr", "cnr"])
def test_only_what_cannot_work_gets_a_warning(scheme: str) -> None:
    few = Task(scheme, epsilon=2.0, domain=range(50), k=5)
    many = Task(scheme, epsilon=1.0, domain=range(5_000), k=10)
    assert list(warnings(few)) == []
    assert list(warnings(many, raw=500)) == []
    assert len(list(warnings(many))) == 1
    assert list(warnings(Task("pfr", epsilon=1.0, domain=range(5_000), k=10))) == []


def test_a_limit_that_lets_too_few_reports_in_gets_a_warning() -> None:
    task = Task("pfr", epsilon=1.0, domain=64, k=10)
    (told,) = warnings(task, reports_per_day=1_000)
    assert "a month has at most 30,000 with 1,000 reports a day" in told
    assert list(warnings(task, reports_per_day=100_000)) == []
