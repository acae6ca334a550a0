"""TreeHist's sketch is unbiased with the stated noise, and the tree finds the head."""

from math import exp, sqrt

import numpy as np
import pytest
from scipy.linalg import hadamard

from benchmarks.strings.contest import treehist
from benchmarks.strings.contest.contestants import by_prefix
from benchmarks.strings.contest.treehist import ROWS, WIDTH, HadamardSketch, Hashes, TreeHist, parity
from tests.slow.benchmarks.strings.contest.small import EPSILON, Find, N, quality

RUNS, FAR = 300, 5.5


def told(step: int) -> Find:
    method = TreeHist(EPSILON, step, 3.0)
    return lambda strings, stream, k, seed: by_prefix(strings, stream, k, seed, method=method, most_bytes=4)


def check(find: Find, groups: int) -> None:
    """The head is found, and no count is off by 6.5 deviations, of which collisions are at most a tenth."""
    noise = (exp(EPSILON) + 1) / (exp(EPSILON) - 1)
    found, worst = quality(find, lambda held: 1.1 * groups * sqrt(noise**2 * N / groups + held / groups))
    assert found >= 0.75
    assert worst < 6.5


def test_the_head_is_found_with_its_counts() -> None:
    check(told(8), 4)


def test_a_sketch_that_forgets_its_transform_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The planted bug: clients report the sign of their hash, whatever the entry."""
    monkeypatch.setattr(treehist, "parity", np.zeros_like)
    with pytest.raises(AssertionError):
        check(told(8), 4)


def test_wrong_debiasing_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The planted bug: wrong signs are thought to be more frequent than they are."""
    monkeypatch.setattr(HadamardSketch, "unbias", 2.0)
    with pytest.raises(AssertionError):
        check(told(8), 4)


def measured(hashes: type[Hashes], epsilon: float = 1.0) -> np.ndarray:
    """Estimates of 0 … 3 of each run, held by 600, 200, 0 and 0 of 1,000 clients; 200 hold others."""
    held = np.repeat([0, 1, *range(10, 60)], [600, 200, *[4] * 50])
    sketch, found = HadamardSketch(epsilon), []
    for seed in range(RUNS):
        functions, generator = hashes(seed * 7_919), np.random.default_rng(seed)
        reports = sketch.reports(held, functions, generator)
        found.append(sketch.estimates(reports, functions, np.arange(4)))
    return np.array(found)


def check_unbiased(found: np.ndarray) -> None:
    """Means within 5.5 standard errors, four of them; spreads within a quarter, which is six standard errors."""
    spread = HadamardSketch(1.0).unbias * sqrt(1_000)
    assert found.std(axis=0) == pytest.approx([spread] * 4, rel=0.25)
    assert (np.abs(found.mean(axis=0) - [600, 200, 0, 0]) < FAR * spread / sqrt(RUNS)).all()


class WithoutSign(Hashes):
    """The planted bug: a count sketch whose signs are all +1 and whose buckets are few."""

    def __call__(self, rows: np.ndarray, numbers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        buckets, signs = super().__call__(rows, numbers)
        return buckets % 4, np.ones_like(signs)


def test_estimates_are_unbiased_with_the_stated_noise() -> None:
    check_unbiased(measured(Hashes))


def test_a_sketch_without_signs_is_noticed() -> None:
    with pytest.raises(AssertionError):
        check_unbiased(measured(WithoutSign))


def test_parity_is_the_hadamard_matrix() -> None:
    rows, columns = np.indices((16, 16))
    assert (1 - 2 * parity(rows & columns) == hadamard(16)).all()


def test_buckets_and_signs_are_spread_evenly() -> None:
    """Pearson's χ² over 64 parts of the buckets with each sign: 127 degrees of freedom, above 230 once in 10^7."""
    for row in range(ROWS):
        buckets, signs = Hashes(12_345)(np.full(40_000, row), np.arange(40_000))
        assert buckets.min() >= 0
        assert buckets.max() < WIDTH
        parts = np.bincount(buckets // (WIDTH // 64) * 2 + (signs > 0), minlength=128)
        assert ((parts - 312.5) ** 2 / 312.5).sum() < 230
