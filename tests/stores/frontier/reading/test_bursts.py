"""Forged reports in a burst: what they publish is bounded by their worth, and it is not published as certain."""

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


def attacked(epsilon: float, seed: int, first: int, then: int) -> tuple[float, list[tuple[float, bool]]]:
    """So many in one epoch near the end of the stream, and more right after its seal, when a leaf would be its own.

    Returns the largest count that the forged reports may publish, and what is published: a count, and if it is certain.
    """
    scheme, draw = PFR(1_000, 1_024, epsilon), np.random.default_rng(seed + 99)
    store, stream = Frontier(scheme, memory=16_384, seed=seed), zipf(100_000, 1_000, 1.2, seed)
    follow(scheme, store, stream[:90_000], seed)
    forge(scheme, store, first, draw)
    follow(scheme, store, stream[90_000:][: store.epoch_length - first], seed + 1)
    forge(scheme, store, then, draw)
    lines = [line for line in store.absorbed().estimates(20) if line.item == TARGET]
    worth = max(scheme.leverage(store.bulletin), 1.0)
    most = 3 * (np.count_nonzero(stream == TARGET) + worth * (first + then))
    return most, [(line.count, not line.may_be_noise) for line in lines]


def by_rate_since_tracked(question: Question, decoded: Decoded) -> tuple[np.ndarray, np.ndarray]:
    """Planted, the rule of 0.1: as if an item had always been as frequent as since it has a leaf of its own."""
    own = since_tracked(decoded)
    reports = np.maximum(own.reports, 1)
    return own.counts / reports, np.where(own.reports > 0, own.errors / reports, 1e-3)


@pytest.mark.parametrize("epsilon", [1.0, 2.0, 4.0])
def test_five_hundred_forged_reports_publish_what_they_are_worth_and_not_as_certain(epsilon: float) -> None:
    """0.5 % of all reports; ten runs with fixed seeds."""
    for seed in range(RUNS):
        most, published = attacked(epsilon, seed, 400, 100)
        assert all(count <= most for count, _ in published)
        assert not any(certain for _, certain in published)


def test_a_rate_that_is_extrapolated_publishes_far_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Question, "shares", by_rate_since_tracked)
    seen = [(most, *line) for seed in range(RUNS) for most, found in [attacked(2.0, seed, 400, 100)] for line in found]
    assert any(count > 10 * most and certain for most, count, certain in seen)


def test_a_hundred_forged_reports_publish_nothing() -> None:
    """0.1 % of all reports."""
    assert not any(attacked(2.0, seed, 80, 20)[1] for seed in range(RUNS))
