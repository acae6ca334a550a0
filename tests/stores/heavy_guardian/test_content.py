import struct
from typing import Any
from zlib import crc32

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hgldp.errors import MalformedState
from hgldp.stores.heavy_guardian import HeavyGuardian
from tests.stores.heavy_guardian.test_sketch import BATCHES, SHAPES, sketch, stream_into

HEADER_BYTES = 44


@settings(deadline=None, max_examples=100)
@given(shape=SHAPES, batches=BATCHES, after=BATCHES)
def test_a_restored_sketch_goes_on_exactly_like_the_original(shape: Any, batches: Any, after: Any) -> None:
    original = HeavyGuardian(**shape)
    stream_into(original, batches)
    restored = HeavyGuardian.deserialize(original.serialize())
    assert restored.serialize() == original.serialize()
    stream_into(original, after)
    stream_into(restored, after)
    assert restored.serialize() == original.serialize()


def resealed(data: bytes) -> bytes:
    """The same bytes with a checksum that agrees."""
    return data[:-4] + struct.pack("<I", crc32(data[:-4]))


@settings(deadline=None, max_examples=300)
@given(
    shape=SHAPES,
    batches=BATCHES,
    changes=st.lists(st.tuples(st.integers(0, 400), st.integers(0, 255)), min_size=1, max_size=4),
    cut=st.integers(0, 40),
    reseal=st.booleans(),
)
def test_hostile_bytes_are_refused_or_are_a_sound_sketch(
    shape: Any, batches: Any, changes: Any, cut: int, reseal: bool
) -> None:
    original = HeavyGuardian(**shape)
    stream_into(original, batches)
    data = bytearray(original.serialize())
    for place, value in changes:
        data[place % len(data)] = value
    hostile = bytes(data[: len(data) - cut]) if cut % 3 == 0 else bytes(data)
    try:
        read = HeavyGuardian.deserialize(resealed(hostile) if reseal else hostile)
    except MalformedState:
        return
    stream_into(read, batches)
    assert all(line.low <= line.high for line in read.most_common(100))


def test_one_changed_byte_anywhere_is_noticed() -> None:
    target = sketch(light_cells=2)
    target.update([1, 2, 3, 4, 5, 1])
    whole = target.serialize()
    for place in range(len(whole)):
        with pytest.raises(MalformedState):
            HeavyGuardian.deserialize(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])


@settings(deadline=None, max_examples=100)
@given(data=st.binary(max_size=200))
def test_arbitrary_bytes_are_refused(data: bytes) -> None:
    with pytest.raises(MalformedState):
        HeavyGuardian.deserialize(data)


def planted_cell(place: int, **fields: int) -> bytes:
    """Two buckets of one cell, some fields of one cell overwritten, and a checksum that agrees."""
    target = sketch(buckets=2, heavy_cells=1, seed=4)
    target.update(range(6))
    data = bytearray(target.serialize())
    for field, value in fields.items():
        offset = ("key", "arrivals", "decays", "before").index(field)
        struct.pack_into("<Q", data, HEADER_BYTES + place * 32 + offset * 8, value)
    return resealed(bytes(data))


@pytest.mark.parametrize(
    ("fields", "rule"),
    [
        ({"arrivals": 0}, "free cells"),
        ({"decays": 2**40}, "guard above 0"),
        ({"before": 2**40}, "bound an item"),
        ({"arrivals": 2**63}, "below 2"),
        ({"key": 2**64 - 1}, "distinct"),
    ],
)
def test_impossible_cells_are_refused(fields: Any, rule: str) -> None:
    assert len(HeavyGuardian.deserialize(planted_cell(0))) == 2
    with pytest.raises(MalformedState, match=rule):
        HeavyGuardian.deserialize(planted_cell(0, **fields))


def test_an_item_in_another_bucket_or_in_two_is_refused() -> None:
    whole = HeavyGuardian.deserialize(planted_cell(0))
    first, second = (int(key) for key in whole._content().cells["key"])
    with pytest.raises(MalformedState, match="distinct"):
        HeavyGuardian.deserialize(planted_cell(0, key=second))
    stranger = next(item for item in range(100) if item != second and whole._find(item)[1] == 1)
    with pytest.raises(MalformedState, match="own bucket"):
        HeavyGuardian.deserialize(planted_cell(0, key=stranger))
    assert whole._find(first)[1] == 0
