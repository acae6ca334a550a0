from dataclasses import replace
from html.parser import HTMLParser
from importlib.resources import files

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jinja2 import UndefinedError

from hgldp.collector.dashboard import templates
from hgldp.collector.dashboard.ask_box import AskBox
from hgldp.collector.dashboard.format import visible
from hgldp.collector.dashboard.regions import Now, Where, card_region, list_region, privacy_region, task_regions
from hgldp.collector.dashboard.templates import ENVIRONMENT, region, render
from hgldp.collector.views import AskedAnswer, AskedItem, TaskTerms
from tests.collector.fake_collector import line, strings_task, view

ANY_TEXT = st.text(st.characters(exclude_categories=()), min_size=1, max_size=40)
HOSTILE = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "' onmouseover='x",
    "{{7*7}}",
    "{% for a in 'xyz' %}{{ a }}{% endfor %}",
    "{# gone #}",
    "$rows ${bar}",
    "</table></main>",
    "&lt;b&gt;",
    "\ud800",
    "a\u202eb",
)
WHERE = Where("http://127.0.0.1:8080", "")
FRAME = {"base": "", "live": "/live", "mark": "", "now": ""}
TASK = view(strings_task(), reports=9_000, epoch=2)


class Shape(HTMLParser):
    """Which tags and attributes there are, and what text stands between them and in titles."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, tuple[str, ...]]] = []
        self.text: list[str] = []
        self.titles: list[str | None] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, tuple(name for name, _ in attributes)))
        self.titles += [value for name, value in attributes if name == "title"]

    def handle_endtag(self, tag: str) -> None:
        self.tags.append((f"/{tag}", ()))

    def handle_data(self, data: str) -> None:
        self.text.append(data)


def task_page(text: str) -> str:
    """The page of a task that has this text for its only item; text that may be a name is the name, too."""
    found = replace(TASK, top=(line(text, 900.0, 10.0),))
    if text.isprintable():
        found = replace(found, terms=TaskTerms(text, "public"))
    now = Now(found, None, [{text: 0.1}, {text: 0.2}], None, None)
    regions = task_regions(now, privacy_region(found, WHERE.base), WHERE)
    return render(
        "task", title=found.terms.name, **FRAME, regions=regions, ask=AskBox("/tasks/a#ask"), distribution=None
    )


def asked_page(text: str) -> str:
    """The page of a task that was asked for this text."""
    regions = task_regions(Now(TASK, None, [], None, None), privacy_region(TASK, WHERE.base), WHERE)
    asked = AskedAnswer(None, 1, 9, 9, (AskedItem(text, 9.0, 1.0, 7.0, 11.0, 0.0, 0.0, 0, may_be_noise=True),))
    return render(
        "task", title="Task", **FRAME, regions=regions, ask=AskBox("/tasks/a#ask", text, "", asked), distribution=None
    )


def overview_page(text: str) -> str:
    found = replace(TASK, top=(line(text, 900.0, 10.0),))
    if text.isprintable():
        found = replace(found, terms=TaskTerms(text, "public"))
    tasks = list_region(["a"], {"a": card_region(found, None, None, WHERE.base)}, WHERE, all_seen=True)
    return render(
        "overview", title="Tasks", **FRAME, tasks=tasks, regions={"pages": "", "foot": ""}, sign_in_label=None
    )


@pytest.mark.parametrize("page", [task_page, asked_page, overview_page])
@given(text=ANY_TEXT)
def test_no_name_and_no_item_changes_the_shape_of_a_page(page, text: str) -> None:
    found = Shape(page(text))
    assert found.tags == Shape(page("tea")).tags
    assert visible(text) in "".join(found.text)
    assert visible(text) in found.titles


@pytest.mark.parametrize("page", [task_page, asked_page, overview_page])
@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_names_and_items_are_shown_and_nothing_more(page, text: str) -> None:
    test_no_name_and_no_item_changes_the_shape_of_a_page.hypothesis.inner_test(page, text)
    assert "49" not in "".join(Shape(page("{{7*7}}")).text)
    page(text).encode()


def shape_holds_for_all_hostile_texts(page) -> None:
    for text in HOSTILE:
        test_no_name_and_no_item_changes_the_shape_of_a_page.hypothesis.inner_test(page, text)


@pytest.mark.parametrize("fault", [{"autoescape": False}, {"finalize": None}])
def test_a_template_that_did_not_escape_would_be_found(
    monkeypatch: pytest.MonkeyPatch, fault: dict[str, object]
) -> None:
    """The planted bugs: values as they come, and letters that nobody sees."""
    faulty = ENVIRONMENT.overlay(**fault)
    monkeypatch.setattr(templates, "REGIONS", faulty.get_template("regions.html").module)
    with pytest.raises(AssertionError):
        shape_holds_for_all_hostile_texts(task_page)
    monkeypatch.setattr(templates, "ENVIRONMENT", faulty)
    with pytest.raises(AssertionError):
        shape_holds_for_all_hostile_texts(asked_page)


def test_html_is_escaped_once() -> None:
    item = ENVIRONMENT.get_template("macros.html").module.item("<")
    assert item == '<bdi dir="auto" title="&lt;">&lt;</bdi>'
    assert ENVIRONMENT.from_string("{{ item }}").render(item=item) == item


def test_a_missing_and_a_needless_value_are_bugs() -> None:
    with pytest.raises(UndefinedError, match="view"):
        region("head")
    with pytest.raises(TypeError, match="head"):
        region("head", TASK, "green")
    with pytest.raises(UndefinedError, match="reason"):
        render("message", title="Nothing here", **FRAME, sign_in_label=None)


def test_indentation_does_not_reach_the_page() -> None:
    loop = "<ul>\n  {% for n in (1, 2) %}\n  <li>\n    <b>{{ n }}</b>\n    and text\n  </li>\n  {% endfor %}\n</ul>"
    assert ENVIRONMENT.from_string(loop).render() == (
        "<ul><li><b>1</b>\n    and text\n  </li><li><b>2</b>\n    and text\n  </li></ul>"
    )


def test_an_example_keeps_its_lines() -> None:
    example = region("no_report_yet", replace(TASK, reports=0), "http://127.0.0.1:8080")
    assert '\n\nwith Reporter(\n    "http://127.0.0.1:8080",\n' in example


def test_no_template_runs_or_styles_anything_inline_or_names_another_host() -> None:
    found = [file for file in files(templates).iterdir() if file.name.endswith(".html")]
    assert len(found) == 7
    for file in found:
        text = file.read_text(encoding="utf-8")
        assert "style=" not in text
        assert " on" + "click" not in text
        assert "//" not in text.replace("</", "")
