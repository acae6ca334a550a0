"""What the audit says it would find, it finds."""

from math import exp, inf

import numpy as np
import pytest

from hgldp.audit.sampled.power import found_from, log_ratio, share_from

AUDITS = 600


@pytest.mark.parametrize(("claim", "share", "draws"), [(1.0, 0.27, 20_000), (1.0, 0.01, 50_000), (0.2, 0.4, 5_000)])
def test_a_client_that_spends_what_is_stated_is_found_in_95_of_100_audits(
    claim: float, share: float, draws: int
) -> None:
    """A fixed seed. If it were found in 95 % only, fewer than 90 % of 600 would have a chance below 1e-6."""
    rng, error = np.random.default_rng(1), 1e-4
    spent = found_from(claim, share, draws, error)
    rare = min(share, 1 / (1 + exp(spent)))
    ones, others = rng.binomial(draws, rare * exp(spent), AUDITS), rng.binomial(draws, rare, AUDITS)
    found = sum(log_ratio(int(a), int(b), draws, draws, error) > claim for a, b in zip(ones, others, strict=True))
    assert found >= 0.9 * AUDITS


def test_less_is_found_less_often_so_the_statement_is_not_idle() -> None:
    """A fixed seed: with a third of the excess hardly any audit finds it."""
    rng, claim, share, draws, error = np.random.default_rng(2), 1.0, 0.2, 20_000, 1e-4
    spent = claim + (found_from(claim, share, draws, error) - claim) / 3
    ones, others = rng.binomial(draws, share * exp(spent), 500), rng.binomial(draws, share, 500)
    found = sum(log_ratio(int(a), int(b), draws, draws, error) > claim for a, b in zip(ones, others, strict=True))
    assert found < 50


def test_something_rare_is_found_from_the_stated_share_on() -> None:
    """A fixed seed. If it were found in 95 % only, fewer than 90 % of 600 would have a chance below 1e-6."""
    rng, draws, error = np.random.default_rng(3), 10_000, 1e-5
    hits = rng.binomial(draws, share_from(draws, error), AUDITS)
    assert sum(log_ratio(int(each), 0, draws, draws, error) > 0 for each in hits) >= 0.9 * AUDITS


def test_more_draws_see_more_and_too_few_see_nothing() -> None:
    finds = [found_from(1.0, 0.2, draws, 1e-5) for draws in (1_000, 10_000, 100_000, 1_000_000)]
    assert finds == sorted(finds, reverse=True)
    assert 1 < finds[-1] < 1.02
    assert share_from(3, 1e-5) == inf
    assert found_from(1.0, 0.2, 3, 1e-5) == inf
