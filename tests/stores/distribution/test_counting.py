"""The likely range of a whole number: exact for the laws that it names."""

import pytest
from scipy.stats import binom, nbinom, poisson

from hgldp.stores.distribution.counting import FEW, likely_range


@pytest.mark.parametrize("mean", [0.02, 0.7, 3.0, 40.0, 900.0])
@pytest.mark.parametrize("ratio", [1.0, 1.5, 8.0])
def test_as_likely_as_it_says_where_the_law_is_poissons_or_pascals(mean: float, ratio: float) -> None:
    variance = ratio * mean
    law = poisson(mean) if ratio == 1 else nbinom(mean**2 / (variance - mean), mean / variance)
    assert likely_range(mean, variance, 0.95) == (law.ppf(0.025), law.ppf(0.975))


@pytest.mark.parametrize(("tries", "chance"), [(3, 0.5), (50, 0.9), (400, 0.3)])
def test_a_number_that_varies_little_is_binomial(tries: int, chance: float) -> None:
    law = binom(tries, chance)
    assert likely_range(tries * chance, tries * chance * (1 - chance), 0.95) == (law.ppf(0.025), law.ppf(0.975))


def test_the_law_of_large_numbers_joins_the_exact_one() -> None:
    below, above = (likely_range(mean, 12 * mean, 0.95) for mean in (FEW * 0.999, FEW * 1.001))
    assert above[0] - below[0] <= 6
    assert abs(above[1] - below[1]) <= 6


def test_what_is_certain_has_no_range() -> None:
    assert likely_range(13.0, 0.0, 0.95) == (13, 13)
    assert likely_range(0.0, 0.0, 0.95) == (0, 0)
    assert likely_range(5_000.0, 0.0, 0.95) == (5_000, 5_000)


def test_a_number_is_never_negative() -> None:
    for mean in (1e-9, 1e-4, 0.3, 2_500.0):
        low, high = likely_range(mean, 1e6 * mean, 0.95)
        assert 0 <= low <= high
