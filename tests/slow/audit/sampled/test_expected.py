"""What the task says of each symbol is what its channel says."""

from math import log

import pytest

from hgldp.audit import expected_ratios, made_bulletins, pairs_of
from hgldp.audit.pairs import Pair
from hgldp.model.task import Task
from hgldp.schemes.registry import scheme_of


@pytest.mark.parametrize(
    "task", [Task("pfr", epsilon=1.0, domain=range(30), k=2), Task("pfr", epsilon=1.0, domain=16, k=2)]
)
def test_the_ratio_of_every_symbol_is_that_of_the_channel(task: Task) -> None:
    (bulletin,) = made_bulletins(task)
    known = expected_ratios(task, bulletin)
    for pair in pairs_of(task, bulletin, outside=False):
        one, other = scheme_of(task).rows([task.domain.encode(each[0]) for each in (pair.one, pair.other)], bulletin)
        found = [log(one[symbol] / other[symbol]) for symbol in range(len(one))]
        assert known(pair).tolist() == pytest.approx(found, abs=1e-6)


def test_the_order_of_two_events_shows_in_the_first_symbol_and_outsiders_have_no_ratio() -> None:
    task = Task("pfr", epsilon=1.0, domain=range(30), k=2)
    known = expected_ratios(task, made_bulletins(task)[0])
    alone, ordered = Pair("a", (1,), (2,)), Pair("b", (1, 2), (2, 1), same_events=True)
    assert known(alone).tolist() == known(ordered).tolist()
    assert known(Pair("c", (1, 1), (1, 2))) is None
    assert known(Pair("d", (1,), (99,))) is None


def test_a_hot_list_shows_its_ratios_by_itself() -> None:
    task = Task("dsr", epsilon=1.0, domain=range(30), k=2)
    assert expected_ratios(task, made_bulletins(task)[0]) is None
