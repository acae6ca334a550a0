"""Laws of clients that draw several integers, and clients that cannot be followed."""

from fractions import Fraction

import pytest

from hgldp.audit.steered.follow import CHECKS, Runs, exact_law
from hgldp.audit.steered.pieces import NotFollowed
from hgldp.audit.subjects.base import ClientFailed
from hgldp.checks.every_draw import exact_outcomes
from hgldp.mechanisms.base import Mechanism
from hgldp.mechanisms.oue import OUE
from hgldp.mechanisms.rappor import RAPPOR
from hgldp.mechanisms.subset import SubsetSelection
from hgldp.model.randomness import SeededWords, Words
from tests.checks.planted_mechanisms import Moody

SEVERAL_DRAWS = [SubsetSelection(5, 1.0, chosen=2), OUE(4, 1.0), RAPPOR(3, 1.0, bits=2, hashes=1)]


@pytest.mark.parametrize("mechanism", SEVERAL_DRAWS, ids=lambda mechanism: mechanism.name)
def test_the_law_of_a_sampler_with_several_draws_is_its_channel(mechanism: Mechanism) -> None:
    for value, row in enumerate(mechanism.channel()):
        assert exact_law(lambda words, value=value: mechanism.randomize(value, words), Runs(1_000_000)) == row


def test_it_agrees_with_making_every_run_there_is() -> None:
    def some(words: Words) -> int:
        first = words.below(300)
        return first // 7 + words.below(1 + first % 3)

    assert exact_law(some, Runs(1_000_000)) == exact_outcomes(some)


def test_draws_that_change_nothing_take_few_runs() -> None:
    def with_an_id(words: Words) -> bool:
        kept = words.below(1 << 40) < 7
        words.word()
        words.word()
        words.below(1)
        return kept

    runs = Runs(20_000)
    assert exact_law(with_an_id, runs) == {True: Fraction(7, 1 << 40), False: 1 - Fraction(7, 1 << 40)}
    assert runs.checked == CHECKS
    assert runs.made - CHECKS < 1_000


def test_a_client_without_draws_has_a_certain_outcome() -> None:
    assert exact_law(lambda _: "tea", Runs(100), checks=10) == {"tea": 1}


@pytest.mark.parametrize("bound", [2, 1 << 40])
def test_a_client_with_entropy_of_its_own_is_refused(bound: int) -> None:
    own = SeededWords(1)
    with pytest.raises(ClientFailed, match="the same integers gave two different reports"):
        exact_law(lambda words: words.below(bound) % 2 + own.below(2), Runs(1_000_000))


def test_a_client_that_depends_on_how_often_it_was_asked_is_refused() -> None:
    moody = Moody(5, 1.0)
    with pytest.raises(ClientFailed, match="the same integers gave two different reports"):
        exact_law(lambda words: moody.randomize(2, words), Runs(1_000_000))


def test_a_client_that_draws_again_and_again_is_refused() -> None:
    def stubborn(words: Words) -> int:
        while words.below(1 << 40) < 1 << 39:
            pass
        return 0

    with pytest.raises((ClientFailed, NotFollowed)):
        exact_law(stubborn, Runs(100_000))


def test_a_hidden_difference_between_branches_is_not_taken_for_one_piece() -> None:
    """The second draw decides alike after most first draws, not after the last thousandth: the check sees that."""

    def moody(words: Words) -> bool:
        first, second = words.below(1 << 40), words.below(1 << 40)
        changed = first > (1 << 40) - (1 << 30) and second % 3 == 0
        return (second < 1 << 39) != changed

    with pytest.raises((ClientFailed, NotFollowed)):
        exact_law(moody, Runs(1_000_000))
