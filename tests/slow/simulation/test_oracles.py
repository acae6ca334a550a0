"""The oracles' estimates are right on average and their intervals hold, over many runs."""

from functools import cache
from math import sqrt

import numpy as np
import numpy.typing as npt
import pytest

from hgldp.mechanisms.hadamard import HadamardResponse
from hgldp.mechanisms.registry import MECHANISMS
from hgldp.simulation.oracles import score_reports, simulate_exhaustive
from hgldp.stores.histogram import Histogram
from tests.simulation.test_oracles import COUNTED

RUNS = 1000


@cache
def deviates(name: str, drawn: str) -> npt.NDArray[np.float64]:
    """How far one item's estimate lies from the truth, in its own standard errors, over many runs."""
    size, item, count = 16, 3, 70
    mechanism = MECHANISMS[name](size, 1.0)
    stream = np.repeat(np.arange(size), np.arange(size) * 20 + 10)
    found = []
    for seed in range(RUNS):
        outcome = simulate_exhaustive(mechanism, stream, size, seed, max_operations=0 if drawn == "counts" else 2e9)
        assert outcome.drawn == drawn
        line = next(line for line in outcome.estimates if line.item == item)
        found.append((line.count - count) / line.standard_error)
    return np.array(found)


def standard(found: npt.NDArray[np.float64]) -> bool:
    """Mean 0 and variance 1; a limit of 7 is a false alarm below 1e-8, for the skewed law of a variance too."""
    return bool(abs(found.mean()) * sqrt(RUNS) < 7 and abs(found.var() - 1) / sqrt(2 / RUNS) < 7)


@pytest.mark.parametrize(
    ("name", "drawn"), [(name, "reports") for name in MECHANISMS] + [(name, "counts") for name in COUNTED]
)
def test_the_error_of_an_estimate_is_its_standard_error(name: str, drawn: str) -> None:
    assert standard(deviates(name, drawn))


def test_a_bias_of_half_or_a_standard_error_a_quarter_off_would_be_noticed() -> None:
    honest = deviates("olh", "reports")
    assert not standard(honest + 0.5)
    assert not standard(honest * 5 / 4)
    assert not standard(honest * 4 / 5)


def coverage(runs: int, *, squared: bool) -> npt.NDArray[np.float64]:
    """How often the interval of each of 64 items holds its count, if four fifths of the stream are item 0."""
    mechanism, reports = HadamardResponse(64, 4.0), 10_000
    counts = np.full(64, reports // 5 // 63)
    counts[0] += reports - counts.sum()
    stream = np.repeat(np.arange(64, dtype=np.int32), counts)
    p, q, noise, own = mechanism.p, mechanism.q, mechanism.noise_variance, mechanism.own_variance
    covered = np.zeros(64)
    for seed in range(runs):
        histogram = Histogram(64)
        scores, squares = score_reports(mechanism, stream, seed)
        histogram.add(scores, reports, squares if squared else None)
        for line in histogram.estimates(64, p=p, q=q, noise_variance=noise, own_variance=own):
            covered[line.item] += line.interval[0] <= counts[line.item] <= line.interval[1]
    return covered / runs


def test_every_item_is_covered_although_hadamard_blocks_are_hit_unevenly() -> None:
    """1,000 runs: six standard deviations are 4 % for one item, a false alarm below 1e-6 for all 64 together."""
    assert HadamardResponse(64, 4.0).block_count == 32
    covered = coverage(RUNS, squared=True)
    assert np.abs(covered - 0.95).max() < 0.042
    assert 0.94 < covered[np.arange(64) % 32 != 0].mean() < 0.96


def test_one_variance_for_all_blocks_would_be_noticed() -> None:
    """The heavy item's neighbour in its block is covered far too rarely, all others a little too often."""
    covered = coverage(200, squared=False)
    assert covered[32] < 0.6
    assert covered[np.arange(64) % 32 != 0].mean() > 0.965
