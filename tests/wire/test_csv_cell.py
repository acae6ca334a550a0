"""No cell is run by a spreadsheet, whatever stands before its sign, and every text can be had back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hgldp.wire.csv_cell import safe_cell

BEFORE = [
    "", " ", "\t", "\n", "\r\n", "\v", "\f", "\x00", "\x1f", "\x7f", "\x85", "\xa0", "\xad", "\u1680", "\u2003",
    "\u2028", "\u2029", "\u202f", "\u3000", "\u200b", "\u200e", "\u202e", "\u2060", "\u2066", "\ufeff", "\u034f",
    "\ufe0f", "\u3164", "\u2800", "\U000e0020", " \u200b\t \u202e", "\ud800",
]  # fmt: skip
SIGNS = "=+-@＝＋－＠﹦﹢﹣﹫⁼₊−"


def test_a_sign_counts_in_every_width_and_after_everything_unseen() -> None:
    texts = [f"{before}{sign}1+1" for before in BEFORE for sign in SIGNS]
    assert [ascii(text) for text in texts if safe_cell(text) != f"'{text}"] == []


@pytest.mark.parametrize(
    "text", ["tea", "a=b", "1 - 2", "日本茶", "é", "", " tea", "\u202ex", "🍵", "a@b.example", 7, None]
)
def test_everything_else_stays_as_it_is(text: object) -> None:
    assert safe_cell(text) == text


@given(st.text(max_size=20))
def test_the_text_can_be_had_back(text: str) -> None:
    cell = safe_cell(text)
    assert isinstance(cell, str)
    assert (cell.removeprefix("'") if cell.startswith("'") else cell) == text
