"""The reports hold everything, stand alone, and hide nothing that broke."""

import csv
import re
from html.parser import HTMLParser
from io import StringIO
from pathlib import Path

import pytest

from hgldp.experiments.report.content import WHO, Content, gather
from hgldp.experiments.report.heading import HEADING, TITLE
from hgldp.experiments.report.html import as_html
from hgldp.experiments.report.html.claims import anchor
from hgldp.experiments.report.html.figures import inlined
from hgldp.experiments.report.html.page import SHORT
from hgldp.experiments.report.markdown import as_markdown
from hgldp.experiments.reproduce import write
from hgldp.experiments.results import Results, Row
from hgldp.experiments.studies.registry import CLAIMS, FINDINGS, PICTURES, SWEEPS, TABLES
from hgldp.experiments.studies.study import Topic
from tests.slow.experiments.made import TINY, made_results

SHOWN = ("mechanisms", "epochs")
PLANTED = "ValueError: planted <b>&"


class Names(HTMLParser):
    """Every id and every reference of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.references: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name == "id":
                self.ids.append(value or "")
            elif name in {"href", "xlink:href", "src"}:
                self.references.append(value or "")
            else:
                self.references += re.findall(r"url\((#[^)]+)\)", value or "")


@pytest.fixture(scope="module")
def results() -> Results:
    """Everything of the tiny scale, one measurement broken."""
    rows = list(made_results(TINY).rows)
    broken = next(place for place, row in enumerate(rows) if row.measurement.scheme == "cyclic")
    rows[broken] = Row(rows[broken].measurement, failure=PLANTED)
    return Results.of(rows)


@pytest.fixture(scope="module")
def content(results: Results) -> Content:
    return gather(results, [PICTURES[name] for name in SHOWN], TINY, seconds=12.0)


def test_every_claim_has_a_verdict_in_both_reports(content: Content) -> None:
    page, text = as_html(content), as_markdown(content)
    assert [claim.id for claim in content.claims] == [claim.id for claim in CLAIMS]
    verdicts = sum(len(claim.verdicts) for claim in content.claims)
    assert all(f"at the scale {TINY.name} has " in report for report in (page, text))
    assert text.count("**holds**") + text.count("**does not hold**") + text.count("**cannot be judged**") == verdicts
    assert len(re.findall(r"<b class=(?:holds|fails|open)>", page)) == verdicts
    assert (
        sum(content.count(who, holds) for who in ("ours", "authors' code") for holds in (True, False, None)) == verdicts
    )


def test_every_table_finding_and_setting_is_there(content: Content) -> None:
    page, text = as_html(content), as_markdown(content)
    for title in (*(table.title for table in TABLES), *(finding.title for finding in FINDINGS)):
        assert title in text
    assert all(f'id="table-{table.name}"' in page for table in TABLES)
    for wanted in ("numpy", "Python", "processor", "seeds", TINY.synthetics[0], "retail, kosarak, webdocs"):
        assert wanted in page.replace("<wbr>", "")
        assert wanted in text


def test_no_setting_is_left_blank(content: Content) -> None:
    assert all(value and not value.startswith(",") for _, value in content.settings)


def test_the_page_needs_nothing_else_and_every_link_leads_somewhere(content: Content) -> None:
    names = Names()
    names.feed(as_html(content))
    assert len(names.ids) == len(set(names.ids))
    assert names.references
    assert all(reference.startswith("#") for reference in names.references)
    assert {reference.removeprefix("#") for reference in names.references} <= set(names.ids)


def test_a_number_and_its_error_stay_on_one_line(content: Content) -> None:
    page = as_html(content)
    cells = re.findall(r"<(?:td|p)[^>]*>([^<]*±[^<]*)</(?:td|p)>", page)
    assert any("&nbsp;±&nbsp;" in cell for cell in cells)
    assert not any(" ± " in cell for cell in cells)


def test_figures_in_one_page_do_not_share_names() -> None:
    body = '<defs id="a"/><use xlink:href="#a" clip-path="url(#a)"/>'
    assert inlined(body, "x") == '<defs id="x-a"/><use xlink:href="#x-a" clip-path="url(#x-a)"/>'


def test_both_reports_name_the_paper_and_its_authors_and_begin_with_ten_lines(content: Content) -> None:
    page, text = as_html(content), as_markdown(content)
    for wanted in ("Li et al.", "Heavy Hitter Detection in Data Streams with Bounded Memory", "Xiaochen Li", "Kui Ren"):
        assert wanted in page
        assert wanted in text
    assert f"<title>{HEADING}: {TITLE}</title>" in page
    found = page[page.index('id="found"') : page.index("</ol>", page.index('id="found"'))]
    assert found.count("<li>") == len(content.found) == 10
    assert all(f"{number}. {line}" in text for number, line in enumerate(content.found, start=1))


def test_figures_come_before_claims_and_claims_before_tables(content: Content) -> None:
    page, text = as_html(content), as_markdown(content)
    order = ("found", "figures", "claims", "tables", "settings")
    assert sorted(order, key=lambda name: page.index(f'<section id="{name}">')) == list(order)
    titles = ("## What was found", "## Figures", "## The paper's claims", "## Tables", "## Settings")
    assert sorted(titles, key=text.index) == list(titles)


def test_claims_stand_in_groups_whose_counts_add_up(content: Content) -> None:
    page = as_html(content)
    assert [claim.id for group in content.groups for claim in group.claims] == [
        claim.id for claim in sorted(content.claims, key=lambda claim: list(Topic).index(claim.topic))
    ]
    for who in WHO.values():
        sums = tuple(map(sum, zip(*(group.counts(who) for group in content.groups), strict=True)))
        assert sums == tuple(content.count(who, holds) for holds in (True, False, None))
    group = content.groups[0]
    section = page[page.index(f'<section id="{anchor(group)}">') :]
    held, fell, unknown = group.counts("ours")
    assert f"ours: {held} held, {fell} did not hold, {unknown} not judged" in section[:300]
    assert section[: section.index("</section>")].count("<article") == len(group.claims)


def test_long_tables_are_folded_and_short_ones_are_not(content: Content) -> None:
    page = as_html(content)
    for table in content.tables:
        unfolded = f'id="table-{table.name}" open>' in page
        assert unfolded == (len(table.rows) <= SHORT)
    assert {len(table.rows) <= SHORT for table in content.tables} == {True, False}


def test_a_broken_measurement_is_named_and_its_figure_says_so(content: Content) -> None:
    page, text = as_html(content), as_markdown(content)
    assert len(content.failures) == 1
    assert "cyclic on normal:n=2000,d=1000,sigma=5" in content.failures[0]
    assert "ValueError: planted &lt;b&gt;&amp;" in page
    assert PLANTED in text
    broken = {figure.picture.name: figure.failure for figure in content.figures}
    assert broken == {"mechanisms": "1 of its measurements failed and are missing from it", "epochs": ""}
    assert "Broken: 1 of its measurements failed" in page


def test_a_figure_without_any_result_says_so_instead_of_failing(results: Results) -> None:
    nothing = results.where(scheme="bgr", stream="nowhere")
    content = gather(nothing, [PICTURES["mechanisms"]], TINY, seconds=0.0)
    assert content.figures[0].svg == ""
    assert "nothing to draw" in as_html(content)
    assert all(verdict[1] is None for claim in content.claims for verdict in claim.verdicts)


def test_a_spreadsheet_has_every_run_with_its_settings(results: Results) -> None:
    mine = results.among(SWEEPS["epochs"].measurements(TINY))
    rows = list(csv.DictReader(StringIO(mine.csv)))
    assert len(rows) == len(mine)
    assert {row["epoch"] for row in rows} == {"1", "2", "3", "6", "20"}
    assert rows[0]["ndcg"] == f"{mine.rows[0].values['ndcg']:.7g}"


def test_everything_is_written(content: Content, results: Results, tmp_path: Path) -> None:
    write(content, results, {"epochs": SWEEPS["epochs"].measurements(TINY)}, tmp_path)
    written = {file.relative_to(tmp_path).as_posix() for file in tmp_path.rglob("*.*")}
    figures = {f"figures/{name}.svg" for name in SHOWN}
    assert written == {"report.html", "report.md", "data/epochs.csv", *figures}
    images = re.findall(r"\]\((figures/[^)]+)\)", (tmp_path / "report.md").read_text(encoding="utf-8"))
    assert set(images) == figures
