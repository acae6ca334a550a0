"""The bounds agree with SciPy, and a wrong one would be noticed by how often it misses."""

import numpy as np
import pytest
from scipy.stats import beta, binom

from hgldp.audit.sampled.bounds import likely_high, likely_low, lower_bound, upper_bound
from hgldp.errors import InvalidField

CASES = [(1, 5), (3, 5), (1, 1_000), (7, 100_000), (999, 1_000), (300, 1_000), (182_000, 500_000), (499_999, 500_000)]


@pytest.mark.parametrize("error", [0.05, 1e-3, 1e-9])
@pytest.mark.parametrize(("hits", "draws"), CASES)
def test_the_bounds_are_those_of_clopper_and_pearson(hits: int, draws: int, error: float) -> None:
    assert lower_bound(hits, draws, error) == pytest.approx(beta.ppf(error, hits, draws - hits + 1), rel=1e-7)
    assert upper_bound(hits, draws, error) == pytest.approx(beta.isf(error, hits + 1, draws - hits), rel=1e-7)


def test_at_the_ends_there_is_a_formula() -> None:
    assert (lower_bound(0, 50, 0.01), upper_bound(50, 50, 0.01)) == (0.0, 1.0)
    assert lower_bound(50, 50, 0.01) == pytest.approx(0.01 ** (1 / 50))
    assert upper_bound(0, 50, 0.01) == pytest.approx(1 - 0.01 ** (1 / 50))


@pytest.mark.parametrize("share", [0.003, 0.27, 0.5, 0.9])
def test_the_lower_bound_misses_as_rarely_as_it_says(share: float) -> None:
    """Exact: the chance of every count that would put the bound above the truth, summed."""
    draws, error = 200, 0.05
    missing = [hits for hits in range(draws + 1) if lower_bound(hits, draws, error) > share]
    assert 0 < binom.pmf(missing, draws, share).sum() <= error


def test_the_formula_to_choose_by_is_near_and_never_leaves_zero_to_one() -> None:
    hits = np.array([0.0, 5.0, 500.0, 999.0, 1000.0])
    low, high = likely_low(hits, 1_000, 3.0), likely_high(hits, 1_000, 3.0)
    assert np.all((low >= 0) & (low <= hits / 1_000) & (hits / 1_000 <= high) & (high <= 1))
    exact = lower_bound(500, 1_000, 0.00135)
    assert low[2] == pytest.approx(exact, abs=0.002)


@pytest.mark.parametrize(("hits", "draws", "error"), [(-1, 5, 0.1), (6, 5, 0.1), (1, 5, 0.0), (1, 5, 1.0), (0, 0, 0.1)])
def test_what_is_no_count_or_no_error_rate_is_refused(hits: int, draws: int, error: float) -> None:
    with pytest.raises(InvalidField):
        lower_bound(hits, draws, error)
