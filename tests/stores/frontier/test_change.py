"""A frontier that was narrow before a change follows it, and its errors are honest: each rule with its planted bug."""

from collections.abc import Sequence

import numpy as np
import pytest

from hgldp.schemes.pfr import PFR
from hgldp.simulation.frontier import follow
from hgldp.stores.frontier import Frontier
from hgldp.stores.frontier import evidence as frontier_evidence
from hgldp.stores.frontier import store as frontier_store
from hgldp.stores.frontier.epoch import SealedEpoch

BEFORE, AFTER = np.arange(20), np.arange(100, 120)


def found_after_a_change(seeds: int = 4) -> float:
    """What part of twenty items is in the answer that took the place of twenty others, one half-life ago."""
    shares, found = np.linspace(2, 1, 20) / np.linspace(2, 1, 20).sum(), 0
    for seed in range(seeds):
        generator = np.random.default_rng(seed)
        events = [generator.choice(items, n, p=shares) for items, n in ((BEFORE, 60_000), (AFTER, 12_000))]
        scheme = PFR(1_000, 256, 5.0)
        store = Frontier(scheme, memory=16_384, seed=seed, half_life=12_000)
        follow(scheme, store, np.concatenate(events).astype(np.int32), seed)
        assert min(epoch.symbols for epoch in store.epochs) < 256
        found += len({line.item for line in store.estimates(20)} & set(AFTER.tolist()))
    return found / (20 * seeds)


def by_own_noise(epochs: Sequence[SealedEpoch]) -> np.ndarray:
    """Planted: the narrow epochs before the change are the surest that the newcomers are not there."""
    return np.array([max(epoch.spread, epoch.noise.variance / epoch.reports) for epoch in epochs])


def nothing_of_its_own(share: np.ndarray, _: Sequence[SealedEpoch]) -> np.ndarray:
    """Planted: an item makes no noise where it is not, so that its absence is surer than its presence."""
    return np.zeros(share.size)


def test_the_past_does_not_outweigh_what_came_after_a_change(monkeypatch: pytest.MonkeyPatch) -> None:
    assert found_after_a_change() > 0.95
    monkeypatch.setattr(frontier_evidence, "_own", nothing_of_its_own)
    without = found_after_a_change()
    monkeypatch.setattr(frontier_evidence, "cell_variance", by_own_noise)
    assert found_after_a_change() < without - 0.1 < 0.85


def covered_in_whole(seeds: int = 100, half_life: int = 0) -> float:
    """How often the whole-stream interval of twenty items holds the truth, at ε = 8, where few reports cost little."""
    held = []
    for seed in range(seeds):
        chances = np.linspace(3, 0.3, 20)
        stream = np.random.default_rng(seed).choice(20, 15_000, p=chances / chances.sum()).astype(np.int32)
        scheme = PFR(20, 256, 8.0)
        store = Frontier(scheme, memory=16_384, seed=seed, half_life=half_life)
        follow(scheme, store, stream, seed)
        truth = np.bincount(stream, minlength=20)
        held += [low <= truth[line.item] <= high for line in store.estimates(20) for low, high in [line.interval]]
    return float(np.mean(held))


@pytest.mark.parametrize("half_life", [0, 8_000])
def test_an_interval_knows_the_reports_in_which_its_item_was_no_leaf(
    half_life: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """2,000 intervals of 95 %: within 4.9 standard errors, 1e-6."""
    allowed = 4.9 * (0.95 * 0.05 / 2_000) ** 0.5
    assert abs(covered_in_whole(100, half_life) - 0.95) < allowed
    monkeypatch.setattr(frontier_store, "_by_chance", lambda share, *_: np.zeros(share.size))
    assert covered_in_whole(20, half_life) < 0.95 - allowed
