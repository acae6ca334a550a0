"""An item that came a short while ago: found where it is alone in its search cell, and not denied where it is not."""

import numpy as np
import pytest

from hgldp.model.estimate import Estimate
from hgldp.schemes.pfr import PFR
from hgldp.simulation.frontier import follow
from hgldp.stores.frontier import Frontier
from hgldp.stores.frontier.reading import seen
from hgldp.stores.frontier.reading.decoding import Decoded
from tests.stores.frontier.made import followed

NEWCOMER, N, K = 0, 60_000, 10


def late(size: int, seed: int, part: float = 0.05) -> tuple[Frontier, np.ndarray]:
    """Nothing of the newcomer; then, in an epoch that is the last part of the stream, it is two events of five."""
    draw = np.random.default_rng(seed)
    chances = 0.6 * 0.8 ** np.arange(size) / (0.8 ** np.arange(size)).sum() + 0.4 / size
    chances[NEWCOMER] = 0.0
    stream = draw.choice(size, N, p=chances / chances.sum()).astype(np.int32)
    stream[(np.arange(N) >= (1 - part) * N) & (draw.random(N) < 0.4)] = NEWCOMER
    scheme, begin = PFR(size, 1_024, 4.0), int((1 - part) * N)
    store = followed(scheme, stream[:begin], seed, memory=16_384)
    follow(scheme, store, stream[begin:], seed + 100)
    return store.absorbed(), np.bincount(stream, minlength=size)


def published(store: Frontier) -> list[Estimate]:
    return [line for line in store.estimates(K) if line.item == NEWCOMER]


def holds(line: Estimate, truth: np.ndarray) -> bool:
    low, high = line.interval
    return bool(low <= truth[line.item] <= high)


def test_alone_in_its_cell_it_is_published_and_certain(monkeypatch: pytest.MonkeyPatch) -> None:
    """Planted: nobody asks how many items share a cell, so that a lone high cell is always doubted."""
    runs = [late(100, seed, part=0.08) for seed in range(4)]
    for store, truth in runs:
        (line,) = published(store)
        assert not line.may_be_noise
        assert abs(line.count - truth[NEWCOMER]) < 5.5 * line.standard_error
    monkeypatch.setattr(seen, "FEW_PER_CELL", 0)
    assert not any(published(store) for store, _ in runs)


def test_among_others_in_its_cell_its_interval_reaches_up_to_all_that_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """Planted: what no candidate explains is nobody's."""
    runs = [late(5_000, seed) for seed in range(6)]
    assert all(holds(store.ask([NEWCOMER])[0], truth) for store, truth in runs)
    monkeypatch.setattr(Decoded, "unexplained", lambda decoded, _: np.zeros_like(decoded.cells))
    assert not any(holds(store.ask([NEWCOMER])[0], truth) for store, truth in runs)


def ranks_held(runs: list[tuple[Frontier, np.ndarray]]) -> float:
    """How often the true rank of a published line is among the likely ones."""
    held = []
    for store, truth in runs:
        for line in store.estimates(K):
            assert line.ranks is not None
            above, not_below = np.count_nonzero(truth > truth[line.item]), np.count_nonzero(truth >= truth[line.item])
            held.append(line.ranks[0] <= not_below and above + 1 <= line.ranks[1])
    return float(np.mean(held))


def test_an_item_that_nobody_has_found_yet_may_be_above_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    runs = [late(5_000, seed, part=0.1) for seed in range(6)]
    told = ranks_held(runs)
    assert told > 0.9
    monkeypatch.setattr(Decoded, "unexplained", lambda decoded, _: np.zeros_like(decoded.cells))
    assert ranks_held(runs) < 0.7
