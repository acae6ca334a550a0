"""The law that supports are drawn from is that of clients with ideal hash functions, drawn one by one."""

from math import exp, sqrt

import numpy as np
import pytest

from benchmarks.strings.contest.olh import OLH

HOLDERS, RUNS, FAR = np.array([60, 30, 0, 0]), 4_000, 5.5
N = int(HOLDERS.sum()) + 110


def client_by_client(oracle: OLH, generator: np.random.Generator) -> np.ndarray:
    """Supports of each run, from a table of hash values for each client; others hold values that nobody counts."""
    held = np.repeat(np.arange(5), [*HOLDERS, 110])
    tables = generator.integers(oracle.buckets, size=(RUNS, N, 5))
    own = np.take_along_axis(tables, np.broadcast_to(held[None, :, None], (RUNS, N, 1)), axis=2)[:, :, 0]
    odds = exp(oracle.epsilon) / (exp(oracle.epsilon) + oracle.buckets - 1)
    other = generator.integers(oracle.buckets - 1, size=own.shape)
    sent = np.where(generator.random(own.shape) < odds, own, other + (other >= own))
    return (tables[:, :, :4] == sent[:, :, None]).sum(axis=1)


def from_the_law(oracle: OLH, generator: np.random.Generator) -> np.ndarray:
    return np.array([oracle.supports(HOLDERS, N, generator) for _ in range(RUNS)])


def check_same_law(drawn: np.ndarray, told: np.ndarray) -> None:
    """Means, variances and covariances, at most 5.5 standard errors apart: 24 comparisons, by chance once in 10^6."""
    errors = np.sqrt((drawn.var(axis=0) + told.var(axis=0)) / RUNS)
    assert (np.abs(drawn.mean(axis=0) - told.mean(axis=0)) < FAR * errors).all()
    variances = np.outer(drawn.std(axis=0), drawn.std(axis=0))
    apart = np.abs(np.cov(drawn.T) - np.cov(told.T)) / variances
    assert (apart < FAR * sqrt(2 * 2 / RUNS)).all()


def check_unbiased(oracle: OLH, supports: np.ndarray) -> None:
    """The mean estimate of each value is its count, within 5.5 standard errors."""
    means = oracle.estimates(supports, N).mean(axis=0)
    errors = [oracle.deviation(float(count), N) / sqrt(RUNS) for count in HOLDERS]
    assert (np.abs(means - HOLDERS) < FAR * np.array(errors)).all()


@pytest.mark.parametrize("epsilon", [1.0, 3.0])
def test_supports_have_the_law_of_clients_with_ideal_hashes(epsilon: float) -> None:
    """With correct code this fails for less than one seed in a million."""
    generator, oracle = np.random.default_rng(1), OLH(epsilon)
    drawn, told = client_by_client(oracle, generator), from_the_law(oracle, generator)
    check_same_law(drawn, told)
    check_unbiased(oracle, drawn)
    check_unbiased(oracle, told)


class WrongChance(OLH):
    """The planted bug: another value is thought to be supported by 1/(g − 1) of the reports."""

    @property
    def other(self) -> float:
        return 1 / (self.buckets - 1)


class OneHash(OLH):
    """The planted bug: all values of a run share their luck."""

    def supports(self, holders: np.ndarray, n: int, generator: np.random.Generator) -> np.ndarray:
        chance = generator.random()
        return np.quantile(generator.binomial(n, self.other, 200), chance) + holders * (self.own - self.other)


def test_a_wrong_chance_or_a_shared_hash_is_noticed() -> None:
    generator, oracle = np.random.default_rng(1), OLH(1.0)
    drawn = client_by_client(oracle, generator)
    with pytest.raises(AssertionError):
        check_unbiased(WrongChance(1.0), drawn)
    for wrong in (WrongChance(1.0), OneHash(1.0)):
        with pytest.raises(AssertionError):
            check_same_law(drawn, from_the_law(wrong, generator))


@pytest.mark.parametrize(("values", "most"), [(3_000, 6), (4, 4), (2, 6)])
def test_the_largest_of_many_that_nobody_holds_are_those_of_all_of_them(values: int, most: int) -> None:
    """Mean and variance of each of the largest, beside drawing all: twelve comparisons, by chance once in 10^6."""
    generator, oracle, runs = np.random.default_rng(2), OLH(2.0), 2_000
    drawn = np.array([oracle.largest_of_nobody(values, 500, most, generator) for _ in range(runs)])
    every = -np.sort(-generator.binomial(500, oracle.other, size=(runs, values)), axis=1)[:, :most]
    assert drawn.shape == every.shape
    assert (np.diff(drawn, axis=1) <= 0).all()
    errors = np.sqrt((drawn.var(axis=0) + every.var(axis=0)) / runs)
    assert (np.abs(drawn.mean(axis=0) - every.mean(axis=0)) < FAR * errors).all()
    assert drawn.var(axis=0) == pytest.approx(every.var(axis=0), rel=0.4)


def test_nothing_is_drawn_where_there_is_nobody_or_no_value() -> None:
    generator = np.random.default_rng(3)
    assert OLH(1.0).largest_of_nobody(0, 100, 5, generator).size == 0
    assert OLH(1.0).largest_of_nobody(10, 0, 3, generator).tolist() == [0, 0, 0]
