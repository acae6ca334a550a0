"""One string a line: verbatim, counted exactly, and what is no text is no reason to stop."""

from collections import Counter
from io import BytesIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hgldp.errors import MalformedLine
from hgldp.model.domain import StringDomain
from hgldp.sources.texts import MOST_LINE_BYTES, read_lines

LINES = st.text(st.characters(exclude_characters="\r\n\ufeff", exclude_categories=["Cs"]), max_size=9)


@given(st.lists(LINES, max_size=30), st.sampled_from(["\n", "\r\n"]), st.booleans())
def test_every_line_comes_back_verbatim_and_empty_ones_are_no_events(
    lines: list[str], ending: str, ended: bool
) -> None:
    data = ending.join(lines) + (ending if ended else "")
    items, labels = read_lines(BytesIO(data.encode()), "words.txt")
    assert [labels[item] for item in items] == [line for line in lines if line]
    assert labels == sorted(set(labels))
    assert Counter(items.tolist()).keys() == set(range(len(labels)))


def test_a_byte_order_mark_is_no_part_of_the_first_string() -> None:
    _, labels = read_lines(BytesIO("\ufefftea\ncoffee".encode()), "words.txt")
    assert labels == ["coffee", "tea"]


def test_bytes_that_are_no_text_are_events_without_a_code() -> None:
    items, labels = read_lines(BytesIO(b"tea\n\xff\xfe\ntea\n\xff\xfe\n"), "words.txt")
    assert items.tolist() == [0, 1, 0, 1]
    assert [StringDomain().code(label) for label in labels] == [b"tea\0", None]


def test_a_line_without_end_is_refused_by_its_number_and_not_read_to_its_end() -> None:
    endless = BytesIO(b"tea\n" + b"x" * (3 * MOST_LINE_BYTES))
    with pytest.raises(MalformedLine, match=r"words.txt, line 2: .* at most 1048576 bytes$"):
        read_lines(endless, "words.txt")
    assert endless.tell() < 2 * MOST_LINE_BYTES
