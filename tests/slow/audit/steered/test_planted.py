"""Steered, every planted mistake in a report is found without an error rate, and honest clients spend what they say."""

from fractions import Fraction

import pytest

from benchmarks.audit.planted import STEERED, planted_mechanisms, planted_schemes
from benchmarks.audit.runs import steered_cases
from hgldp.audit import OwnClient, pairs_of, steered_audit
from hgldp.audit.steered.follow import Runs, exact_law
from hgldp.model.weights import SCALE, spent, truth_weight
from hgldp.schemes.hot_list import HotListScheme
from hgldp.schemes.registry import scheme_of

PLANTED = {each.name: each for each in (*planted_mechanisms(1), *planted_schemes(1))}
CASES = steered_cases(items=100)
EXACTLY = {
    "GRR that weighs the truth one too much, and says so": Fraction(truth_weight(1.0) + 1, SCALE),
    "GRR that weighs the truth one too much, and does not say so": Fraction(truth_weight(1.0) + 1, SCALE),
}


@pytest.mark.parametrize("name", PLANTED)
def test_a_mistake_is_found(name: str) -> None:
    planted = PLANTED[name]
    result = steered_audit(planted.subject, planted.pairs, planted.claim)
    assert not result.passed
    assert result.runs < 1_000_000
    if name in EXACTLY:
        assert {each.ratio for each in result.spending} == {EXACTLY[name]}


def test_the_four_that_no_number_of_draws_shows_are_among_them() -> None:
    tiny = {name: each for name, each in PLANTED.items() if each.how == STEERED}
    assert len(tiny) == 4
    for planted in tiny.values():
        result = steered_audit(planted.subject, planted.pairs, planted.claim)
        assert 1 < result.spends < 1.001
        assert any("where 1 is claimed" in sentence for sentence in result.sentences)


@pytest.mark.parametrize("name", CASES)
def test_an_honest_client_has_exactly_the_law_of_its_scheme_and_keeps_its_promise(name: str) -> None:
    task, bulletin = CASES[name]
    client, scheme = OwnClient(task, bulletin), scheme_of(task)
    pairs = pairs_of(task, bulletin, outside=task.domain.size is None)
    result = steered_audit(client, pairs, task.budget.per_report)
    assert result.passed
    assert all(each.ratio == 1 for each in result.comparisons if each.claim == 0)
    if "printed" not in name:
        assert result.spends == spent(Fraction(truth_weight(1.0), SCALE)), "no symbol is left out, so the worst is met"
    for pair in pairs:
        code = task.encode(pair.one[0])
        shown = (
            scheme.channel(bulletin)[code] if isinstance(scheme, HotListScheme) else scheme.rows([code], bulletin)[0]
        )
        law = exact_law(lambda words, pair=pair: client.steer(pair.one, words), Runs(1_000_000))
        assert law == {((symbol,),): chance for symbol, chance in shown.items() if chance}


def test_a_steered_client_draws_by_itself_again_afterwards() -> None:
    task, bulletin = CASES["dsr, quiet"]
    client = OwnClient(task, bulletin)
    steered_audit(client, pairs_of(task, bulletin, outside=False), 1.0)
    assert len(set(client.draw((0,), 200)["report"][:, 0].tolist())) > 1
