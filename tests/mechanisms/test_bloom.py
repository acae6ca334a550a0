from fractions import Fraction

import pytest

from hgldp.mechanisms.bloom import Law, mean, variance
from hgldp.mechanisms.rappor import RAPPOR


def listed_law(mechanism: RAPPOR, sender: int, value: int) -> Law:
    """The law of a value's score, from the list of all reports of a sender."""
    law = [Fraction(0)] * (mechanism.hashes + 1)
    for report, chance in mechanism.channel()[sender].items():
        law[mechanism.support(report, value)] += chance
    return tuple(law)


@pytest.mark.parametrize(("bits", "hashes"), [(3, 1), (2, 2), (3, 2), (4, 2), (2, 3)])
def test_the_law_of_a_score_is_that_of_all_reports_for_every_pair(bits: int, hashes: int) -> None:
    size = 3 if bits < 4 else 2
    mechanism = RAPPOR(size, 1.0, bits=bits, hashes=hashes)
    for sender in range(size):
        for value in range(size):
            claimed = mechanism.own_scores if sender == value else mechanism.other_scores
            assert listed_law(mechanism, sender, value) == claimed


@pytest.mark.parametrize("hashes", [1, 2, 3, 4])
def test_a_law_sums_to_one_and_its_mean_is_p(hashes: int) -> None:
    mechanism = RAPPOR(1000, 1.0, bits=32, hashes=hashes)
    assert sum(mechanism.own_scores) == sum(mechanism.other_scores) == 1
    assert mean(mechanism.own_scores) == mechanism.p


def test_mean_and_variance_of_a_fair_coin() -> None:
    coin = (Fraction(1, 2), Fraction(1, 2))
    assert (mean(coin), variance(coin)) == (Fraction(1, 2), Fraction(1, 4))
