"""Strings, their codes, and the cells of an open frontier."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hgldp.errors import InvalidField, OutsideDomain
from hgldp.model.bulletins import Cell, OpenBulletin
from hgldp.model.domain import StringDomain

CELLS = st.builds(
    lambda prefix, ends: Cell(prefix, min(ends), max(ends)),
    st.binary(max_size=3).map(lambda text: bytes(byte % 4 + 97 for byte in text)),
    st.tuples(st.sampled_from([0, 97, 98, 99, 100, 255]), st.sampled_from([0, 97, 98, 99, 100, 255])),
)


@given(st.text(max_size=40))
def test_a_code_is_the_string_and_nothing_else(text: str) -> None:
    domain = StringDomain(most_bytes=64)
    code = domain.code(text)
    if "\0" in text or len(text.encode(errors="replace")) > 64:
        assert code is None
    elif code is not None:
        assert code[-1] == 0
        assert domain.string(code[:-1]) == text


def test_what_has_no_code_counts_as_everything_else() -> None:
    domain = StringDomain(most_bytes=4)
    assert domain.code("hello") is None
    assert domain.code("a\0b") is None
    assert domain.code("\ud800") is None
    assert domain.code("") == b"\0"
    with pytest.raises(OutsideDomain, match="withheld"):
        domain.code(7)


@given(st.lists(CELLS, unique=True, max_size=12), st.text("abcd", max_size=5))
def test_a_symbol_is_the_longest_and_then_the_narrowest_match(cells: list[Cell], text: str) -> None:
    bulletin, code = OpenBulletin(bytes(32), 0, 64, tuple(cells)), text.encode() + b"\0"
    holding = [cell for cell in cells if cell.holds(code)]
    symbol = bulletin.symbol(code)
    if not holding:
        assert symbol == 63
    else:
        best = max((len(cell.prefix), cell.low - cell.high) for cell in holding)
        assert (len(cells[symbol].prefix), cells[symbol].low - cells[symbol].high) == best
        assert cells[symbol].holds(code)


@given(st.lists(CELLS, unique=True, min_size=1, max_size=12))
def test_another_frontier_has_another_version(cells: list[Cell]) -> None:
    bulletin = OpenBulletin(bytes(32), 0, 64, tuple(cells))
    assert bulletin.version == OpenBulletin(bytes(32), 0, 64, tuple(cells)).version
    assert bulletin.version != OpenBulletin(bytes(32), 0, 64, tuple(cells[1:])).version
    assert bulletin.version != OpenBulletin(bytes(32), 1, 64, tuple(cells)).version


@pytest.mark.parametrize(
    ("symbols", "cells"),
    [
        (2, (Cell(b"a", 0, 0), Cell(b"b", 0, 0))),
        (9, (Cell(b"a", 0, 0),) * 2),
        (9, (Cell(b"a", 5, 4),)),
        (9, (Cell(b"a" * 256, 0, 1),)),
    ],
)
def test_an_illegal_frontier_is_refused(symbols: int, cells: tuple[Cell, ...]) -> None:
    with pytest.raises(InvalidField, match="cells must"):
        OpenBulletin(bytes(32), 0, symbols, cells)
