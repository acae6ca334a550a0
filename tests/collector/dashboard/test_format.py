from unicodedata import category

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hgldp.collector.dashboard.format import HIDDEN, JOINERS, visible


@given(st.text(st.characters(exclude_categories=()), max_size=40))
def test_nothing_invisible_is_left(text: str) -> None:
    shown = visible(text)
    shown.encode()
    assert not {category(letter) for letter in shown if letter not in JOINERS} & HIDDEN


@pytest.mark.parametrize("text", ["tea", "שלום", "مرحبا", "日本語", "👩\u200d👩\u200d👧", "e\u0301", " a  b "])
def test_letters_of_all_scripts_stay_as_they_are(text: str) -> None:
    assert visible(text) == text
