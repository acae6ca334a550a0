"""The hot list against its naive twin, its bytes, and its bounded memory."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hgldp.errors import InvalidField, MalformedState
from hgldp.kernels import hot_list as kernels
from hgldp.model.bulletins import Bulletin
from hgldp.model.randomness import SeededWords
from hgldp.model.reports import Tally
from hgldp.schemes.bdr import BDR
from hgldp.schemes.dsr import DSR
from hgldp.stores.hot_list import HotList, make_rule
from tests.naive.hot_list import NaiveCell, NaiveHotList

DOMAIN, CELLS, LIGHT, K = 40, 6, 4, 3
LEGAL = {"k": 1, "first_epoch": 10, "growth": 0.0, "decay_base": 1.08}


def started(seed: int, warmup: list[int], *, always_nominating: bool = False) -> HotList:
    made = make_rule(K, 50, 0.0, 1.08, always_nominating=always_nominating)
    return HotList.start(domain_size=DOMAIN, cells=CELLS, light_cells=LIGHT, rule=made, seed=seed, warmup=warmup)


def twin_of(store: HotList) -> NaiveHotList:
    cells = [NaiveCell(int(i), int(p)) for i, p in zip(store.cells.item, store.cells.prior, strict=True)]
    words = SeededWords(int(store.cells.words[0]))
    rule = store.rule
    warmup = int(store.cells.prior.sum())
    return NaiveHotList(cells, LIGHT, rule.k, rule.decay_base, words, warmup, rule.always_nominating)


def reading_of(*, tight: bool) -> tuple[float, ...]:
    scheme = BDR(DOMAIN, CELLS, 1.5, tight=tight)
    return scheme.reading(Bulletin(bytes(32), 0, DOMAIN, tuple(range(CELLS)), nominating=True)).coefficients


@settings(deadline=None, max_examples=60)
@given(
    seed=st.integers(0, 2**64 - 1),
    warm=st.booleans(),
    tight=st.booleans(),
    symbols=st.lists(st.integers(0, CELLS + DOMAIN), min_size=200, max_size=600),
)
def test_kernels_equal_the_naive_twin(seed: int, warm: bool, tight: bool, symbols: list[int]) -> None:
    store = started(seed, [1, 1, 1, 2, 2, 5, 5, 5, 9, 3, 4, 4] if warm else [], always_nominating=not tight)
    twin, reading = twin_of(store), reading_of(tight=tight)
    for start in range(0, len(symbols), 50):
        chunk = symbols[start : start + 50]
        store.insert(chunk)
        for symbol in chunk:
            twin.insert(symbol)
        store.seal(reading)
        twin.absorb(reading)
        twin.renew()
        assert store.items == tuple(cell.item for cell in twin.cells)
        assert store.nominating == twin.nominating
        assert store.light.votes.tolist() == [cell[1] for cell in twin.light]
        np.testing.assert_allclose(store.cells.score, [cell.score for cell in twin.cells], rtol=1e-12, atol=1e-9)
        np.testing.assert_allclose(store.cells.noise, [cell.noise for cell in twin.cells], rtol=1e-12)
        assert int(store.cells.words[0]) == twin.words.state  # type: ignore[attr-defined]


def test_one_by_one_equals_many_at_once() -> None:
    many, single = started(3, []), started(3, [])
    words = SeededWords(8)
    symbols = [words.below(CELLS + DOMAIN) for _ in range(100)]
    many.insert(symbols)
    for symbol in symbols:
        single.insert([symbol])
    assert many.light.item.tolist() == single.light.item.tolist()
    assert many.cells.hits.tolist() == single.cells.hits.tolist()


@settings(deadline=None, max_examples=40)
@given(seed=st.integers(0, 2**64 - 1), symbols=st.lists(st.integers(0, CELLS + DOMAIN), max_size=200))
def test_bytes_come_back_as_the_same_store(seed: int, symbols: list[int]) -> None:
    store, reading = started(seed, [1, 1, 2]), reading_of(tight=True)
    store.insert(symbols)
    store.seal(reading)
    copy = HotList.deserialize(store.serialize())
    assert copy.serialize() == store.serialize()
    for both in (store, copy):
        both.insert(symbols[::-1])
        both.seal(reading)
    assert copy.serialize() == store.serialize()
    assert copy.estimates(K) == store.estimates(K)


@settings(deadline=None, max_examples=200)
@given(data=st.binary(max_size=400), cut=st.integers(0, 400), flip=st.integers(0, 399))
def test_hostile_bytes_are_refused_and_never_crash(data: bytes, cut: int, flip: int) -> None:
    good = started(1, []).serialize()
    broken = bytearray(good)
    broken[flip % len(good)] ^= 0xFF
    for hostile in (data, good[:cut], good + data, bytes(broken)):
        if hostile == good:
            continue
        try:
            HotList.deserialize(hostile)
        except MalformedState:
            continue
        assert len(hostile) == len(good)


def test_an_open_epoch_is_not_serialised() -> None:
    store = started(1, [])
    store.insert([0])
    with pytest.raises(InvalidField, match="must be sealed"):
        store.serialize()


@pytest.mark.parametrize("domain", [1_000, 5_000_000])
def test_state_stays_within_its_bytes_whatever_the_domain_and_the_stream(domain: int) -> None:
    """20 cells: at most 1 KB serialised and 4 KB resident, before and after ten times more reports."""
    scheme = DSR(domain, 20, 1.0)
    rule = make_rule(20, 100, 0.0, 1.08, always_nominating=False)
    store = HotList.start(domain_size=domain, cells=20, light_cells=8, rule=rule, seed=1)
    reading = scheme.reading(Bulletin(bytes(32), 0, domain, store.items, nominating=True)).coefficients
    words, sizes = SeededWords(2), []
    for _ in range(2):
        for _ in range(10 if sizes else 1):
            store.insert([words.below(21 + domain) for _ in range(1000)])
            store.seal(reading)
        sizes.append((len(store.serialize()), store.resident_bytes))
    assert sizes[0] == sizes[1]
    assert sizes[0][0] <= 1024
    assert sizes[0][1] <= 4096


def test_a_late_tally_counts_only_for_the_cells_that_stayed() -> None:
    store, reading = started(1, []), reading_of(tight=True)
    late = Tally.of("old", CELLS, [0, 0, 0, 1, CELLS])
    store.insert_late(late, reading, [True, False, True, True, True, True])
    per_hot, per_report, gain = reading[:3]
    assert store.cells.score[0] == pytest.approx((3 - per_hot * 4 - per_report * 5) / gain)
    assert store.cells.score[1] == 0
    assert store.cells.seen.tolist() == [5, 0, 5, 5, 5, 5]
    assert store.reports == 5


def test_the_warm_up_is_counted_exactly_and_its_best_are_kept() -> None:
    store = started(1, [7] * 5 + [3] * 4 + [30] * 4 + [2] + [8] + [9] + [11])
    assert store.items[:6] == (7, 3, 30, 2, 8, 9)
    assert store.cells.prior.tolist() == [5, 4, 4, 1, 1, 1]


@pytest.mark.parametrize(
    ("field", "settings_"),
    [
        ("k", {"k": 0}),
        ("k", {"k": 1.5}),
        ("epoch", {"first_epoch": 0}),
        ("growth", {"growth": 1.0}),
        ("decay_base", {"decay_base": 1.0}),
    ],
)
def test_an_illegal_rule_names_its_field(field: str, settings_: dict[str, float]) -> None:
    with pytest.raises(InvalidField, match=field):
        make_rule(**(LEGAL | settings_), always_nominating=False)  # type: ignore[arg-type]


def rewritten(store: HotList, change: Callable[[HotList], None]) -> bytes:
    """A state with a right checksum and one thing wrong."""
    copy = HotList.deserialize(store.serialize())
    change(copy)
    return copy.serialize()


def set_to(array: Callable[[HotList], Any], place: int, value: float) -> Callable[[HotList], None]:
    def change(store: HotList) -> None:
        array(store)[place] = value

    return change


@pytest.mark.parametrize(
    "change",
    [
        set_to(lambda store: store.cells.counter, kernels.NOMINATING, 10**9),
        set_to(lambda store: store.cells.counter, kernels.EPOCH_LENGTH, -5000),
        set_to(lambda store: store.cells.counter, kernels.EPOCH_LENGTH, 0),
        set_to(lambda store: store.cells.counter, kernels.ON_HOT_SIDE, 3),
        set_to(lambda store: store.cells.counter, kernels.REPORTS, -1),
        set_to(lambda store: store.cells.item, 0, 2**31 - 1),
        set_to(lambda store: store.cells.item, 0, DOMAIN),
        set_to(lambda store: store.cells.item, 0, -1),
        set_to(lambda store: store.cells.prior, 5, 3),
        set_to(lambda store: store.cells.seen, 0, -1),
        set_to(lambda store: store.cells.noise, 0, float("nan")),
        set_to(lambda store: store.cells.spread, 0, float("inf")),
        set_to(lambda store: store.light.item, 0, -7),
        set_to(lambda store: store.light.item, 0, DOMAIN),
        set_to(lambda store: store.light.votes, 0, 60_000),
    ],
)
def test_a_state_that_no_stream_can_reach_is_refused(change: Callable[[HotList], None]) -> None:
    """Each of these, believed, would send a kernel out of its arrays, into a loop, or to a published NaN."""
    store = started(1, [])
    store.insert([CELLS + 1 + 20] * 3)
    store.flush(reading_of(tight=True))
    with pytest.raises(MalformedState):
        HotList.deserialize(rewritten(store, change))


@pytest.mark.parametrize("symbols", [[-1], [-(10**10)], [CELLS + DOMAIN + 1], [2**70], [0.9], [[0]], ["0"], [None]])
def test_an_illegal_symbol_never_reaches_a_kernel(symbols: list[Any]) -> None:
    store = started(1, [])
    with pytest.raises(InvalidField, match="symbols must"):
        store.insert(symbols)
    assert store.reports == 0


def test_a_reading_of_another_length_is_refused() -> None:
    with pytest.raises(InvalidField, match="reading must be 8 coefficients"):
        started(1, []).seal([1.0])


def test_nearly_the_measured_items_can_be_tracked_at_once() -> None:
    rule = make_rule(1, 10, 0.0, 1.08, always_nominating=False)
    store = HotList.start(domain_size=16_384, cells=16_383, light_cells=0, rule=rule, seed=1)
    assert len(set(store.items)) == 16_383
