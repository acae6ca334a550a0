"""Public models of strings: every cut shares a cell's strings, parts add up, and a task's words choose among three."""

from copy import deepcopy
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hgldp.model.bulletins import ROOT, Cell
from hgldp.model.domain import StringDomain
from hgldp.model.rules import Spelling
from hgldp.schemes.open_pfr import OpenPFR
from hgldp.stores.strings import OpenFrontier
from hgldp.stores.strings.letters import FOLLOWING, START, after
from hgldp.stores.strings.model import Model, model_of

MODELS = st.sampled_from([model_of(spelling) for spelling in get_args(Spelling)])
CELLS = st.builds(
    lambda prefix, one, other: Cell(prefix, min(one, other), max(one, other)),
    st.binary(max_size=4),
    st.integers(0, 255),
    st.integers(0, 255),
)


@given(MODELS, CELLS, st.binary(min_size=1, max_size=6))
def test_the_halves_of_a_cell_share_its_strings(model: Model, cell: Cell, rest: bytes) -> None:
    code, parts = cell.prefix + rest + b"\0", model.halves(cell)
    if parts is None:
        assert cell.is_leaf or cell.low == 0
    else:
        (first, _), (second, _) = parts
        assert first.holds(code) + second.holds(code) == cell.holds(code)
        assert sum(share for _, share in parts) == pytest.approx(1)


@given(MODELS, CELLS)
def test_a_half_has_of_its_cell_the_part_that_the_model_names(model: Model, cell: Cell) -> None:
    for child, part in model.halves(cell) or ():
        if cell.low < cell.high:
            assert model.part(child, cell) == pytest.approx(part, rel=1e-6)
        assert model.part(child, ROOT) <= model.part(cell, ROOT) * (1 + 1e-9)


@given(MODELS, st.binary(max_size=5))
def test_the_parts_of_all_next_bytes_add_up_to_one(model: Model, prefix: bytes) -> None:
    assert sum(model.mass(prefix, byte, byte) for byte in range(256)) == pytest.approx(1)


@pytest.mark.parametrize("letter", [START, *FOLLOWING[:-1]])
def test_what_follows_a_letter_adds_up_to_one(letter: str) -> None:
    assert set(after(letter)) == set(FOLLOWING)
    assert sum(after(letter).values()) == pytest.approx(1)


@pytest.mark.parametrize(
    ("spelling", "likely", "unlikely"),
    [("text", "house", "hq7xz"), ("urls", "https://www.", "hxdxw:,,www."), ("identifiers", "user_id", "us?r id")],
)
def test_each_model_expects_its_own_kind(spelling: Spelling, likely: str, unlikely: str) -> None:
    model = model_of(spelling)
    first, second = (model.part(Cell(each.encode(), 0, 255), ROOT) for each in (likely, unlikely))
    assert first > 100 * second


def test_urls_are_likelier_to_the_model_of_urls_than_to_that_of_text() -> None:
    address = Cell(b"https://www.example.org/news", 0, 255)
    assert model_of("urls").part(address, ROOT) > 1_000 * model_of("text").part(address, ROOT)


def test_a_copy_of_a_store_shares_the_model_which_another_thread_may_be_asking() -> None:
    """What a model has worked out is in dictionaries, and one that grows cannot be copied."""
    mechanism = OpenPFR(64, 4.0).mechanism
    store = OpenFrontier(mechanism, symbols=64, k=4, domain=StringDomain(8))
    assert deepcopy(store).model is store.model is model_of("text")


@pytest.mark.parametrize("lead", [0xC3, 0xE3, 0xF0])
def test_after_the_first_byte_of_a_letter_come_its_other_bytes(lead: int) -> None:
    model = model_of("text")
    assert model.mass(b"caf" + bytes([lead]), 0x80, 0xBF) > 0.999
    assert model.mass("café".encode(), 0x80, 0xBF) < 0.01
