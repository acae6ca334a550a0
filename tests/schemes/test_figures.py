"""The figures of the design pages and of the field, computed again from the channels."""

from fractions import Fraction
from math import exp, inf, log

import pytest

from hgldp.checks.contract import WholeChannel, exact_epsilon
from hgldp.model.bulletins import Bulletin
from hgldp.model.weights import spent
from hgldp.schemes.bdr import BDR
from hgldp.schemes.bgr import BGR
from hgldp.schemes.cnr import CNR
from hgldp.schemes.dsr import DSR
from tests.schemes.small import quiet

CELLS, DOMAIN = 20, 1000
QUIET = quiet(DOMAIN, CELLS)
NAMING = Bulletin(bytes(32), 0, DOMAIN, tuple(range(CELLS)), nominating=True)


def rounded(number: float, digits: int = 3) -> float:
    """To so many significant digits, as the tables are."""
    return float(f"{number:.{digits}g}")


@pytest.mark.parametrize(
    ("epsilon", "dsr", "cnr"), [(0.5, 49.1, 52.1), (1.0, 7.36, 7.91), (2.0, 0.646, 0.713), (4.0, 0.0256, 0.0282)]
)
def test_the_variance_of_the_tight_judges_is_that_of_the_table(epsilon: float, dsr: float, cnr: float) -> None:
    """R = W is DSR and quiet BDR; R = √W is CNR."""
    assert rounded(DSR(DOMAIN, CELLS, epsilon).reading(QUIET).variance) == dsr
    assert rounded(BDR(DOMAIN, CELLS, epsilon).reading(QUIET).variance) == dsr
    assert rounded(CNR(DOMAIN, CELLS, epsilon).reading(QUIET).variance) == cnr


@pytest.mark.parametrize(
    ("share", "epsilon", "expected"),
    [
        (Fraction(1, 3), 0.5, 207),
        (Fraction(1, 3), 1.0, 31.4),
        (Fraction(1, 3), 2.0, 2.99),
        (Fraction(1, 3), 4.0, 0.138),
        (Fraction(1, 9), 0.5, 120),
        (Fraction(1, 9), 1.0, 18.5),
        (Fraction(1, 9), 2.0, 1.81),
        (Fraction(1, 9), 4.0, 0.121),
    ],
)
def test_the_variance_of_the_printed_splits_is_that_of_the_table(
    share: Fraction, epsilon: float, expected: float
) -> None:
    """With the hot share estimated online, over a stream of which 30 % is in the hot list."""
    reading = BDR(DOMAIN, CELLS, epsilon, tight=False, judge_share=share).reading(QUIET)
    hot, cold = reading.spread(reading.other, reading.hot_if_hot), reading.spread(reading.cold, reading.hot_if_cold)
    assert rounded(float(Fraction(3, 10) * hot + Fraction(7, 10) * cold)) == expected


@pytest.mark.parametrize("epsilon", [0.5, 1.0, 2.0, 4.0])
def test_at_the_split_of_one_to_two_a_known_hot_share_has_more_variance_than_the_online_one(epsilon: float) -> None:
    online = BDR(DOMAIN, CELLS, epsilon, tight=False).reading(QUIET)
    known = BDR(DOMAIN, CELLS, epsilon, tight=False, hot_share=Fraction(3, 10)).reading(QUIET)
    assert online.gain == known.gain
    assert online.variance < known.variance
    assert online.spread(online.other, online.hot_if_hot) < known.spread(known.other, known.hot_if_hot)


@pytest.mark.parametrize(("cells", "epsilon", "expected"), [(5, 0.9, 0.748), (20, 3.0, 2.723)])
def test_the_printed_split_of_one_to_two_leaves_budget_unspent(cells: int, epsilon: float, expected: float) -> None:
    """The quiet regime of BDR: ⊥ on the cold side."""
    scheme = BDR(cells + 10, cells, epsilon, tight=False)
    assert exact_epsilon(WholeChannel(scheme.channel(quiet(cells + 10, cells)))) == pytest.approx(expected, abs=5e-4)


@pytest.mark.parametrize("share", [Fraction(1, 3), Fraction(1, 9), Fraction(1, 2)])
@pytest.mark.parametrize("epsilon", [0.5, 1.0, 3.0])
@pytest.mark.parametrize(("cells", "domain_size"), [(5, 12), (20, 30), (3, 100)])
def test_the_exact_epsilon_of_the_printed_split_has_a_closed_form(
    share: Fraction, epsilon: float, cells: int, domain_size: int
) -> None:
    first, second = epsilon * float(share), epsilon * float(1 - share)
    hot_noise = cells / (exp(second) + cells - 1)
    hot = max(second, first + second + log(hot_noise), abs(first + log(hot_noise)))
    cold = epsilon + log((domain_size - cells) / (exp(second) + domain_size - cells - 1))
    scheme = BDR(domain_size, cells, epsilon, tight=False, judge_share=share)
    silent, naming = (
        exact_epsilon(WholeChannel(scheme.channel(Bulletin(bytes(32), 0, domain_size, tuple(range(cells)), mood))))
        for mood in (False, True)
    )
    assert silent == pytest.approx(max(hot, first), abs=1e-8)
    assert naming == pytest.approx(max(hot, cold, second, abs(cold - second)), abs=1e-8)


def test_cnr_as_printed_has_next_to_no_slack_over_a_large_domain() -> None:
    scheme = CNR(400, 20, 1.0, tight=False)
    assert 0.99 < exact_epsilon(WholeChannel(scheme.channel(quiet(400, 20)))) < 1


@pytest.mark.parametrize(("epsilon", "dsr", "bdr"), [(1.0, 13, 38), (2.0, 4.1, 12), (4.0, 1.4, 3.2)])
def test_a_forged_report_is_worth_what_the_field_says(epsilon: float, dsr: float, bdr: float) -> None:
    """The figure for BDR leaves out the noise that every report, forged or not, takes away: it is 1/gain."""
    reading = BDR(DOMAIN, CELLS, epsilon, tight=False).reading(QUIET)
    assert rounded(DSR(DOMAIN, CELLS, epsilon).reading(QUIET).leverage, 2) == dsr
    assert rounded(float(1 / reading.gain), 2) == bdr
    assert 0.93 < reading.leverage * float(reading.gain) < 1


@pytest.mark.parametrize(("epsilon", "expected"), [(1.0, 24_019), (2.0, 6_460), (4.0, 771)])
def test_a_forged_report_over_a_large_domain_is_worth_thousands(epsilon: float, expected: int) -> None:
    assert round(BGR(41_270, CELLS, epsilon).reading(quiet(41_270, CELLS)).leverage) == expected


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 4.0])
def test_naming_cold_items_costs_bdr_and_dsr_variance_only_while_it_lasts(epsilon: float) -> None:
    for scheme in (DSR(DOMAIN, CELLS, epsilon), BDR(DOMAIN, CELLS, epsilon)):
        assert scheme.reading(QUIET).variance < scheme.reading(NAMING).variance < inf


def test_spent_and_the_closed_form_of_grr_agree() -> None:
    scheme = DSR(30, 20, 2.0)
    reading = scheme.reading(quiet(30, 20))
    assert spent(reading.own / reading.other) == pytest.approx(2.0, abs=1e-9)
    assert reading.variance == pytest.approx((CELLS - 1 + exp(2)) / (exp(2) - 1) ** 2, rel=1e-6)
