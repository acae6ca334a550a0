"""PFR over a stream: the kernel is the client, and the intervals of leaves are honest."""

import numpy as np
import pytest

from hgldp.model.randomness import SeededWords, derive_seed
from hgldp.schemes.pfr import PFR
from hgldp.simulation.frontier import follow, simulate_frontier
from hgldp.simulation.hot_list import CLIENTS
from hgldp.stores.frontier import Frontier


@pytest.mark.parametrize(("epsilon", "cells"), [(0.5, 24), (2.0, 24), (6.0, 24), (5.0, 192)])
def test_the_kernel_equals_the_step_by_step_objects(epsilon: float, cells: int) -> None:
    scheme, seed = PFR(200, cells, epsilon), 5
    stream = np.minimum(np.random.default_rng(1).geometric(0.1, 4_000) - 1, 199).astype(np.int32)
    fused, stepwise = (Frontier(scheme, memory=20_000, seed=3, epoch=300) for _ in range(2))
    follow(scheme, fused, stream, seed)
    words = SeededWords(derive_seed(seed, CLIENTS))
    for item in stream.tolist():
        stepwise.insert([scheme.randomize(item, stepwise.bulletin, words)])
        if stepwise.epoch_is_full:
            stepwise.seal()
    if stepwise.in_epoch:
        stepwise.seal()
    assert stepwise.serialize() == fused.serialize()
    assert (fused.bulletin.cells < cells) == (cells == 192)


def test_intervals_since_tracking_hold_the_truth_as_often_as_they_say() -> None:
    """Leaves from the warm-up on, never evicted: 400 streams × 4 leaves, 95 % intervals cover 92 … 98 %."""
    covered, errors, warm = [], [], [300, 250, 200, 100, 3]
    scheme = PFR(50, 16, 1.0)
    for seed in range(400):
        stream = (
            np.random.default_rng(seed).choice(50, 3_000, p=[0.3, 0.25, 0.2, 0.1, *[0.15 / 46] * 46]).astype(np.int32)
        )
        store = Frontier(scheme, memory=20_000, seed=seed, warmup=np.repeat(np.arange(5), warm), epoch=1_000)
        follow(scheme, store, stream, seed)
        for line in store.estimates(4):
            if line.since == stream.size:
                truth = int(np.count_nonzero(stream == line.item))
                low, high = line.tracked_interval
                covered.append(low <= truth <= high)
                errors.append(line.tracked_count - truth)
    assert len(covered) > 1_500
    assert 0.92 <= np.mean(covered) <= 0.98
    assert abs(np.mean(errors)) < 4.9 * np.std(errors) / np.sqrt(len(errors))


def test_it_finds_what_no_warm_up_contained() -> None:
    """No warm-up, 5,000 items, ε = 4: the ten heavy ones among the best ten, within the stated memory."""
    generator = np.random.default_rng(3)
    heavy = generator.permutation(5_000)[:10]
    stream = np.where(
        generator.random(60_000) < 0.5,
        heavy[generator.integers(10, size=60_000)],
        generator.integers(5_000, size=60_000),
    )
    outcome = simulate_frontier(PFR(5_000, 128, 4.0), stream.astype(np.int32), k=10, warmup=0, memory=16_384, seed=1)
    assert {line.item for line in outcome.estimates} == set(heavy.tolist())
    assert outcome.state_bytes <= 16_384
    assert outcome.upload_bytes <= 2 * outcome.reports


def test_every_report_counts_the_bytes_of_the_bulletin_that_it_answers() -> None:
    """At ε = 6 a residue over 300 cells takes two bytes, and one over the few that 40 items need takes one."""
    stream = np.random.default_rng(1).integers(40, size=30_000).astype(np.int32)
    outcome = simulate_frontier(PFR(40, 300, 6.0), stream, k=10, warmup=0, memory=20_000, seed=1)
    assert 30_000 < outcome.upload_bytes < 40_000


def test_a_half_life_follows_a_complete_change_within_a_quarter_of_the_stream() -> None:
    """The ten heavy items are all replaced half-way; without a half-life the old ones would stay."""
    generator, found = np.random.default_rng(5), {}
    before, after = np.arange(10), np.arange(500, 510)
    heavy = np.concatenate([before[generator.integers(10, size=60_000)], after[generator.integers(10, size=30_000)]])
    stream = np.where(generator.random(90_000) < 0.6, heavy, generator.integers(1_000, size=90_000)).astype(np.int32)
    for half_life in (None, 10_000):
        terms = {"k": 10, "warmup": 0, "memory": 16_384, "seed": 2, "half_life": half_life}
        outcome = simulate_frontier(PFR(1_000, 128, 4.0), stream, **terms)  # type: ignore[arg-type]
        found[half_life] = len({line.item for line in outcome.estimates} & set(after.tolist()))
    assert found[10_000] >= 9
    assert found[None] < found[10_000]
