"""Each choice differs from ours in one thing, and ours is among them."""

from fractions import Fraction

import pytest
from benchmarks.frontier.choices import CHOICES, Choice, Shared, nothing_before, outcome, tracked_rate

from hgldp.experiments.measuring.streams import Library
from hgldp.model.estimate import Estimate
from hgldp.schemes.pfr import PFR
from hgldp.stores.frontier import evidence as frontier_evidence


def test_a_third_of_the_cells_is_what_pfr_has() -> None:
    assert Shared(1000, 256, 2.0).most_leaves == PFR(1000, 256, 2.0).most_leaves
    assert Shared(1000, 256, 2.0, part=Fraction(1, 2)).most_leaves == 128


def test_every_question_has_our_own_choice_once() -> None:
    for question in {choice.question for choice in CHOICES}:
        ours = [one for one in CHOICES if one.question == question and one == Choice(question, one.title)]
        assert len(ours) == 1


def test_a_count_from_before_tracking_is_left_out_or_scaled() -> None:
    line = Estimate(1, 90.0, 5.0, 20.0, 5.0, 50, 0)
    assert nothing_before(line, 200).count == 20.0
    assert tracked_rate(line, 200).count == 80.0


def test_a_choice_matters_and_leaves_no_trace() -> None:
    drawn, before = Library().draw("zipf:n=20000,d=500,s=1.1", 1), frontier_evidence.CAUTION
    found = {
        choice.title: outcome(choice, drawn, 2.0, 1) for choice in (Choice("", "ours"), Choice("", "none", caution=9.0))
    }
    assert found["ours"] != found["none"]
    assert before == frontier_evidence.CAUTION
    assert outcome(Choice("", "ours"), drawn, 2.0, 1) == pytest.approx(found["ours"])
