"""Errors go from one process to another with all they know."""

import pickle

import pytest

from hgldp import errors
from hgldp.collector.problems import Problem, Refused
from hgldp.errors import HgldpError

MADE = [
    errors.InvalidField("epsilon", "must be above 0", -1, "; did you mean 1?"),
    errors.OutsideDomain("100 numbers", place=3),
    errors.UnknownBulletin("ab"),
    errors.MalformedLine("a file", 7, "must be a number", withheld=True),
    errors.MissingExtra("parquet", "pyarrow"),
    errors.BudgetSpent(3),
    errors.FolderInUse("a folder"),
    errors.FolderLost(),
    errors.DamagedLog("damaged"),
    Refused(Problem.UNKNOWN_TASK, "a detail", retry_after=3),
]


@pytest.mark.parametrize("error", MADE, ids=lambda error: type(error).__name__)
def test_an_error_is_the_same_after_a_journey(error: HgldpError) -> None:
    again = pickle.loads(pickle.dumps(error))  # noqa: S301 - our own bytes
    assert type(again) is type(error)
    assert (str(again), again.args, vars(again)) == (str(error), error.args, vars(error))
