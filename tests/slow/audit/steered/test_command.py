"""Steering a client behind a command: exact where it asks for its draws, a clear sentence where it does not."""

import sys
from fractions import Fraction
from pathlib import Path

import pytest

from hgldp.audit import CommandClient, Pair, pairs_of, steered_audit
from hgldp.audit.steered.follow import Runs, exact_law
from hgldp.audit.subjects.base import ClientFailed
from hgldp.model.bulletins import Bulletin
from hgldp.model.task import Task
from hgldp.model.weights import SCALE, truth_weight
from hgldp.schemes.registry import scheme_of

PRIVATE = "a private drink"
TASK = Task("dsr", epsilon=1.0, domain=[PRIVATE, "tea", "mate", "milk", "juice"], k=1, cells=2)
BULLETIN = Bulletin(TASK.id, 0, 5, (0, 1))
CHECKS = 200
ONE_PAIR = [Pair("hot/hot", (PRIVATE,), ("tea",))]


def client(mistake: str) -> CommandClient:
    command = [sys.executable, str(Path(__file__).parents[1] / "subjects" / "line_client.py"), mistake]
    return CommandClient(command, TASK, BULLETIN)


def test_an_honest_client_has_exactly_the_law_of_the_scheme() -> None:
    with client("none") as subject:
        law = exact_law(lambda words: subject.steer(("tea",), words), Runs(100_000), checks=CHECKS)
        result = steered_audit(subject, pairs_of(TASK, BULLETIN), TASK.budget.per_report, checks=CHECKS)
    row = scheme_of(TASK).channel(BULLETIN)[1]  # type: ignore[attr-defined]
    assert law == {((symbol,),): chance for symbol, chance in row.items()}
    assert result.passed
    assert {pair.kind for pair in (each.pair for each in result.spending)} >= {"hot/hot", "inside/outside"}


def test_a_truth_weight_that_is_one_too_large_is_found() -> None:
    with client("one too large") as subject:
        result = steered_audit(subject, ONE_PAIR, 1.0, checks=CHECKS)
    (found,) = result.spending
    assert found.ratio == Fraction(truth_weight(1.0) + 1, SCALE)
    assert result.sentences == ("hot/hot: spends 1.000000000039 where 1 is claimed",)


def test_a_client_that_is_silent_about_items_from_outside_is_found() -> None:
    with client("silent") as subject:
        result = steered_audit(subject, pairs_of(TASK, BULLETIN), 1.0, checks=CHECKS)
    assert {each.pair.kind for each in result.broken} == {"inside/outside", "inside/over-long"}
    assert {each.view for each in result.broken} == {"spends", "uploads"}


def test_an_id_that_is_steered_too_changes_nothing() -> None:
    with client("steered id") as subject:
        result = steered_audit(subject, ONE_PAIR, 1.0, checks=CHECKS)
    assert [each.ratio for each in result.spending] == [Fraction(truth_weight(1.0), SCALE)]


@pytest.mark.parametrize(
    ("mistake", "said"),
    [
        ("knows no steering", "needs a client that answers the line steer"),
        ("draws by itself", "the same integers gave two different reports"),
        ("babbling", "must write below N or sent"),
    ],
)
def test_a_client_that_cannot_be_steered_is_told_why(mistake: str, said: str) -> None:
    with client(mistake) as subject, pytest.raises(ClientFailed) as failure:
        steered_audit(subject, ONE_PAIR, 1.0)
    assert said in str(failure.value)
    assert PRIVATE not in str(failure.value)
