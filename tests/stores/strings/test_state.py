"""The open frontier as bytes: what is restored goes on as before, anything else is refused, and it is bounded."""

import struct
from itertools import permutations
from zlib import crc32

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hgldp.errors import InvalidField, MalformedState
from hgldp.model.bulletins import Cell
from hgldp.model.domain import StringDomain
from hgldp.schemes.open_pfr import OpenPFR
from hgldp.stores.strings import OpenFrontier
from hgldp.stores.strings.measured import Measured
from hgldp.stores.strings.state import BY_RANK, OpenState, most_state_bytes, pack

SCHEME = OpenPFR(64, 4.0)
MECHANISM = SCHEME.mechanism
MODULUS = MECHANISM.modulus
EPOCHS = st.lists(st.lists(st.integers(0, MODULUS - 1), min_size=1, max_size=200), max_size=8)
HALF_LIVES = st.sampled_from([None, 1, 150, 5_000])


def fed(epochs: list[list[int]], half_life: int | None = None, most_bytes: int = 6) -> OpenFrontier:
    domain = StringDomain(most_bytes)
    store = OpenFrontier(MECHANISM, symbols=64, k=4, domain=domain, epoch=300, half_life=half_life)
    feed(store, epochs)
    return store


def feed(store: OpenFrontier, epochs: list[list[int]]) -> None:
    for reports in epochs:
        store.insert(reports)
        store.seal()


def spelt() -> OpenFrontier:
    """A store that has found strings: everybody says `a`, `b` or `ab`, and tells the truth."""
    store, domain = fed([]), StringDomain(6)
    for _ in range(12):
        symbols = [store.bulletin.symbol(domain.code(text)) for text in ("a", "b", "ab")]
        store.insert([(symbol - MECHANISM.members[0]) % MODULUS for symbol in symbols for _ in range(300)])
        store.seal()
    return store


def resealed(data: bytes) -> bytes:
    """The same bytes with a checksum that agrees."""
    return data[:-4] + struct.pack("<I", crc32(data[:-4]))


@settings(deadline=None, max_examples=60)
@given(EPOCHS, EPOCHS, HALF_LIVES)
def test_a_restored_store_goes_on_exactly_like_the_original(
    before: list[list[int]], after: list[list[int]], half_life: int | None
) -> None:
    original = fed(before, half_life)
    restored = OpenFrontier.deserialize(original.serialize(), MECHANISM)
    assert restored.bulletin == original.bulletin
    for store in (original, restored):
        feed(store, after)
    assert restored.serialize() == original.serialize()
    assert restored.estimates(4) == original.estimates(4)


@settings(deadline=None, max_examples=40)
@given(EPOCHS, HALF_LIVES, st.integers(1, 40))
def test_the_state_is_bounded_whatever_arrives(epochs: list[list[int]], half_life: int | None, most: int) -> None:
    assert len(fed(epochs, half_life, most).serialize()) <= most_state_bytes(64, most)


def test_the_longest_state_has_exactly_the_bound() -> None:
    found = Measured(1.0, 2.0, 4.0, 5)
    cells = {Cell(bytes([65 + number]) * 9, 0, 255): found for number in range(63)}
    state = OpenState(9, 64, MODULUS, 4, 300, 7, 900, 3)
    assert len(pack(state, {}, cells)) == most_state_bytes(64, 9)


@settings(deadline=None, max_examples=40)
@given(st.lists(st.integers(0, MODULUS - 1), min_size=1, max_size=400), st.data(), HALF_LIVES)
def test_any_split_over_any_number_of_workers_gives_the_same_bytes(
    reports: list[int], data: st.DataObject, half_life: int | None
) -> None:
    alone = fed([reports], half_life)
    shuffled = data.draw(st.permutations(reports))
    cuts = sorted(data.draw(st.lists(st.integers(0, len(reports)), max_size=5)))
    collector = fed([], half_life)
    for start, end in zip([0, *cuts], [*cuts, len(reports)], strict=True):
        worker = fed([], half_life)
        worker.insert(shuffled[start:end])
        collector.merge(worker.histogram)
    collector.seal()
    assert collector.serialize() == alone.serialize()


def test_the_order_of_late_reports_does_not_matter() -> None:
    states = set()
    for order in permutations(range(4)):
        store, bulletins = fed([]), []
        for epoch in range(4):
            bulletins.append(store.bulletin)
            feed(store, [[number * number % MODULUS for number in range(100 + 37 * epoch)]])
        for epoch in order:
            store.insert_late(bulletins[epoch], [number % 11 for number in range(50 + 13 * epoch)])
        feed(store, [[1, 2, 3]])
        states.add(store.serialize())
    assert len(states) == 1


def test_an_open_epoch_cannot_be_serialised() -> None:
    store = fed([])
    store.insert([0])
    with pytest.raises(InvalidField, match="must be sealed"):
        store.serialize()


def test_one_changed_byte_anywhere_is_noticed() -> None:
    whole = spelt().serialize()
    assert OpenFrontier.deserialize(whole, MECHANISM).hot
    for place in range(len(whole)):
        with pytest.raises(MalformedState):
            OpenFrontier.deserialize(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :], MECHANISM)


@pytest.mark.parametrize("change", [b"x", b"hgO3" * 20])
def test_more_or_fewer_bytes_are_refused_even_with_a_checksum(change: bytes) -> None:
    whole = spelt().serialize()
    for other in (whole[:-4] + change, whole[: -4 - len(change)]):
        with pytest.raises(MalformedState, match="open frontier must"):
            OpenFrontier.deserialize(resealed(other + bytes(4)), MECHANISM)


@settings(deadline=None, max_examples=200)
@given(
    st.lists(st.tuples(st.integers(0, 4_000), st.integers(0, 255)), min_size=1, max_size=4),
    st.integers(0, 60),
    st.booleans(),
)
def test_hostile_bytes_are_refused_or_are_a_sound_state(
    changes: list[tuple[int, int]], cut: int, found_strings: bool
) -> None:
    data = bytearray((spelt() if found_strings else fed([[1, 2, 3] * 50], 400)).serialize())
    for place, value in changes:
        data[place % len(data)] = value
    hostile = resealed(bytes(data[: len(data) - cut]) if cut % 3 == 0 else bytes(data))
    try:
        store = OpenFrontier.deserialize(hostile, MECHANISM)
    except MalformedState:
        return
    assert store.serialize() == hostile
    feed(store, [list(range(MODULUS)) * 2])
    assert len(store.bulletin.cells) < store.symbols
    assert all(np.isfinite([line.count, line.standard_error]).all() for _, line in store.estimates(store.k))


@settings(deadline=None, max_examples=100)
@given(st.binary(max_size=200))
def test_arbitrary_bytes_are_refused(data: bytes) -> None:
    for hostile in (data, b"hgO3" + data, resealed(b"hgO3" + data + bytes(4))):
        with pytest.raises(MalformedState):
            OpenFrontier.deserialize(hostile, MECHANISM)


GOOD = OpenState(6, 64, MODULUS, 4, 300, 0, 900, 3)
LEAF, PREFIX, SOUND = Cell(b"a", 0, 0), Cell(b"b", 0, 255), Measured(1.0, 300.0, 900.0, 900)


def test_the_sound_twin_of_what_follows_is_read() -> None:
    store = OpenFrontier.deserialize(pack(GOOD, {LEAF: SOUND}, {PREFIX: SOUND}), MECHANISM)
    assert [text for text, _ in store.estimates(4)] == ["a"]


@pytest.mark.parametrize(
    ("state", "hot", "tips"),
    [
        (GOOD, {LEAF: SOUND}, {LEAF: SOUND}),
        (GOOD, {PREFIX: SOUND}, {}),
        (GOOD, {Cell(b"\xc3", 0, 0): SOUND}, {}),
        (GOOD, {LEAF: Measured()}, {}),
        (GOOD, {}, {Cell(b"toolong", 0, 0): SOUND}),
        (GOOD, {}, {Cell(b"", 9, 8): SOUND}),
        (GOOD, {Cell(bytes([97 + i]), 0, 0): SOUND for i in range(9)}, {}),
        (GOOD, {}, {Cell(b"", i, i): SOUND for i in range(64)}),
        (GOOD, {}, {PREFIX: Measured(1.0, 300.0, 901.0, 901)}),
        (GOOD, {}, {PREFIX: Measured(1.0, 1e18, 900.0, 900)}),
        (GOOD, {}, {PREFIX: Measured(1.0, 1e-9, 900.0, 900)}),
        (GOOD, {}, {PREFIX: Measured(1.0, -300.0, 900.0, 900)}),
        (GOOD, {}, {PREFIX: Measured(2700.0, 300.0, 900.0, 900)}),
        (GOOD, {}, {PREFIX: Measured(-2700.0, 300.0, 900.0, 900)}),
        (GOOD, {}, {PREFIX: Measured(float("nan"), 300.0, 900.0, 900)}),
        (GOOD, {}, {PREFIX: Measured(1.0, float("nan"), 900.0, 900)}),
        (GOOD, {}, {PREFIX: Measured(1.0, float("inf"), 900.0, 900)}),
        (GOOD, {}, {PREFIX: Measured(prior=-101.0)}),
        (GOOD._replace(half_life=9), {}, {PREFIX: Measured(1.0, 300.0, 901.0, 900)}),
        (GOOD._replace(half_life=9), {}, {PREFIX: Measured(1.0, 300.0, 0.5, 900)}),
        (GOOD._replace(half_life=9), {}, {PREFIX: Measured(1.0, 300.0, float("nan"), 900)}),
        (GOOD._replace(most_bytes=0), {}, {}),
        (GOOD._replace(symbols=MODULUS + 1), {}, {}),
        (GOOD._replace(modulus=MODULUS + 1), {}, {}),
        (GOOD._replace(k=9), {}, {}),
        (GOOD._replace(k=0), {}, {}),
        (GOOD._replace(first_epoch=0), {}, {}),
        (GOOD._replace(sealed=0), {}, {}),
        (GOOD._replace(reports=2), {}, {}),
    ],
)
def test_impossible_states_are_refused(state: OpenState, hot: dict[Cell, Measured], tips: dict[Cell, Measured]) -> None:
    with pytest.raises(MalformedState, match="open frontier must"):
        OpenFrontier.deserialize(pack(state, hot, tips), MECHANISM)


def test_a_cell_is_written_in_one_way_only() -> None:
    """A prefix that repeats what it could share would be a second spelling of the same state."""
    body = pack(GOOD, {}, {Cell(b"ab", 0, 255): Measured(), Cell(b"ac", 0, 255): Measured()})[:-4]
    assert body.endswith(bytes([1, 1, 0, 255, 0]) + b"c" + bytes(4))
    twice = body[:-10] + bytes([0, 2, 0, 255, 0]) + b"ac" + bytes(4)
    with pytest.raises(MalformedState, match="one way"):
        OpenFrontier.deserialize(twice + struct.pack("<I", crc32(twice)), MECHANISM)
    marked = body[:-6] + bytes([2]) + b"c" + bytes(4)
    with pytest.raises(MalformedState, match=r"one way|all its cells"):
        OpenFrontier.deserialize(marked + struct.pack("<I", crc32(marked)), MECHANISM)


@pytest.mark.parametrize(("new", "old"), [(b"hgO3", b"hgO1"), (b"hgO4", b"hgO2")])
def test_a_state_of_0_1_0_is_read_and_expects_of_each_cell_what_the_model_does(new: bytes, old: bytes) -> None:
    store = fed([[1, 2, 3] * 50])
    if new == b"hgO4":
        store.hide_order()
    for found in store.tips.values():
        found.prior = 0.0
    now = store.serialize()
    assert now[:4] == new
    before = resealed(old + _without_priors(store) + bytes(4))
    restored = OpenFrontier.deserialize(before, MECHANISM)
    assert restored.bulletin == store.bulletin
    assert [found.total for found in restored.tips.values()] == [found.total for found in store.tips.values()]
    assert len({found.prior for found in restored.tips.values()}) > 5
    feed(restored, [[4, 5, 6] * 50])
    assert restored.serialize()[:4] == new


def _without_priors(store: OpenFrontier) -> bytes:
    """Header and cells as 0.1.0 wrote them, without the mark: the same bytes but four fewer for each tip."""
    whole = store.serialize()
    parts, place = [whole[4 : BY_RANK.header.size]], BY_RANK.header.size
    for number, found in enumerate((*store.hot.values(), *store.tips.values())):
        end = place + 5 + whole[place + 1] + (24 if found.since else 0)
        parts.append(whole[place:end])
        place = end + (4 if number >= len(store.hot) else 0)
    return b"".join(parts)
