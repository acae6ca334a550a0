"""Four bits a cell: bytes come back, the error is bounded, and hostile bytes are refused."""

import struct

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from hgldp.errors import MalformedState
from hgldp.stores.frontier.search_cells import GRID, LARGEST, SCALE, SearchCells, cell_bytes, kept_exactly
from hgldp.stores.state_frame import StateBody

numbers = st.integers(1, 200)
values = numbers.flatmap(lambda size: arrays.arrays(np.float64, size, elements=st.floats(-50, 5_000)))


def read(data: bytes, cells: int) -> SearchCells:
    body = StateBody("frontier", memoryview(data))
    found = SearchCells.read(body, cells)
    body.finish()
    return found


@given(values)
def test_bytes_come_back_in_as_many_as_were_promised(held: np.ndarray) -> None:
    cells = SearchCells.of(held)
    data = cells.serialize()
    assert len(data) == cell_bytes(held.size)
    again = read(data, held.size)
    assert again.serialize() == data
    assert (again.values == cells.values).all()


@given(values)
def test_no_cell_is_off_by_more_than_half_a_step_or_eleven_bits(held: np.ndarray) -> None:
    cells = SearchCells.of(held)
    exact = cells.steps == GRID
    assert np.count_nonzero(exact) == kept_exactly(held.size)
    assert held[exact].min() >= held[~exact].max(initial=-np.inf)
    error = abs(cells.values - held)
    assert (error[exact] <= 2.0**-11 * abs(held[exact]) + 2.0**-24).all()
    assert (error[~exact] <= cells.step / 2 + 1e-6 * (1 + abs(held[~exact]))).all()


@given(values)
def test_what_was_packed_once_loses_next_to_nothing_when_it_is_packed_again(held: np.ndarray) -> None:
    once = SearchCells.of(held)
    twice = SearchCells.of(once.values)
    assert (abs(twice.values - once.values) <= 2.0**-10 * (1 + abs(once.values))).all()


def test_a_grid_to_the_highest_cell_would_lose_the_others() -> None:
    """Planted: one cell of 500 among noise of 1, and no cells kept exactly; that is what the exact ones are for."""
    held = np.random.default_rng(1).normal(size=320)
    held[7] = 500.0
    ours = abs(SearchCells.of(held).values - held).max()
    step = (held.max() - held.min()) / (GRID - 1)
    planted = abs(np.rint((held - held.min()) / step) * step + held.min() - held).max()
    assert ours < 0.2 < 5 < planted


def test_cells_that_are_all_alike_have_no_step() -> None:
    """Rounded up to single precision, the lowest of them would lie above the highest."""
    held = np.full(40, np.nextafter(1.0, 0.0))
    assert np.float32(held[0]) > held[0]
    assert read(SearchCells.of(held).serialize(), 40).step == 0.0


def test_values_beyond_all_reason_are_bounded() -> None:
    cells = SearchCells.of(np.array([-1e30, 0.0, 1e30]))
    assert np.isfinite(cells.values).all()
    assert abs(cells.values).max() <= LARGEST


@given(st.binary(min_size=cell_bytes(5), max_size=cell_bytes(5)))
def test_any_bytes_are_refused_or_come_back(data: bytes) -> None:
    try:
        cells = read(data, 5)
    except MalformedState:
        return
    assert cells.serialize() == data
    assert np.isfinite(cells.values).all()


def changed(place: int, to: bytes) -> bytes:
    data = bytearray(SearchCells.of(np.array([0.0, 1.0, 2.0, 9.0, 1.5])).serialize())
    data[place : place + len(to)] = to
    return bytes(data)


@pytest.mark.parametrize(
    ("data", "rule"),
    [
        (changed(0, struct.pack("<f", np.nan)), "finite"),
        (changed(4, struct.pack("<f", np.inf)), "finite"),
        (changed(4, struct.pack("<f", -1.0)), "finite"),
        (changed(SCALE.size + 3, b"\x00\x7e"), "finite"),
        (changed(SCALE.size, b"\xff"), "as many cells exactly"),
        (changed(SCALE.size + 2, b"\x17"), "as many cells exactly"),
        (changed(0, b"")[:-1], "as long as its header says"),
    ],
)
def test_what_nobody_wrote_is_refused(data: bytes, rule: str) -> None:
    with pytest.raises(MalformedState, match=rule):
        read(data, 5)
