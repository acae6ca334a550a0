"""Forged reports in a burst: what they publish is bounded by their worth, and it is not published as certain."""

from copy import deepcopy
from functools import lru_cache

import numpy as np
import pytest

from hgldp.schemes.pfr import PFR
from hgldp.simulation.frontier import follow
from hgldp.stores.frontier import Frontier
from hgldp.stores.frontier.reading.decoding import Decoded
from hgldp.stores.frontier.reading.lines import Question, since_tracked
from tests.stores.frontier.made import zipf

TARGET, RUNS = 400, 10


def forge(scheme: PFR, store: Frontier, reports: int, draw: np.random.Generator) -> None:
    """Reports that all speak for the item of rank 401."""
    mechanism = scheme.mechanism_over(store.bulletin.cells)
    members = draw.choice(np.array(mechanism.members), reports)
    store.insert((store.bulletin.symbol(TARGET) - members) % mechanism.modulus)


@lru_cache
def before(epsilon: float, seed: int, start: int, size: int) -> tuple[Frontier, np.ndarray]:
    """A frontier that counted the honest reports before an attack, and the whole stream. Several attacks copy it."""
    scheme, stream = PFR(size, 1_024, epsilon), zipf(100_000, size, 1.2, seed)
    store = Frontier(scheme, memory=16_384, seed=seed)
    follow(scheme, store, stream[:start], seed)
    return store, stream


def attacked(epsilon: float, seed: int, start: int, *bursts: int, size: int = 1_000) -> tuple[float, Frontier]:
    """From some report on, so many forged ones in one epoch after the other; the last ones in the open epoch.

    Returns the largest count that they may publish, and the store. An item that rose gets a leaf of its own.
    """
    honest_store, stream = before(epsilon, seed, start, size)
    store, draw = deepcopy(honest_store), np.random.default_rng(seed + 99)
    scheme = store.scheme
    for place, burst in enumerate(bursts[:-1]):
        forge(scheme, store, burst, draw)
        honest = stream[start:][: store.epoch_length - burst]
        follow(scheme, store, honest, seed + 1 + place)
        start += honest.size
    forge(scheme, store, bursts[-1], draw)
    worth = max(scheme.leverage(store.bulletin), 1.0)
    return 3 * (np.count_nonzero(stream == TARGET) + worth * sum(bursts)), store.absorbed()


def published(store: Frontier) -> list[tuple[float, bool]]:
    """The target's count, and whether it is certain; nothing if it is not among the top 20."""
    lines = [line for line in store.estimates(20) if line.item == TARGET]
    return [(line.count, not line.may_be_noise) for line in lines]


def by_rate_since_tracked(question: Question, decoded: Decoded) -> tuple[np.ndarray, np.ndarray]:
    """Planted, the rule of 0.1: as if an item had always been as frequent as since it has a leaf of its own."""
    own = since_tracked(decoded, question)
    reports = np.maximum(own.reports, 1)
    return own.counts / reports, np.where(own.reports > 0, own.errors / reports, 1e-3)


@pytest.mark.parametrize("epsilon", [1.0, 2.0, 4.0])
@pytest.mark.parametrize(("start", "bursts"), [(90_000, (400, 100)), (60_000, (400, 100)), (60_000, (250, 150, 100))])
def test_five_hundred_forged_reports_publish_no_more_than_they_are_worth(
    epsilon: float, start: int, bursts: tuple[int, ...]
) -> None:
    """0.5 % of all reports; ten runs with fixed seeds."""
    for seed in range(RUNS):
        most, store = attacked(epsilon, seed, start, *bursts)
        assert all(count <= most for count, _ in published(store))


@pytest.mark.parametrize("epsilon", [1.0, 2.0, 4.0])
def test_one_burst_in_one_epoch_is_not_certain(epsilon: float) -> None:
    """A lone high search cell is doubted: another of its eight items may be meant."""
    for seed in range(RUNS):
        assert not any(certain for _, certain in published(attacked(epsilon, seed, 90_000, 500, size=8_000)[1]))


def test_a_rate_that_is_extrapolated_publishes_far_more(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of ten runs of an attack in mid-stream, those in which the target got a leaf in the open epoch."""
    runs = [attacked(2.0, seed, 60_000, 400, 100) for seed in range(RUNS)]
    monkeypatch.setattr(Question, "shares", by_rate_since_tracked)
    seen = [(most, *line) for most, store in runs for line in published(store)]
    assert sum(count > 10 * most and certain for most, count, certain in seen) >= 3


def test_a_hundred_forged_reports_publish_nothing() -> None:
    """0.1 % of all reports."""
    assert not any(published(attacked(2.0, seed, 90_000, 80, 20)[1]) for seed in range(RUNS))
