"""The next leaves: half by what counts in all, half by what is now, and luck alone does not win."""

from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hgldp.schemes.pfr import PFR
from hgldp.simulation.frontier import follow
from hgldp.stores.frontier import store as frontier
from hgldp.stores.frontier.reading import leaves
from hgldp.stores.frontier.reading.leaves import next_leaves
from tests.stores.frontier.made import followed, zipf


def decoded(now: np.ndarray, deviation: np.ndarray) -> SimpleNamespace:
    return SimpleNamespace(items=np.arange(now.size), newest=(now, deviation))


@given(st.integers(0, 2**32 - 1), st.integers(1, 30), st.integers(1, 20))
def test_half_are_the_best_of_all_time_and_half_the_best_of_now(seed: int, size: int, most: int) -> None:
    draw = np.random.default_rng(seed)
    shares, now = draw.normal(size=size), draw.normal(size=size)
    deviations, now_deviations = draw.uniform(0, 1, size), draw.uniform(0, 1, size)
    found = next_leaves(decoded(now, now_deviations), shares, deviations, most)  # type: ignore[arg-type]
    lower, lower_now = shares - 1.25 * deviations, now - 1.25 * now_deviations
    by_all = set(np.argsort(-lower)[: most - most // 2].tolist())
    others = [item for item in np.argsort(-lower_now).tolist() if item not in by_all]
    assert set(found.tolist()) == by_all | set(others[: most // 2])
    assert (np.diff(shares[found]) <= 0).all()
    assert len(set(found.tolist())) == found.size


def epochs_until_a_newcomer_is_a_leaf() -> int:
    """A steady top of as many items as there are leaves; then an item that nobody had sent before, with 5 %."""
    scheme = PFR(200, 64, 4.0)
    store = followed(scheme, zipf(80_000, 40, 0.3, 1), 1, memory=6_000)
    late = zipf(200_000, 40, 0.3, 2)
    late[::20] = 150
    for epoch in range(1, 10):
        stream, late = np.split(late, [store.epoch_length])
        follow(scheme, store, stream, epoch)
        if 150 in store.bulletin.leaves:
            return epoch
    return 10


def by_all_alone(found: object, shares: np.ndarray, deviations: np.ndarray, most: int) -> np.ndarray:
    """Planted: no leaf for what is new."""
    return np.argsort(-(shares - 1.25 * deviations), kind="stable")[:most]


def test_a_newcomer_soon_has_a_leaf_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    ours = epochs_until_a_newcomer_is_a_leaf()
    monkeypatch.setattr(frontier, "next_leaves", by_all_alone)
    assert ours < epochs_until_a_newcomer_is_a_leaf()
    assert ours <= 3


def test_luck_alone_does_not_win_a_leaf(monkeypatch: pytest.MonkeyPatch) -> None:
    shares, deviations = np.array([0.02, 0.05, 0.01]), np.array([0.001, 0.04, 0.001])
    same = decoded(shares, deviations)
    assert next_leaves(same, shares, deviations, 1).tolist() == [0]  # type: ignore[arg-type]
    monkeypatch.setattr(leaves, "CAUTION", 0.0)
    assert next_leaves(same, shares, deviations, 1).tolist() == [1]  # type: ignore[arg-type]
