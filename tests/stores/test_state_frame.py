"""Every store's bytes are framed alike: they come back as they were written, and a frame that is broken is refused."""

import struct
from collections.abc import Callable
from typing import Any
from zlib import crc32

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hgldp.errors import MalformedState
from hgldp.model.domain import StringDomain
from hgldp.schemes.open_pfr import OpenPFR
from hgldp.schemes.pfr import PFR
from hgldp.stores import histogram
from hgldp.stores.frontier import Frontier
from hgldp.stores.frontier import state as frontier_state
from hgldp.stores.heavy_guardian import HeavyGuardian
from hgldp.stores.heavy_guardian import content as heavy_guardian_content
from hgldp.stores.hot_list import HotList, make_rule
from hgldp.stores.hot_list import state as hot_list_state
from hgldp.stores.state_frame import StateFrame
from hgldp.stores.strings import OpenFrontier
from hgldp.stores.strings import state as strings_state

FORMS = {"B": st.integers(0, 255), "H": st.integers(0, 2**16 - 1), "Q": st.integers(0, 2**64 - 1), "?": st.booleans()}
FRAMES = st.builds(
    StateFrame,
    st.just("basket"),
    st.binary(min_size=4, max_size=6),
    st.text(st.sampled_from(sorted(FORMS)), max_size=6),
    st.booleans(),
)


@st.composite
def written(draw: Any) -> tuple[StateFrame, tuple[Any, ...], bytes, bytes]:
    """A frame, the fields of its header, a body, and the state."""
    frame = draw(FRAMES)
    fields = tuple(draw(FORMS[form]) for form in frame.fields)
    pieces = draw(st.lists(st.binary(max_size=20), max_size=4))
    return frame, fields, b"".join(pieces), frame.write(*fields, body=pieces)


def read_whole(frame: StateFrame, state: Any) -> tuple[tuple[Any, ...], bytes]:
    fields, body = frame.read(state)
    return fields, body.raw(len(state) - frame.fixed_bytes)


@settings(deadline=None)
@given(written(), st.sampled_from([bytes, bytearray, memoryview]))
def test_what_was_written_is_read(case: Any, kind: Callable[[bytes], Any]) -> None:
    frame, fields, content, state = case
    assert len(state) == frame.fixed_bytes + len(content)
    assert read_whole(frame, kind(state)) == (fields, content)


@settings(deadline=None)
@given(written())
def test_a_state_is_mark_header_body_and_checksum(case: Any) -> None:
    """Spelt out once more, without the frame: these are the bytes that earlier versions wrote and read."""
    frame, fields, content, state = case
    body = frame.mark + struct.pack(f"<{frame.fields}", *fields) + content
    assert state == (body + struct.pack("<I", crc32(body)) if frame.checked else body)


def is_noticed(frame: StateFrame, state: bytes) -> bool:
    try:
        frame.read(state)
    except MalformedState as refused:
        return str(refused).startswith(f"{frame.store} must")
    return False


def any_change(frame: StateFrame, state: bytes) -> list[bytes]:
    """The state with one byte changed, in every place; for a frame without a checksum in its mark alone."""
    places = range(len(state) if frame.checked else len(frame.mark))
    return [state[:place] + bytes([state[place] ^ 0x10]) + state[place + 1 :] for place in places]


@settings(deadline=None, max_examples=50)
@given(written())
def test_one_changed_byte_is_noticed(case: Any) -> None:
    frame, _, _, state = case
    assert all(is_noticed(frame, changed) for changed in any_change(frame, state))


@settings(deadline=None, max_examples=50)
@given(written())
def test_a_state_cut_short_of_its_header_is_noticed(case: Any) -> None:
    frame, _, _, state = case
    assert all(is_noticed(frame, state[:length]) for length in range(frame.fixed_bytes))


@pytest.mark.parametrize("other", [None, 7, "hgL1" * 20, [1, 2], np.zeros(80, np.uint8)])
def test_what_is_no_bytes_is_refused(other: Any) -> None:
    with pytest.raises(MalformedState, match=f"basket must be bytes, got {type(other).__name__}"):
        StateFrame("basket", b"bsk1", "H").read(other)


class Careless(StateFrame):
    """Planted: reads a state without a look at its checksum."""

    def read(self, data: Any) -> Any:
        return super().read(data[:-4] + struct.pack("<I", crc32(data[:-4])))


FRAME = StateFrame("basket", b"bsk1", "HQ")


def test_a_frame_that_skips_the_checksum_is_noticed() -> None:
    careless, state = Careless("basket", b"bsk1", "HQ"), FRAME.write(1, 2, body=[b"apple"])
    assert all(is_noticed(FRAME, changed) for changed in any_change(FRAME, state))
    assert not all(is_noticed(careless, changed) for changed in any_change(careless, state))


@settings(deadline=None)
@given(st.binary(min_size=3, max_size=30), st.integers(0, 8), st.integers(0, 40) | st.none())
def test_a_body_is_read_to_its_end_and_not_beyond(content: bytes, numbers: int, drawn: int | None) -> None:
    rest = max(0, len(content) - 2 * numbers - 3) if drawn is None else drawn
    _, body = FRAME.read(FRAME.write(1, 2, body=[content]))

    def read() -> bytes:
        found = body.array("<u2", numbers).tobytes() + struct.pack("<BH", *body.record(struct.Struct("<BH")))
        found += body.raw(rest)
        body.finish()
        return found

    if 2 * numbers + 3 + rest == len(content):
        assert read() == content
    else:
        with pytest.raises(MalformedState, match=f"basket must be as long as its header says.* {len(content)} bytes"):
            read()


PFR_SMALL, OPEN = PFR(60, 12, 2.0), OpenPFR(64, 4.0)


def a_frontier() -> bytes:
    store = Frontier(PFR_SMALL, memory=1500, seed=1, warmup=[3, 3, 8], epoch=50)
    store.insert([1, 2, 3])
    store.seal()
    return store.serialize()


def an_open_frontier() -> bytes:
    store = OpenFrontier(OPEN.mechanism, symbols=64, k=4, domain=StringDomain(6), epoch=300)
    store.insert([1, 2, 3])
    store.seal()
    return store.serialize()


def a_hot_list() -> bytes:
    rule = make_rule(3, 50, 0.0, 1.08, always_nominating=False)
    return HotList.start(domain_size=40, cells=6, light_cells=4, rule=rule, seed=1, warmup=[7, 7, 9]).serialize()


def a_heavy_guardian() -> bytes:
    sketch = HeavyGuardian(buckets=2, heavy_cells=3, light_cells=1, seed=1)
    sketch.update([1, 2, 3, 1])
    return sketch.serialize()


STORES: dict[str, tuple[Any, bytes, Callable[[], bytes], Callable[[bytes], Any]]] = {
    "frontier": (frontier_state, b"hgF4", a_frontier, lambda state: Frontier.deserialize(state, PFR_SMALL)),
    "strings": (
        strings_state,
        b"hgO3",
        an_open_frontier,
        lambda state: OpenFrontier.deserialize(state, OPEN.mechanism),
    ),
    "hot list": (hot_list_state, b"hgL1", a_hot_list, HotList.deserialize),
    "HeavyGuardian": (heavy_guardian_content, b"HGUA\x01", a_heavy_guardian, HeavyGuardian.deserialize),
}


@pytest.mark.parametrize("store", STORES)
def test_every_store_reads_its_state_back_and_refuses_another_checksum(store: str) -> None:
    _, mark, made, read = STORES[store]
    state = made()
    assert state.startswith(mark)
    assert state[-4:] == struct.pack("<I", crc32(state[:-4]))
    assert read(state).serialize() == state
    with pytest.raises(MalformedState, match="checksum"):
        read(state[:-1] + bytes([state[-1] ^ 1]))


@pytest.mark.parametrize("store", STORES)
def test_a_store_whose_frame_skips_the_checksum_is_noticed(store: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same question as above, put to a store with the planted frame: now a wrong checksum passes."""
    module, _, made, read = STORES[store]
    name = "BY_RANK" if store == "strings" else "FRAME"
    state, frame = made(), getattr(module, name)
    monkeypatch.setattr(module, name, Careless(frame.store, frame.mark, frame.fields))
    assert read(state[:-1] + bytes([state[-1] ^ 1])).serialize() == state


def test_a_histogram_has_a_mark_and_no_checksum() -> None:
    counted = histogram.Histogram(3)
    counted.add([5, 1, 4], reports=10)
    assert counted.serialize() == struct.pack("<4sBBBxIQ3i", b"HGHI", 1, 4, 0, 3, 10, 5, 1, 4)
