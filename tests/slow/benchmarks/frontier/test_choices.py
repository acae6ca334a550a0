"""Each choice differs from ours in one thing, ours is among them, and none leaves a trace."""

from dataclasses import fields

import pytest

from benchmarks.frontier.choices import CHOICES, Choice, outcome
from hgldp.experiments.measuring.streams import Library
from hgldp.model.domain import RangeDomain
from hgldp.model.frontier_size import frontier_cells
from hgldp.schemes.pfr import PFR
from hgldp.stores.frontier import store as frontier
from hgldp.stores.frontier.reading import decoding, leaves

OURS = Choice("", "ours")
QUESTIONS = sorted({choice.question for choice in CHOICES})
PATCHED = ((decoding, "SWEEPS"), (decoding, "_drift"), (leaves, "CAUTION"), (frontier, "next_leaves"))


def differences(choice: Choice) -> list[str]:
    return [
        field.name
        for field in fields(Choice)
        if field.name not in ("question", "title") and getattr(choice, field.name) != getattr(OURS, field.name)
    ]


def test_ours_is_what_pfr_has() -> None:
    assert OURS.cells == frontier_cells(20, RangeDomain(1_000))
    assert PFR(1_000, OURS.cells, 2.0).most_leaves == OURS.leaves


@pytest.mark.parametrize("question", QUESTIONS)
def test_every_question_has_our_own_choice_once_and_others_that_differ_in_one_thing(question: str) -> None:
    differ = [differences(choice) for choice in CHOICES if choice.question == question]
    assert differ.count([]) == 1
    assert all(len(each) <= 1 for each in differ)
    assert len({each[0] for each in differ if each}) == 1


@pytest.mark.parametrize("choice", [choice for choice in CHOICES if differences(choice)], ids=lambda each: each.title)
def test_a_choice_matters_and_leaves_no_trace(choice: Choice) -> None:
    """On one stream at least: a fitted drift may be the very one that is fixed elsewhere."""
    streams = [Library().draw(name, 1) for name in ("turnover:n=20000,d=500", "zipf:n=20000,d=500,s=1.1")]
    before = [getattr(module, name) for module, name in PATCHED]
    ours = [outcome(OURS, drawn, 3.0, 1) for drawn in streams]
    assert [outcome(choice, drawn, 3.0, 1) for drawn in streams] != ours
    assert [getattr(module, name) for module, name in PATCHED] == before
    assert [outcome(OURS, drawn, 3.0, 1) for drawn in streams] == ours
