"""A sealed epoch: bytes come back, late reports add up, its spread is robust, and its leaves are found."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from hgldp.errors import MalformedState
from hgldp.kernels.joint import BY_CELL, BY_LEAF, UNSEEN, Seen
from hgldp.model.bulletins import FrontierBulletin, search_cell
from hgldp.schemes.pfr import PFR
from hgldp.stores.frontier import epoch as epochs
from hgldp.stores.frontier.epoch import SealedEpoch, epoch_bytes, item_bits
from hgldp.stores.noise import reading_over
from hgldp.stores.state_frame import StateBody

SCHEME = PFR(domain_size=1_000, cells=40, epsilon=2.0)
READING = reading_over(SCHEME, 40)
leaves = st.lists(st.integers(0, 999), max_size=20, unique=True)
shares = arrays.arrays(np.float64, 40, elements=st.floats(-0.5, 1.0))


def made(named: list[int], held: np.ndarray, reports: int = 5_000) -> SealedEpoch:
    bulletin = FrontierBulletin(bytes(32), 3, 1_000, 40, 77, tuple(named))
    return SealedEpoch.of(bulletin, reports, 9_000, held, READING.noise)


def read(data: bytes) -> SealedEpoch:
    body = StateBody("frontier", memoryview(data))
    found = SealedEpoch.read(body, SCHEME)
    body.finish()
    return found


@given(leaves, shares)
def test_bytes_come_back_in_as_many_as_were_promised(named: list[int], held: np.ndarray) -> None:
    epoch = made(named, held)
    data = epoch.serialize(1_000)
    assert len(data) == epoch_bytes(40, len(named), 1_000)
    again = read(data)
    assert again.serialize(1_000) == data
    assert again.leaves.tolist() == named
    assert (again.shares == epoch.shares).all()
    assert (again.cell_shares == epoch.cell_shares).all()


@given(leaves, shares)
def test_a_leaf_is_kept_to_one_part_in_sixty_thousand_and_a_cell_above_the_mean(
    named: list[int], held: np.ndarray
) -> None:
    epoch, tracked = made(named, held), len(named)
    assert (abs(epoch.shares - held[:tracked]) <= 2.0**-16 * abs(held[:tracked]) + 1e-38).all()
    search = held[tracked:]
    above = (search - search.mean()) * search.size / (search.size - 1)
    step = epoch.cells.step * READING.noise.deviation(5_000)
    assert (abs(epoch.cell_shares - above) <= step / 2 + 1e-3 * (1e-3 + abs(above))).all()


@given(leaves, shares, shares, st.integers(1, 5_000))
def test_late_reports_add_up_as_if_they_had_come_in_time(
    named: list[int], held: np.ndarray, late: np.ndarray, reports: int
) -> None:
    epoch, both = made(named, held), (held * 5_000 + late * reports) / (5_000 + reports)
    found, expected = epoch.with_late(reports, late), made(named, both, 5_000 + reports)
    assert (found.reports, found.end) == (5_000 + reports, 9_000)
    np.testing.assert_allclose(found.shares, expected.shares, rtol=1e-4, atol=1e-4)
    deviation = READING.noise.deviation(5_000)
    slack = (epoch.cells.step + found.cells.step + expected.cells.step) * deviation / 2
    assert (abs(found.cell_shares - expected.cell_shares) <= slack + 2e-3).all()


@given(leaves, st.lists(st.integers(0, 999), max_size=30))
def test_every_item_finds_its_own_leaf_or_its_cell(named: list[int], asked: list[int]) -> None:
    epoch, items = made(named, np.arange(40) / 64), np.array(asked, np.int64)
    seen = Seen(np.full(items.size, UNSEEN, np.int8), np.zeros(items.size, np.int32), *np.full((2, items.size), -1.0))
    epoch.locate(items, seen)
    cells = [search_cell(77, item, 40 - len(named)) for item in asked]
    assert seen.how.tolist() == [BY_LEAF if item in named else BY_CELL for item in asked]
    assert seen.share.tolist() == [named.index(item) / 64 if item in named else -1 for item in asked]
    assert seen.cell.tolist() == epoch.search_cells(items).tolist() == cells


def test_a_few_heavy_items_are_no_noise() -> None:
    """Planted: the plain variance of the cells, which two heavy items multiply; by quartiles they do not."""
    held = np.random.default_rng(1).normal(0, READING.noise.deviation(5_000), 40)
    heavy = held.copy()
    heavy[[3, 9]] += 0.3
    quiet, loud = made([], held), made([], heavy)
    assert loud.spread < 3 * quiet.spread
    assert loud.cell_shares.var() > 20 * quiet.cell_shares.var()
    assert made([], np.zeros(40)).spread == READING.noise.variance / 5_000


@pytest.mark.parametrize(("size", "bits"), [(1, 1), (2, 1), (3, 2), (1_000, 10), (1_024, 10), (1_025, 11)])
def test_an_item_takes_as_many_bits_as_its_domain(size: int, bits: int) -> None:
    assert item_bits(size) == bits


@given(st.binary(min_size=epoch_bytes(9, 2, 1_000), max_size=epoch_bytes(9, 2, 1_000)))
@example(b"\x00" * epochs.HEADER.size + b"\x01\x00\x00" + b"\x00\x00\x00\x00\x81\x7f" + b"\x00" * 14)
def test_any_bytes_are_refused_or_come_back(tail: bytes) -> None:
    head = epochs.HEADER.pack(5, 100, 100, 2, 7)
    data = head + tail[len(head) :]
    try:
        epoch = read(data)
    except MalformedState:
        return
    assert read(epoch.serialize(1_000)).serialize(1_000) == epoch.serialize(1_000)


@pytest.mark.parametrize(
    ("header", "rule"),
    [
        ((5, 0, 100, 2, 7), "at least one report"),
        ((5, 100, 0, 2, 7), "at least one report"),
        ((5, 100, 100, 2, 0), "one search cell"),
        ((5, 100, 100, 3, 7), "as long as its header says"),
    ],
)
def test_a_header_that_nobody_wrote_is_refused(header: tuple[int, ...], rule: str) -> None:
    good = replace(made([4, 5], np.zeros(40)), key=5)
    data = epochs.HEADER.pack(*header) + good.serialize(1_000)[epochs.HEADER.size : epoch_bytes(9, 2, 1_000)]
    with pytest.raises(MalformedState, match=rule):
        read(data)


@pytest.mark.parametrize(("place", "to"), [(0, b"\xff\xff\xff"), (0, b"\x04\x10\x00"), (3, b"\x00\xc0\x7f")])
def test_leaves_that_repeat_or_are_none_of_the_domain_and_shares_that_are_no_numbers_are_refused(
    place: int, to: bytes
) -> None:
    data = bytearray(made([4, 5], np.zeros(40)).serialize(1_000))
    data[epochs.HEADER.size + place : epochs.HEADER.size + place + 3] = to
    with pytest.raises(MalformedState, match=r"distinct items of its domain|finite shares"):
        read(bytes(data))
