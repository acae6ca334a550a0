"""Bursts that came while an item had no cell to itself: they may be its own, and they may be another's."""

from functools import lru_cache

import numpy as np
import pytest

from hgldp.model.estimate import Estimate
from hgldp.schemes.pfr import PFR
from hgldp.stores.frontier import Frontier
from hgldp.stores.frontier.reading.decoding import Decoded
from tests.stores.frontier.made import followed, zipf

SIZE, N, K = 5_000, 200_000, 10


@lru_cache
def made(runs: int, epsilon: float, size: int = SIZE, n: int = N) -> list[tuple[Frontier, np.ndarray]]:
    """Six items come in three bursts each: half of the events for 2 % of the stream."""
    found = []
    for seed in range(runs):
        draw, stream = np.random.default_rng([seed, 7]), zipf(n, size, 1.0, seed)
        for item in size - 1 - np.repeat(np.arange(6), 3):
            during = draw.integers(0, n - n // 50) + np.flatnonzero(draw.random(n // 50) < 0.5)
            stream[during] = item
        store = followed(PFR(size, 1_024, epsilon), stream, seed, memory=16_384).absorbed()
        found.append((store, np.bincount(stream, minlength=size)))
    return found


def published(runs: int, *setting: float) -> list[tuple[Estimate, np.ndarray]]:
    return [(line, truth) for store, truth in made(runs, *setting) for line in store.estimates(K)]


def held(line: Estimate, truth: np.ndarray) -> bool:
    return bool(line.interval[0] <= truth[line.item] <= line.interval[1])


def rank_held(line: Estimate, truth: np.ndarray) -> bool:
    own, (best, worst) = truth[line.item], line.ranks or (1, SIZE)
    return bool(best <= np.count_nonzero(truth >= own) and np.count_nonzero(truth > own) + 1 <= worst)


def test_an_interval_reaches_up_to_a_burst_that_may_have_been_the_items_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """120 lines. Planted: what no candidate explains is nobody's."""
    told = published(12, 4.0)
    assert np.mean([held(*one) for one in told]) > 0.88
    assert np.mean([rank_held(*one) for one in told]) > 0.7
    monkeypatch.setattr(Decoded, "unexplained", lambda decoded, _: np.zeros_like(decoded.cells))
    planted = published(12, 4.0)
    assert np.mean([held(*one) for one in planted]) < np.mean([held(*one) for one in told]) - 0.03
    assert np.mean([rank_held(*one) for one in planted]) < np.mean([rank_held(*one) for one in told]) - 0.1


def strangers() -> int:
    """Certain lines that have less than a tenth of what is published, in 24 runs over 20,000 items."""
    told = published(24, 2.0, 20_000, 100_000)
    return sum(truth[line.item] < line.count / 10 for line, truth in told if not line.may_be_noise)


def test_whoever_was_not_seen_alone_is_not_certain(monkeypatch: pytest.MonkeyPatch) -> None:
    """Planted: it is enough to have been tracked at some time, whatever was measured then."""
    told = strangers()
    assert told <= 1
    monkeypatch.setattr(Decoded, "has_own_evidence", property(lambda decoded: decoded.was_alone.any(axis=0)))
    assert strangers() >= told + 2
