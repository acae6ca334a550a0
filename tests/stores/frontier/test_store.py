"""The frontier: order and merging cannot matter, bytes come back, memory is bounded, evidence is what it says."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hgldp.errors import InvalidField, MalformedState
from hgldp.model.bulletins import search_cell
from hgldp.model.randomness import SeededWords
from hgldp.schemes.pfr import PFR
from hgldp.stores.frontier import Frontier
from hgldp.stores.frontier.epoch import cell_variance
from hgldp.stores.frontier.evidence import CAUTION, search_domain
from tests.naive.frontier import naive_evidence

SCHEME = PFR(domain_size=60, cells=12, epsilon=2.0)


def fresh(seed: int = 1, *, warm: bool = False, half_life: int | None = None) -> Frontier:
    warmup = [3, 3, 3, 8, 8, 41] if warm else []
    return Frontier(SCHEME, memory=1500, seed=seed, warmup=warmup, epoch=50, half_life=half_life)


def filled(seed: int, epochs: int, *, warm: bool = False) -> Frontier:
    store, words = fresh(seed, warm=warm), SeededWords(seed)
    for _ in range(epochs):
        store.insert(
            [SCHEME.randomize(min(words.below(60), words.below(60)), store.bulletin, words) for _ in range(80)]
        )
        store.seal()
    return store


@settings(deadline=None, max_examples=50)
@given(
    seed=st.integers(0, 2**64 - 1),
    reports=st.lists(st.integers(0, SCHEME.mechanism.modulus - 1), min_size=1, max_size=200),
    cuts=st.lists(st.integers(0, 200), max_size=5),
    shuffle=st.randoms(use_true_random=False),
)
def test_any_split_over_any_workers_gives_the_same_state(
    seed: int, reports: list[int], cuts: list[int], shuffle: object
) -> None:
    whole, merged = fresh(seed), fresh(seed)
    whole.insert(reports)
    mixed = list(reports)
    shuffle.shuffle(mixed)  # type: ignore[attr-defined]
    bounds = [0, *sorted(min(cut, len(mixed)) for cut in cuts), len(mixed)]
    for start, end in pairwise(bounds):
        merged.merge(np.bincount(np.array(mixed[start:end], np.int64), minlength=SCHEME.mechanism.modulus))
    for store in (whole, merged):
        store.seal()
    assert whole.serialize() == merged.serialize()
    assert whole.bulletin == merged.bulletin


@pytest.mark.parametrize("warm", [False, True])
def test_evidence_equals_its_naive_twin(warm: bool) -> None:
    store = filled(5, 6, warm=warm)
    items = np.arange(60)
    found = store.evidence(items)
    for item in items.tolist():
        mean, deviation = naive_evidence(store, item)
        assert found.mean[item] == pytest.approx(mean, rel=1e-9, abs=1e-12)
        assert found.deviation[item] == pytest.approx(deviation, rel=1e-9)


@pytest.mark.parametrize("seed", range(8))
def test_the_leaves_are_the_best_of_all_candidates(seed: int) -> None:
    """By the naive twin's lower bounds, among the tracked items and those that the search of the domain named."""
    store = filled(seed, 5)
    bounds = {item: naive_evidence(store, item) for item in store.candidates().tolist()}
    best = sorted(bounds, key=lambda item: (-(bounds[item][0] - CAUTION * bounds[item][1]), item))
    assert list(store.bulletin.leaves) == best[: SCHEME.most_leaves]


@pytest.mark.parametrize("seed", range(8))
def test_the_search_of_the_domain_misses_nobody(seed: int) -> None:
    """It names the items whose search cells have the largest sums, whichever block they fall into."""
    store, wanted = filled(seed, 5), SCHEME.most_leaves
    weights = np.ones(len(store.epochs))
    found = search_domain(store.epochs, weights, 60, wanted)
    variance = cell_variance(store.epochs)
    sums = np.zeros(60)
    for epoch, spread in zip(store.epochs, variance, strict=True):
        for item in range(60):
            sums[item] += epoch.cell_shares[search_cell(epoch.key, item, epoch.cells.size)] / spread
    worst = sums[found[:wanted]].min()
    assert (np.delete(sums, found[:wanted]) <= worst + 1e-9 * abs(worst)).all()


@settings(deadline=None, max_examples=30)
@given(seed=st.integers(0, 2**64 - 1), epochs=st.integers(0, 9), warm=st.booleans())
def test_bytes_come_back_as_the_same_store(seed: int, epochs: int, warm: bool) -> None:
    store = filled(seed, epochs, warm=warm)
    copy = Frontier.deserialize(store.serialize(), SCHEME)
    assert copy.serialize() == store.serialize()
    for both in (store, copy):
        both.insert([1, 2, 3] * 30)
        both.seal()
    assert copy.serialize() == store.serialize()
    assert copy.estimates(3) == store.estimates(3)


@settings(deadline=None, max_examples=150)
@given(data=st.binary(max_size=200), cut=st.integers(0, 1500), flips=st.lists(st.integers(0, 10_000), max_size=3))
def test_hostile_bytes_are_refused_or_legal_and_never_crash(data: bytes, cut: int, flips: list[int]) -> None:
    good = filled(3, 3, warm=True).serialize()
    broken = bytearray(good)
    for flip in flips:
        broken[flip % len(good)] ^= 0x5A
    for hostile in (data, good[:cut], good + data, bytes(broken)):
        try:
            store = Frontier.deserialize(hostile, SCHEME)
        except MalformedState:
            continue
        store.insert([0, 1, 2])
        store.seal()
        assert len(store.bulletin.leaves) <= SCHEME.most_leaves


def test_memory_is_bounded_however_long_the_stream() -> None:
    sizes = [len(filled(2, epochs, warm=True).serialize()) for epochs in (3, 40, 80)]
    assert max(sizes) <= 1500
    assert sizes[1] == sizes[2]


def test_an_illegal_report_changes_nothing() -> None:
    store = fresh()
    for reports in ([-1], [0, SCHEME.mechanism.modulus]):
        with pytest.raises(InvalidField, match="symbols must"):
            store.insert(reports)
    assert store.in_epoch == 0


def test_a_memory_too_small_for_two_epochs_is_refused() -> None:
    with pytest.raises(InvalidField, match=r"memory must be at least \d+ bytes, to hold two epochs, got 200"):
        Frontier(SCHEME, memory=200, seed=1)


def test_a_window_looks_at_the_last_epochs_only() -> None:
    store, words = fresh(4), SeededWords(4)
    for item in (7, 7, 7, 9, 9):
        store.insert([SCHEME.randomize(item, store.bulletin, words) for _ in range(400)])
        store.seal()
    assert store.estimates(1)[0].item == 7
    recent = store.estimates(1, window=800)[0]
    assert recent.item == 9
    assert abs(recent.count - 800) < 5 * recent.standard_error


def test_a_half_life_lets_the_past_fade() -> None:
    kept, fading = fresh(4), fresh(4, half_life=400)
    for store in (kept, fading):
        words = SeededWords(4)
        for item in (7, 7, 7, 9, 9):
            store.insert([SCHEME.randomize(item, store.bulletin, words) for _ in range(400)])
            store.seal()
    assert kept.estimates(1)[0].item == 7
    assert fading.estimates(1)[0].item == 9
