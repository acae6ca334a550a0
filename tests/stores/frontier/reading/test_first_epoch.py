"""Answers from the first epoch: few reports, and nobody knows yet which item of a search cell is there."""

import numpy as np
import pytest

from hgldp.schemes.pfr import PFR
from hgldp.stores.frontier import Frontier
from hgldp.stores.frontier.reading import lines
from hgldp.stores.frontier.reading.decoding import Decoded
from tests.stores.frontier.made import followed, zipf

RUNS, K = 40, 5
Runs = list[tuple[Frontier, np.ndarray]]


def few_reports(reports: int, size: int, epsilon: float) -> Runs:
    """Fewer than the first epoch takes."""
    found = []
    for seed in range(RUNS):
        stream = zipf(reports, size, 1.1, seed)
        store = followed(PFR(size, 1_024, epsilon), stream, seed, memory=16_384).absorbed()
        assert len(store.epochs) == 1
        found.append((store, np.bincount(stream, minlength=size)))
    return found


def one_heavy_item(size: int) -> list[tuple[Frontier, int, int]]:
    """Two events of five are one item, anywhere in the domain; with its number of events."""
    found = []
    for seed in range(RUNS):
        draw = np.random.default_rng([seed, 3])
        heavy = int(draw.integers(size))
        stream = np.where(draw.random(400) < 0.4, heavy, draw.integers(size, size=400)).astype(np.int32)
        store = followed(PFR(size, 1_024, 4.0), stream, seed, memory=16_384).absorbed()
        found.append((store, heavy, int(np.count_nonzero(stream == heavy))))
    return found


def held(runs: Runs) -> float:
    kept = [
        line.interval[0] <= truth[line.item] <= line.interval[1] for store, truth in runs for line in store.estimates(K)
    ]
    return float(np.mean(kept))


@pytest.mark.parametrize(("reports", "size", "epsilon"), [(10, 100, 4.0), (50, 1_000, 8.0), (200, 20_000, 4.0)])
def test_intervals_of_few_reports_hold(
    monkeypatch: pytest.MonkeyPatch, reports: int, size: int, epsilon: float
) -> None:
    """Of 200 lines about 98 % hold. Planted: only the law of all shares is asked, of which few reports say little."""
    runs = few_reports(reports, size, epsilon)
    assert held(runs) > 0.93
    monkeypatch.setattr(lines, "of_first_epoch", lambda ends, *_: ends)
    assert held(runs) < 0.88


def test_nobody_is_first_for_certain_who_shares_a_search_cell() -> None:
    """With 20 items in a cell, the one that is named is the heavy one in one case of twenty."""
    for store, _, _ in one_heavy_item(20_000):
        first = store.estimates(1)[0]
        assert first.may_be_noise
        assert first.interval[0] == 0
        assert first.ranks == (1, 20_000)


def asked_holds(runs: list[tuple[Frontier, int, int]]) -> float:
    intervals = [(store.ask([heavy])[0].interval, events) for store, heavy, events in runs]
    return float(np.mean([low <= events <= high for (low, high), events in intervals]))


def test_a_heavy_item_is_not_denied_because_another_of_its_cell_was_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Planted: what candidates took of a cell by a guess is theirs for certain."""
    runs = one_heavy_item(20_000)
    assert asked_holds(runs) > 0.7
    monkeypatch.setattr(Decoded, "guessed", property(lambda decoded: np.zeros(decoded.cells.shape)))
    assert asked_holds(runs) < 0.2
