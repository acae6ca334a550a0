"""The frontier: order and merging cannot matter, bytes come back, memory is bounded, the past fades as it is told."""

import struct
from dataclasses import replace
from itertools import pairwise
from zlib import crc32

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hgldp.errors import InvalidField, MalformedState
from hgldp.model.randomness import SeededWords
from hgldp.schemes.pfr import PFR
from hgldp.stores.frontier import Frontier
from hgldp.stores.frontier.epoch import most_epochs

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


@settings(deadline=None, max_examples=30)
@given(seed=st.integers(0, 2**64 - 1), epochs=st.integers(0, 9), warm=st.booleans(), reports=st.integers(1, 3))
def test_bytes_come_back_as_the_same_store(seed: int, epochs: int, warm: bool, reports: int) -> None:
    """Also after an epoch of a single report, in which nearly all cells are alike."""
    store = filled(seed, epochs, warm=warm)
    copy = Frontier.deserialize(store.serialize(), SCHEME)
    assert copy.serialize() == store.serialize()
    for both in (store, copy):
        both.insert([1, 2, 3][:reports])
        both.seal()
    assert copy.serialize() == store.serialize()
    again = Frontier.deserialize(copy.serialize(), SCHEME)
    assert again.estimates(3) == copy.estimates(3) == store.estimates(3)
    assert again.ask([0, 5, 59]) == store.ask([0, 5, 59])


@settings(deadline=None, max_examples=150)
@given(data=st.binary(max_size=200), cut=st.integers(0, 1500), flips=st.lists(st.integers(0, 80_000), max_size=3))
def test_hostile_bytes_are_refused_or_legal_and_never_crash(data: bytes, cut: int, flips: list[int]) -> None:
    """With the checksum put right: whoever can write a state can do that too."""
    good = filled(3, 3, warm=True).serialize()
    broken = bytearray(good)
    for flip in flips:
        broken[flip // 8 % len(good)] ^= 1 << flip % 8
    for hostile in (data, good[:cut], good + data, bytes(broken), signed(bytes(broken)[:-4]), signed(good[:cut])):
        try:
            store = Frontier.deserialize(hostile, SCHEME)
        except MalformedState:
            continue
        store.estimates(3)
        store.insert([0, 1, 2])
        store.seal()
        assert len(store.bulletin.leaves) <= SCHEME.most_leaves


def signed(data: bytes) -> bytes:
    return data + struct.pack("<I", crc32(data))


def test_memory_is_bounded_however_long_the_stream() -> None:
    sizes = [len(filled(2, epochs, warm=True).serialize()) for epochs in (3, 40, 80)]
    assert max(sizes) <= 1500
    assert sizes[1] == sizes[2]


def test_more_memory_makes_no_seal_and_no_answer_slower_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """16 MB would hold so many epochs that a seal takes a minute."""
    store = Frontier(SCHEME, memory=1 << 24, seed=1, epoch=1)
    for _ in range(70):
        store.insert([1])
        store.seal()
    assert len(store.epochs) == most_epochs(SCHEME.domain_size) == 64
    assert Frontier.deserialize(store.serialize(), SCHEME).serialize() == store.serialize()
    monkeypatch.setattr("hgldp.stores.frontier.store.most_epochs", lambda size: 1 << 16)
    assert Frontier(SCHEME, memory=1 << 24, seed=1).capacity > 10_000


def with_leaves_of_0_1(memory: int) -> Frontier:
    """Epochs of 128 leaves out of 256 cells, as hgldp 0.1 had 85; so a state is larger than the same one of ours."""
    wide, scheme = PFR(50_000, 256, 3.0, 128), PFR(50_000, 256, 3.0)
    old = Frontier(wide, memory=memory, seed=1, warmup=list(range(128)), epoch=500)
    for _ in range(20):
        old.insert([1] * 500)
        old.seal()
    store = Frontier(scheme, memory=memory, seed=1, epoch=500)
    store.epochs, store.reports, store.sealed = [replace(epoch) for epoch in old.epochs], old.reports, old.sealed
    return store


def test_memory_is_bounded_with_larger_epochs_of_an_older_state_too(monkeypatch: pytest.MonkeyPatch) -> None:
    assert largest_state(with_leaves_of_0_1(16_384)) <= 16_384
    monkeypatch.setattr(Frontier, "_too_many", lambda store: max(0, len(store.epochs) - store.capacity))
    assert largest_state(with_leaves_of_0_1(16_384)) > 16_384


def largest_state(store: Frontier) -> int:
    sizes = []
    for _ in range(store.capacity - 10):
        store.insert([1])
        store.seal()
        sizes.append(len(store.serialize()))
    return max(sizes)


def test_an_illegal_report_changes_nothing() -> None:
    store = fresh()
    for reports in ([-1], [0, SCHEME.mechanism.modulus]):
        with pytest.raises(InvalidField, match="symbols must"):
            store.insert(reports)
    assert store.in_epoch == 0


def test_a_memory_too_small_for_two_epochs_is_refused() -> None:
    with pytest.raises(InvalidField, match=r"memory must be at least \d+ bytes, to hold two epochs, got 200"):
        Frontier(SCHEME, memory=200, seed=1)


def test_an_epoch_without_reports_stays_open() -> None:
    store = filled(1, 2)
    before = store.bulletin
    store.seal()
    assert store.bulletin == before


def changed_from_7_to_9(half_life: int | None = None) -> Frontier:
    scheme, words = PFR(domain_size=60, cells=64, epsilon=2.0), SeededWords(4)
    store = Frontier(scheme, memory=3000, seed=4, epoch=50, half_life=half_life)
    for item in (7, 7, 7, 9, 9):
        store.insert([scheme.randomize(item, store.bulletin, words) for _ in range(400)])
        store.seal()
    return store


def test_a_window_looks_at_the_last_epochs_only() -> None:
    """False alarm 1e-6 by 4.9 standard errors."""
    store = changed_from_7_to_9()
    assert store.estimates(1)[0].item == 7
    recent = store.estimates(1, window=800)[0]
    assert recent.item == 9
    assert abs(recent.count - 800) < 4.9 * recent.standard_error
    assert store.covered(800) == 800
    assert store.estimates(1, window=100) == ()
    (asked,) = store.ask([7], window=800)
    assert abs(asked.count) < 4.9 * asked.standard_error


def test_a_half_life_lets_the_past_fade(monkeypatch: pytest.MonkeyPatch) -> None:
    assert changed_from_7_to_9().estimates(1)[0].item == 7
    assert changed_from_7_to_9(half_life=400).estimates(1)[0].item == 9
    monkeypatch.setattr(Frontier, "weights", lambda store, window=None: np.ones(len(store.epochs)))
    assert changed_from_7_to_9(half_life=400).estimates(1)[0].item == 7


def test_without_reports_the_warm_up_is_the_answer() -> None:
    store = fresh(warm=True)
    assert [(line.item, line.count, line.warmup) for line in store.estimates(2)] == [(3, 3.0, 3), (8, 2.0, 2)]
    assert [(line.item, line.count, line.may_be_noise) for line in store.ask([8, 5])] == [
        (8, 2.0, False),
        (5, 0.0, True),
    ]
    assert store.estimates(2, window=100) == ()
    assert [line.interval for line in store.ask([8, 5], window=100)] == [(0.0, 0.0)] * 2
    assert fresh().estimates(2) == ()


def test_an_answer_in_mid_epoch_changes_nothing() -> None:
    store = filled(6, 4)
    before = store.serialize()
    store.insert([1] * 30)
    now = store.absorbed()
    assert (now.reports, now.in_epoch, store.in_epoch) == (store.reports + 30, 0, 30)
    now.estimates(3)
    store.histogram[:] = 0
    assert store.serialize() == before
