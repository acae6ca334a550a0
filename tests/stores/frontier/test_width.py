"""A frontier that has little left to find asks for fewer cells: when, when not, and that nothing else changes by it."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hgldp.errors import InvalidField, MalformedState
from hgldp.model.bulletins import FrontierBulletin
from hgldp.model.randomness import SeededWords
from hgldp.schemes.pfr import PFR
from hgldp.simulation.frontier import follow, simulate_frontier
from hgldp.stores.frontier import Frontier
from hgldp.stores.frontier import store as frontier
from hgldp.stores.frontier.width import LEAST_SEARCH, best_width, untracked_share

SCHEME = PFR(domain_size=300, cells=192, epsilon=5.0)
NOISY = PFR(domain_size=300, cells=96, epsilon=0.5)


def few(n: int, seed: int = 1) -> np.ndarray:
    """Twelve items hold everything."""
    return np.random.default_rng(seed).integers(12, size=n).astype(np.int32)


def settled(n: int = 8_000, half_life: int = 0) -> Frontier:
    store = Frontier(SCHEME, memory=20_000, seed=4, epoch=1_000, half_life=half_life)
    follow(SCHEME, store, few(n), 9)
    return store


@settings(deadline=None)
@given(
    most=st.integers(16, 400),
    shares=st.lists(st.floats(0, 1), min_size=1, max_size=8),
    untracked=st.floats(0, 1),
    reports=st.integers(1, 10**9),
    epsilon=st.sampled_from([0.5, 2.0, 5.0]),
)
def test_it_is_never_more_than_the_task_has_nor_too_few_to_search(
    most: int, shares: list[float], untracked: float, reports: int, epsilon: float
) -> None:
    leaves = np.sort(shares)[::-1]
    width = best_width(PFR(10, most, epsilon), leaves, untracked, reports)
    assert leaves.size + LEAST_SEARCH <= width <= most


def test_a_long_tail_keeps_every_cell_and_nothing_left_to_find_gives_them_up() -> None:
    leaves = np.full(32, 0.02)
    assert best_width(SCHEME, leaves, 0.36, 10_000) == 192
    assert best_width(SCHEME, leaves, 0.0, 10_000) == 32 + 160 // 16


def test_at_a_low_epsilon_fewer_cells_gain_little_and_all_stay() -> None:
    scheme, leaves = PFR(300, 192, 1.0), np.full(32, 0.02)
    narrow, wide = (scheme.mechanism_over(cells).variance for cells in (42, 192))
    assert 0.9 * wide < narrow < wide
    assert best_width(scheme, leaves, 0.0, 10_000) == 192


def test_noise_alone_does_not_end_the_search() -> None:
    """ε = 0.5 and a flat stream: judged by the lucky shares that made them leaves, they would seem to hold most."""
    store = Frontier(NOISY, memory=12_000, seed=4, epoch=2_000)
    follow(NOISY, store, np.random.default_rng(2).integers(300, size=8_000).astype(np.int32), 9)
    shares, _ = store.shares(store.bulletin.leaves)
    assert shares.sum() > 0.7
    assert untracked_share(store.epochs, store.weights()) > 0.7
    assert store.bulletin.cells == 96


def test_what_is_untracked_is_taken_with_caution_and_the_newest_epoch_is_enough_to_widen() -> None:
    store = settled(60_000)
    weights, newest = store.weights(), store.epochs[-1]
    missed = np.array([1.0 - float(epoch.shares.sum()) for epoch in store.epochs])
    reports = np.array([epoch.reports / epoch.noise.variance for epoch in store.epochs])
    assert untracked_share(store.epochs, weights) > max(0.0, float((missed * reports).sum() / reports.sum()))
    changed = replace(newest, shares=newest.shares * 0.3)
    assert untracked_share([*store.epochs[:-1], changed], weights) > 0.6
    assert untracked_share(store.epochs, np.zeros(weights.size)) == 1.0


def test_a_crowd_of_single_events_keeps_search_cells_too() -> None:
    """Where the last leaf holds nothing, the untracked share itself is what crowds a cell."""
    leaves = np.array([0.5, 0.0])
    assert best_width(SCHEME, leaves, 0.9, 10_000) > best_width(SCHEME, leaves, 0.0, 10_000)


@pytest.mark.parametrize("half_life", [0, 4_000])
def test_epochs_of_different_widths_add_up(half_life: int) -> None:
    """Twelve items hold a twelfth each, whatever the widths: within 4.9 standard errors, 1e-6 each."""
    store = settled(half_life=half_life)
    assert len({epoch.symbols for epoch in store.epochs}) > 1
    shares, deviations = store.shares(list(range(300)))
    chance = (1 / 12 * 11 / 12 / (half_life or 8_000)) ** 0.5
    assert (abs(shares[:12] - 1 / 12) < 4.9 * (deviations[:12] + chance)).all()
    assert (abs(shares[12:]) < 4.9 * deviations[12:]).all()


def test_a_narrow_frontier_comes_back_from_its_bytes() -> None:
    store = settled()
    assert store.bulletin.cells < 192
    copy = Frontier.deserialize(store.serialize(), SCHEME)
    assert copy.bulletin == store.bulletin
    for both in (store, copy):
        follow(SCHEME, both, few(3_000), 2)
    assert copy.serialize() == store.serialize()


def test_bytes_of_a_wider_scheme_are_refused() -> None:
    wide = Frontier(PFR(300, 250, 5.0), memory=20_000, seed=1, epoch=100)
    with pytest.raises(MalformedState, match="in 8 … 192"):
        Frontier.deserialize(wide.serialize(), SCHEME)


def test_reports_are_checked_against_the_bulletin_that_they_answer() -> None:
    store = Frontier(SCHEME, memory=20_000, seed=4, epoch=1_000)
    wide = store.bulletin
    follow(SCHEME, store, few(8_000), 9)
    last = SCHEME.symbol_limit(wide) - 1
    assert last >= SCHEME.symbol_limit(store.bulletin)
    with pytest.raises(InvalidField, match="symbols must"):
        store.insert([last])
    store.insert_late(wide, [last])
    with pytest.raises(InvalidField, match="symbols must"):
        store.insert_late(store.bulletin, [last])
    assert store.late_reports == 1


def test_late_reports_to_a_wider_bulletin_count_in_its_epoch() -> None:
    store, words = Frontier(SCHEME, memory=20_000, seed=4, epoch=1_000), SeededWords(3)
    wide = store.bulletin
    follow(SCHEME, store, few(6_000), 9)
    before = store.epochs[0]
    store.insert_late(wide, [SCHEME.randomize(7, wide, words) for _ in range(1_000)])
    follow(SCHEME, store, few(1_000), 5)
    after = store.epochs[0]
    assert (before.reports, after.reports, after.symbols) == (1_000, 2_000, 192)
    cell = wide.symbol(7) - len(wide.leaves)
    assert after.cell_shares[cell] > before.cell_shares[cell] + 0.3


def test_a_newcomer_is_found_after_the_search_was_given_up() -> None:
    """A tenth of all events, from an item that nobody had sent before; without forgetting, and in a narrow frontier."""
    store = settled()
    narrow = store.bulletin.cells
    late = few(16_000, seed=3)
    late[::10] = 250
    follow(SCHEME, store, late, 11)
    assert narrow < 192
    assert 250 in store.bulletin.leaves


def test_counts_get_more_exact_where_nothing_is_left_to_find(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ten streams over twelve items in 96 cells, against the same frontier that never gives a cell up."""
    errors = []
    for width in (best_width, lambda scheme, *_: scheme.cells):
        monkeypatch.setattr(frontier, "best_width", width)
        errors.append(0.0)
        for seed in range(10):
            stream = few(20_000, seed)
            terms = {"k": 12, "warmup": 0, "memory": 12_000, "seed": seed}
            outcome = simulate_frontier(PFR(12, 96, 6.0), stream, **terms)  # type: ignore[arg-type]
            truth = np.bincount(stream)
            errors[-1] += sum(abs(line.count - truth[line.item]) for line in outcome.estimates)
    assert errors[0] < 0.8 * errors[1]


@pytest.mark.parametrize("cells", [7, 193])
def test_a_client_refuses_a_width_that_its_task_does_not_allow(cells: int) -> None:
    bulletin = FrontierBulletin(bytes(32), 0, 300, cells, 1, ())
    with pytest.raises(InvalidField, match="bulletin must have 8 … 192 cells over 300 items"):
        SCHEME.randomize(3, bulletin, SeededWords(1))
