from html.parser import HTMLParser
from importlib.resources import files
from unicodedata import category

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hgldp.collector.dashboard import markup
from hgldp.collector.dashboard.markup import Html, fill, html
from hgldp.collector.dashboard.ranking import ranking
from hgldp.collector.dashboard.visible import HIDDEN, JOINERS, visible
from tests.collector.fake_collector import line

ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=40)
HOSTILE = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "' onmouseover='x",
    "$rows ${bar}",
    "</table></main>",
    "&lt;b&gt;",
    "\ud800",
    "a\u202eb",
)


class Shape(HTMLParser):
    """Which tags and attributes there are, and what text stands between them."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, tuple[str, ...]]] = []
        self.text: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, tuple(name for name, _ in attributes)))

    def handle_endtag(self, tag: str) -> None:
        self.tags.append((f"/{tag}", ()))

    def handle_data(self, data: str) -> None:
        self.text.append(data)


def shape_with(item: str) -> Shape:
    return Shape(ranking([line(item, 100.0, 10.0)], [{item: 0.1}, {item: 0.2}], "The best", ""))


@given(ANY_TEXT.filter(bool))
def test_no_item_changes_the_shape_of_the_page(item: str) -> None:
    found = shape_with(item)
    assert found.tags == shape_with("tea").tags
    assert visible(item) in "".join(found.text)


@pytest.mark.parametrize("item", HOSTILE)
def test_hostile_items_are_shown_and_nothing_more(item: str) -> None:
    test_no_item_changes_the_shape_of_the_page.hypothesis.inner_test(item)
    fill("item", item=item).encode()


def test_a_template_that_did_not_escape_would_be_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The planted bug: values as they come."""
    monkeypatch.setattr(markup, "html", Html)
    assert shape_with(HOSTILE[0]).tags != shape_with("tea").tags


def test_html_is_escaped_once() -> None:
    assert html(fill("item", item="<")) == '<bdi dir="auto" title="&lt;">&lt;</bdi>'


def test_a_missing_and_a_needless_value_are_bugs() -> None:
    with pytest.raises(KeyError, match="item"):
        fill("item")
    with pytest.raises(KeyError, match="colour"):
        fill("item", item="tea", colour="green")


@given(ANY_TEXT)
def test_nothing_invisible_is_left(text: str) -> None:
    shown = visible(text)
    shown.encode()
    assert not {category(letter) for letter in shown if letter not in JOINERS} & HIDDEN


@pytest.mark.parametrize("text", ["tea", "שלום", "مرحبا", "日本語", "👩\u200d👩\u200d👧", "e\u0301", " a  b "])
def test_letters_of_all_scripts_stay_as_they_are(text: str) -> None:
    assert visible(text) == text


def test_no_template_runs_or_styles_anything_inline_or_names_another_host() -> None:
    for file in files("hgldp.collector.dashboard").joinpath("templates").iterdir():
        text = file.read_text(encoding="utf-8")
        assert "style=" not in text
        assert " on" + "click" not in text
        assert "//" not in text.replace("</", "")
