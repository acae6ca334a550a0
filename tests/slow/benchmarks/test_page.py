from pathlib import Path

import pytest

from benchmarks.page import PagePart
from hgldp.errors import InvalidField

PART = PagePart("hints")


def test_what_people_wrote_stays(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("a\n<!-- hints: begin -->\nold\n<!-- hints: end -->\nb\n", encoding="utf-8")
    PART.paste(page, "new")
    assert page.read_text(encoding="utf-8") == "a\n<!-- hints: begin -->\n\nnew\n\n<!-- hints: end -->\nb\n"


@pytest.mark.parametrize(
    "text", ["no marks", "only <!-- hints: begin -->", "<!-- hints: end --> <!-- hints: begin -->"]
)
def test_a_page_without_both_marks_is_refused_and_left_alone(tmp_path: Path, text: str) -> None:
    page = tmp_path / "page.md"
    page.write_text(text, encoding="utf-8")
    with pytest.raises(InvalidField, match="--paste must be a page with"):
        PART.paste(page, "new")
    assert page.read_text(encoding="utf-8") == text


def test_no_page_is_an_error_in_words(tmp_path: Path) -> None:
    with pytest.raises(InvalidField, match="must be a readable page"):
        PART.around(tmp_path / "page.md")
