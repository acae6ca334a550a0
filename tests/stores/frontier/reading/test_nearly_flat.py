"""Over few items that are all alike, or nearly: the published order is the measured one, and the intervals hold."""

from dataclasses import replace

import numpy as np
import pytest

from hgldp.schemes.pfr import PFR
from hgldp.stores.frontier import Frontier
from hgldp.stores.frontier.reading.luck import Judged
from tests.stores.frontier.made import followed

RUNS, K = 12, 9


def runs(size: int, heavy: int, times: float, epsilon: float, n: int = 20_000) -> list[tuple[Frontier, np.ndarray]]:
    """Some items are a few times as frequent as all others."""
    chances = np.where(np.arange(size) < heavy, times, 1.0)
    found = []
    for seed in range(RUNS):
        stream = np.random.default_rng(seed).choice(size, n, p=chances / chances.sum()).astype(np.int32)
        store = followed(PFR(size, 1_024, epsilon), stream, seed, memory=16_384)
        found.append((store.absorbed(), np.bincount(stream, minlength=size)))
    return found


def covered(made: list[tuple[Frontier, np.ndarray]]) -> float:
    lines = [(line, truth[line.item]) for store, truth in made for line in store.estimates(K)]
    return float(np.mean([line.interval[0] <= truth <= line.interval[1] for line, truth in lines]))


@pytest.mark.parametrize(("size", "epsilon"), [(10, 2.0), (20, 4.0), (50, 4.0)])
def test_a_flat_stream_is_published_in_the_order_that_was_measured(size: int, epsilon: float) -> None:
    """An item far above 0 that is as frequent as all others was thrown past them by the slope of the law."""
    made = runs(size, 0, 1.0, epsilon)
    assert covered(made) > 0.95
    for store, _ in made:
        lines = store.estimates(K)
        asked = store.ask([line.item for line in lines])
        assert np.corrcoef([line.count for line in lines], [line.count for line in asked])[0, 1] > 0.7


@pytest.mark.parametrize(("size", "heavy", "times"), [(50, 25, 1.5), (50, 5, 2.0), (100, 10, 2.0)])
def test_a_nearly_flat_stream_is_not_taken_for_flat(
    size: int, heavy: int, times: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """108 lines. Planted: the guess that items are alike is believed."""
    made = runs(size, heavy, times, 2.0)
    assert covered(made) > 0.9
    monkeypatch.setattr(Judged, "_doubt_likeness", lambda judged, fitted: replace(fitted))
    assert covered(made) < 0.85
