"""The audit of a task with a list compares strings on the list with others, at the ε of the task."""

from hgldp.audit.bulletins import made_bulletins
from hgldp.audit.pairs import pairs_of
from hgldp.audit.sampled.expected import expected_ratios
from hgldp.model.domain import StringDomain
from hgldp.model.hints import Hints
from hgldp.model.task import Task


def test_a_string_on_the_list_is_compared_with_one_that_is_not() -> None:
    task = Task("pfr", epsilon=2.0, domain=StringDomain(16, Hints.of(["tea", "mate", "milk"])), k=3)
    (bulletin,) = made_bulletins(task)
    ratios = expected_ratios(task, bulletin)
    assert ratios is not None
    compared = [(str(pair.one[0]), str(pair.other[0]), ratios(pair)) for pair in pairs_of(task, bulletin)]
    known = {"tea", "mate", "milk"}
    assert any((one in known) != (other in known) for one, other, _ in compared)
    assert any({one, other} <= known for one, other, _ in compared)
    for one, other, ratio in compared:
        if len(one) <= 16 and len(other) <= 16:
            assert ratio is not None
            assert set(ratio.tolist()) == {-1.0, 0.0, 1.0}
