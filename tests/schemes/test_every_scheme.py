"""What holds for every scheme, every hot list and every ε: exact, by fractions."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hgldp.checks.contract import WholeChannel, normalised, private, unbiased
from hgldp.checks.subjects import SchemeSubject
from hgldp.errors import InvalidField
from hgldp.model.bulletins import Bulletin
from hgldp.model.randomness import SeededWords
from hgldp.model.reports import symbol_bytes
from hgldp.model.weights import Epsilon, spent
from hgldp.schemes.registry import HOT_LISTS
from tests.schemes.small import KINDS, bulletins, epsilons, exact_variance, quiet

every_kind = pytest.mark.parametrize("kind", KINDS)


@every_kind
@settings(deadline=None, max_examples=60)
@given(bulletin=bulletins(), epsilon=epsilons)
def test_rows_sum_to_one_no_ratio_exceeds_the_budget_and_no_estimate_is_biased(
    kind: str, bulletin: Bulletin, epsilon: Epsilon
) -> None:
    subject = SchemeSubject(KINDS[kind](bulletin.domain_size, len(bulletin.hot), epsilon), bulletin)
    channel = WholeChannel(subject.channel())
    assert [*normalised(subject, channel), *private(subject, channel), *unbiased(subject, channel)] == []


@every_kind
@settings(deadline=None, max_examples=25)
@given(bulletin=bulletins(7), epsilon=epsilons)
def test_the_reading_knows_the_exact_variance_of_every_event(kind: str, bulletin: Bulletin, epsilon: Epsilon) -> None:
    subject = SchemeSubject(KINDS[kind](bulletin.domain_size, len(bulletin.hot), epsilon), bulletin)
    reading = subject.scheme.reading(bulletin)
    for item in range(bulletin.domain_size):
        place = bulletin.slot(item)
        for slot in range(len(bulletin.hot)):
            hit = reading.cold if place is None else reading.own if place == slot else reading.other
            hot = reading.hot_if_cold if place is None else reading.hot_if_hot
            assert reading.spread(hit, hot) == exact_variance(subject, item, slot)


@every_kind
@settings(deadline=None, max_examples=25)
@given(bulletin=bulletins(), epsilon=epsilons)
def test_the_bytes_of_a_report_suffice_for_every_symbol_a_client_may_send(
    kind: str, bulletin: Bulletin, epsilon: Epsilon
) -> None:
    scheme = KINDS[kind](bulletin.domain_size, len(bulletin.hot), epsilon)
    possible = {symbol for row in scheme.channel(bulletin) for symbol in row}
    sent = symbol_bytes(scheme.symbol_limit(bulletin))
    assert max(possible) < scheme.symbol_limit(bulletin) <= 256**sent
    assert sent == symbol_bytes(len(possible))


@pytest.mark.parametrize("kind", ["dsr", "bdr", "cnr", "bgr"])
@pytest.mark.parametrize("nominating", [False, True])
@pytest.mark.parametrize(("cells", "domain_size"), [(1, 4), (2, 3), (5, 12), (20, 40)])
@pytest.mark.parametrize("epsilon", [0.1, 0.9, 3.0])
def test_the_tight_schemes_spend_their_whole_budget(
    kind: str, nominating: bool, cells: int, domain_size: int, epsilon: float
) -> None:
    bulletin = Bulletin(bytes(32), 0, domain_size, tuple(range(cells)), nominating)
    worst = WholeChannel(KINDS[kind](domain_size, cells, epsilon).channel(bulletin)).worst
    assert worst is not None
    assert spent(worst) == pytest.approx(epsilon, abs=1e-6)


@every_kind
@given(data=st.data())
@settings(deadline=None, max_examples=20)
def test_an_item_outside_the_domain_is_refused_and_withheld(kind: str, data: st.DataObject) -> None:
    outside = data.draw(st.one_of(st.integers(max_value=-1), st.integers(min_value=12)))
    with pytest.raises(InvalidField) as refused:
        KINDS[kind](12, 3, 1.0).randomize(outside, quiet(12, 3), SeededWords(0))
    assert str(refused.value) == "item must be an int in 0 … 11, got one that is not (withheld)"


@every_kind
@pytest.mark.parametrize(
    ("sizes", "message"),
    [
        ((1, 1, 1.0), "domain_size must be a whole number in 2"),
        ((10, 0, 1.0), "cells must be a whole number in 1 … 16384, got 0"),
        ((10, True, 1.0), "cells must be a whole number in 1 … 16384, got True"),
        ((100_000, 16_385, 1.0), "cells must be a whole number in 1 … 16384, got 16385"),
        ((10, 10, 1.0), "cells must be fewer than the 10 items of the domain, got 10"),
        ((10, 3, 0.0), "epsilon must be finite and above 0, got 0.0"),
        ((10, 3, float("nan")), "epsilon must be finite and above 0, got nan"),
        ((10, 3, 11), "epsilon must be at most 10"),
    ],
)
def test_bad_fields_are_named_with_their_rule(kind: str, sizes: tuple[int, int, float], message: str) -> None:
    with pytest.raises(InvalidField, match=message):
        KINDS[kind](*sizes)


@every_kind
@pytest.mark.parametrize("symbol", [-1, 16])
def test_a_symbol_outside_the_alphabet_is_refused(kind: str, symbol: int) -> None:
    with pytest.raises(InvalidField, match="symbol must lie in 0"):
        SchemeSubject(KINDS[kind](12, 3, 1.0), quiet(12, 3)).adds(symbol)


def test_the_registry_holds_the_papers_four_schemes() -> None:
    assert list(HOT_LISTS) == ["bgr", "dsr", "bdr", "cnr"]
