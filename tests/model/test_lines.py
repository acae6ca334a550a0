"""Lines are found as a dictionary would find them, whatever their checksums."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hgldp.model import lines as model
from hgldp.model.lines import Lines

TEXTS = st.lists(st.text(st.characters(exclude_characters="\n", exclude_categories=["Cs"]), max_size=3), max_size=80)


def lines_of(texts: list[str]) -> Lines:
    return Lines("".join(f"{text}\n" for text in texts).encode())


@given(TEXTS)
def test_they_are_those_of_the_text(texts: list[str]) -> None:
    lines = lines_of(texts)
    assert list(lines) == texts
    assert [lines[number] for number in range(-len(texts), len(texts))] == texts * 2
    assert lines[1:3] == tuple(texts[1:3])
    assert len(lines) == len(texts)
    first: dict[str, int] = {}
    again = [(number, first[text]) for number, text in enumerate(texts) if first.setdefault(text, number) != number]
    assert lines.repeated == (again[0] if again else None)


@given(
    st.sets(st.text(st.characters(exclude_characters="\n", exclude_categories=["Cs"]), max_size=3)), st.text(max_size=3)
)
def test_each_is_found_and_no_other_text_is(texts: set[str], other: str) -> None:
    lines = lines_of(list(texts))
    assert [lines.find(text.encode()) for text in lines] == list(range(len(texts)))
    assert (other in lines) == (other in texts)


def test_what_is_not_there() -> None:
    assert "\ud800" not in lines_of(["tea"])
    with pytest.raises(IndexError):
        lines_of(["tea"])[1]


def test_lines_that_were_made_to_have_one_checksum_are_found_as_quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[int] = []
    honest = Lines.line
    monkeypatch.setattr(model, "crc32", lambda _: 7)
    lines = lines_of([f"string {number}" for number in range(10_000)])
    monkeypatch.setattr(Lines, "line", lambda self, number: (looked.append(number), honest(self, number))[1])
    assert lines.find(b"string 1234") == 1234
    assert lines.find(b"milk") is None
    assert len(looked) <= 2 * 16
