"""Joint decoding against its slow twin: dense matrices where the kernel filters, sorting where it partitions."""

from copy import deepcopy

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hgldp.kernels.joint import (
    ALONE,
    BY_CELL,
    BY_LEAF,
    UNSEEN,
    Found,
    Seen,
    Terms,
    Times,
    add_up,
    first_odds,
    noise_of_sums,
    sweep,
)
from hgldp.stores.frontier.reading.decoding import without_background
from tests.naive.frontier import first_odds_slowly, recentre_slowly, smooth_exactly, sweep_slowly

ITEMS, WIDTH = 5, 7
seeds = st.integers(0, 2**32 - 1)
rows = st.integers(1, 8)


def made(seed: int, stretches: int, *, warm: bool = False) -> tuple[Times, Seen, np.ndarray, Terms, Found]:
    """Stretches of a few hundred to a million reports, items that come, go and burst, and crowded cells."""
    draw = np.random.default_rng(seed)
    shape = (stretches, ITEMS)
    reports = np.exp(draw.uniform(np.log(200), np.log(10.0 ** draw.uniform(3, 6)), stretches))
    rare = draw.uniform(1.0, 6.0, stretches)
    times = Times(reports, draw.uniform(0, 0.5, stretches), rare, draw.uniform(-0.5, 1, stretches), 2 * rare / reports)
    how = draw.choice([BY_CELL, BY_LEAF, ALONE], shape).astype(np.int8)
    truth = np.maximum(draw.normal(0.05, 0.1, ITEMS), 0) * draw.uniform(0.5, 1.5, shape)
    if draw.random() < 0.5:
        truth = np.minimum(truth * draw.choice([1, 1, 1, 0, 6, 30], shape), 1.0)
    variance = np.broadcast_to((rare / reports)[:, None], shape).copy()
    seen = Seen(how, draw.integers(WIDTH, size=shape).astype(np.int32), draw.normal(truth, variance**0.5), variance)
    cells = draw.normal(0, times.crowd[:, None] ** 0.5, (stretches, WIDTH))
    for t, i in zip(*np.nonzero(how != BY_LEAF), strict=True):
        cells[t, seen.cell[t, i]] += truth[t, i]
    if warm and stretches > 1:
        seen.how[0], times.reports[0] = BY_LEAF, np.inf
        if stretches > 2:
            seen.how[1], seen.share[1], seen.variance[1] = UNSEEN, 0.0, 1e9
    zeros = (np.zeros(shape) for _ in range(7))
    terms = Terms(float(draw.choice([0.01, 0.3, 1.0, 10.0])), -3.0, 7.0, 4.0)
    return times, seen, cells, terms, Found(*zeros, np.full(ITEMS, np.inf))


@settings(max_examples=150)
@given(seeds, rows, st.booleans(), st.integers(1, 3))
def test_every_sweep_equals_the_conditioning_of_one_normal_law(
    seed: int, stretches: int, warm: bool, sweeps: int
) -> None:
    times, seen, cells, terms, found = made(seed, stretches, warm=warm)
    slow, left = deepcopy(found), cells.copy()
    order = np.random.default_rng(seed).permutation(ITEMS)
    for _ in range(sweeps):
        sweep(order, times, seen, cells, terms, found)
        sweep_slowly(order.tolist(), times, seen, left, terms, slow)
        for name in Found._fields:
            mine, theirs = getattr(found, name), getattr(slow, name)
            np.testing.assert_allclose(mine, theirs, rtol=1e-4, atol=1e-6 if name == "follows" else 1e-8, err_msg=name)
        np.testing.assert_allclose(cells, left, atol=1e-7)


@settings(max_examples=100)
@given(seeds, rows, st.booleans())
def test_what_comes_first_equals_the_sum_over_all_stretches(seed: int, stretches: int, warm: bool) -> None:
    times, seen, cells, terms, _ = made(seed, stretches, warm=warm)
    odds = np.empty(ITEMS)
    first_odds(times, seen, cells, terms.most_odds, odds)
    np.testing.assert_allclose(odds, first_odds_slowly(times, seen, cells, terms.most_odds), rtol=1e-9)


@settings(max_examples=100)
@given(seeds, rows, st.booleans())
def test_a_weighted_sum_has_the_mean_and_variance_of_that_law(seed: int, stretches: int, warm: bool) -> None:
    times, seen, cells, terms, found = made(seed, stretches, warm=warm)
    sweep(np.arange(ITEMS), times, seen, cells, terms, found)
    weights = np.random.default_rng(seed).normal(size=(stretches, ITEMS))
    total, variance = np.empty(ITEMS), np.empty(ITEMS)
    add_up(times, found, weights, total, variance)
    for item in range(ITEMS):
        mean, spread = smooth_exactly(times, found, item, terms.drift).total(weights[:, item])
        assert total[item] == pytest.approx(mean, rel=1e-6, abs=1e-8)
        assert variance[item] == pytest.approx(spread, rel=1e-4, abs=1e-10)


def test_a_sum_whose_stretches_were_independent_would_be_too_sure() -> None:
    """Planted: the variances of the stretches alone, as if neighbours did not share their errors."""
    times, seen, cells, terms, found = made(3, 8)
    sweep(np.arange(ITEMS), times, seen, cells, terms, found)
    weights, total, variance = np.ones((8, ITEMS)), np.empty(ITEMS), np.empty(ITEMS)
    add_up(times, found, weights, total, variance)
    found.follows[:] = 0.0
    alone = np.empty(ITEMS)
    add_up(times, found, weights, total, alone)
    assert (alone < 0.95 * variance).all()
    assert alone.sum() < 0.8 * variance.sum()


@settings(max_examples=100)
@given(seeds, st.lists(st.sampled_from([1, 2, 3, 8, 33]), min_size=1, max_size=4), st.sampled_from([0.5, 2.0, 4.0]))
def test_cells_lose_their_background_as_a_sort_says(seed: int, widths: list[int], reach: float) -> None:
    draw = np.random.default_rng(seed)
    cells, least = draw.standard_cauchy((len(widths), max(widths))), draw.uniform(0, 2, len(widths))
    left = cells.copy()
    crowd = without_background(cells, np.array(widths), least, reach)
    slowly = [recentre_slowly(row[:width], low, reach) for row, width, low in zip(left, widths, least, strict=True)]
    np.testing.assert_allclose(crowd, slowly, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(cells, left, rtol=1e-9, atol=1e-9)


def test_two_items_in_one_cell_share_what_it_holds() -> None:
    """Both are in a crowded cell of the last stretch; the one with a leaf in the others takes its part of it."""
    found = [_shares_of_a_crowded_cell(others) for others in (False, True)]
    assert found[0] > 0.15
    assert abs(found[1]) < 0.05


def _shares_of_a_crowded_cell(others: bool) -> float:
    """The share of a newcomer in the last stretch, where its cell holds another item of a share of 0.2."""
    stretches, items = 4, 2
    times = Times(*(np.full(stretches, value) for value in (5_000.0, 0.1, 2.0, 0.0, 0.0004)))
    seen = Seen(
        np.full((stretches, items), BY_CELL, np.int8),
        np.zeros((stretches, items), np.int32),
        np.zeros((stretches, items)),
        np.full((stretches, items), 0.0004),
    )
    seen.cell[:, 1] = 1
    seen.cell[-1] = 2
    seen.how[:-1, 0], seen.share[:-1, 0] = BY_LEAF, 0.2
    cells = np.zeros((stretches, 3))
    cells[-1, 2] = 0.2
    found = Found(*(np.zeros((stretches, items)) for _ in range(7)), np.full(items, np.inf))
    order = np.array([0, 1] if others else [1])
    for _ in range(3):
        sweep(order, times, seen, cells, Terms(10.0, -1.0, 7.0, 4.0), found)
    return float(found.share[-1, 1])


@given(seeds, rows)
def test_the_noise_of_a_sum_is_what_the_whole_covariance_says(seed: int, stretches: int) -> None:
    """The covariance of two stretches is the later one's variance, by how far each between them follows the next."""
    draw = np.random.default_rng(seed)
    variance, noise = draw.uniform(0.1, 2.0, stretches), draw.uniform(0.1, 3.0, stretches)
    follows, weights = draw.uniform(0.0, 1.0, stretches), draw.uniform(0.0, 1.0, stretches)
    covariance = np.array(
        [
            [variance[max(s, t)] * follows[min(s, t) : max(s, t)].prod() for s in range(stretches)]
            for t in range(stretches)
        ]
    )
    columns = {name: np.zeros((stretches, 1)) for name in Found._fields if name != "odds"}
    columns |= {"variance": variance[:, None], "noise": noise[:, None], "follows": follows[:, None]}
    result = np.empty(1)
    noise_of_sums(Found(**columns, odds=np.zeros(1)), weights[:, None], result)
    np.testing.assert_allclose(result[0], ((covariance @ weights) ** 2 / noise).sum(), rtol=1e-9)
