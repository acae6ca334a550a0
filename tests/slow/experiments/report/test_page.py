"""The report in a real browser, on a desk and on a phone: nothing sticks out, nothing is cut off, all can be read."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium import webdriver

from hgldp.experiments.report import as_html, gather
from hgldp.experiments.studies.registry import PICTURES
from tests.collector.browser import browser, emulate, require_browser, serious
from tests.slow.experiments.made import TINY, made_results
from tests.slow.experiments.report.measured import cut_off, smallest_text, sticking_out, unfold

require_browser()

WIDTHS = (1280, 390)
SHOWN = ("aae", "defaults", "frontier-length", "warm-up")
COMMITTED = Path(__file__).parents[4] / "docs" / "reproduction" / "report.html"
WIDE = '<div style="width:1400px">A line that is wider than the page.</div>'
LONG = f"<p>{'https://example.org/'}{'a' * 300}</p>".replace("<p>", '<p style="overflow-wrap:normal">')
CUT = '<div style="overflow:hidden;white-space:nowrap;width:5em">Words that nobody sees the end of</div>'
both_widths = pytest.mark.parametrize("width", WIDTHS)


@pytest.fixture(scope="module")
def driver() -> Iterator[webdriver.Chrome]:
    with browser() as opened:
        yield opened


@pytest.fixture(scope="module")
def page() -> str:
    """Every claim and table, and a figure of each shape."""
    return as_html(gather(made_results(TINY), [PICTURES[name] for name in SHOWN], TINY, seconds=1.0))


def show(driver: webdriver.Chrome, page: str, width: int, folder: Path) -> None:
    path = folder / "report.html"
    path.write_text(page, encoding="utf-8")
    emulate(driver, width=width)
    driver.get(path.as_uri())


@both_widths
def test_nothing_sticks_out_of_the_page_folded_or_not(
    width: int, driver: webdriver.Chrome, page: str, tmp_path: Path
) -> None:
    show(driver, page, width, tmp_path)
    assert sticking_out(driver) == []
    unfold(driver)
    assert sticking_out(driver) == []


@both_widths
def test_the_committed_report_fits_too(width: int, driver: webdriver.Chrome) -> None:
    emulate(driver, width=width)
    driver.get(COMMITTED.as_uri())
    unfold(driver)
    assert sticking_out(driver) == []
    assert cut_off(driver) == []


@both_widths
@pytest.mark.parametrize("planted", [WIDE, LONG, CUT], ids=["wide", "long word", "cut off"])
def test_a_page_that_does_not_fit_is_noticed(
    planted: str, width: int, driver: webdriver.Chrome, page: str, tmp_path: Path
) -> None:
    show(driver, page.replace("</main>", f"{planted}</main>"), width, tmp_path)
    assert sticking_out(driver)


@both_widths
def test_the_words_of_figures_are_whole_and_large_enough(
    width: int, driver: webdriver.Chrome, page: str, tmp_path: Path
) -> None:
    show(driver, page, width, tmp_path)
    assert cut_off(driver) == []
    assert smallest_text(driver) >= (9 if width == 390 else 8.5)


def test_a_figure_as_one_picture_is_too_small_for_a_phone(driver: webdriver.Chrome, page: str, tmp_path: Path) -> None:
    """Three panels side by side on 390 pixels, as the report once showed them."""
    crowded = page.replace("</style>", ".panels{grid-template-columns:1fr 1fr 1fr!important}</style>")
    show(driver, crowded, 390, tmp_path)
    assert smallest_text(driver) < 5


def test_the_page_has_no_serious_barrier(driver: webdriver.Chrome, tmp_path: Path) -> None:
    """Without figures: axe would look at each of their thousands of shapes."""
    show(driver, as_html(gather(made_results(TINY), (), TINY, seconds=1.0)), 390, tmp_path)
    unfold(driver)
    assert serious(driver) == []
