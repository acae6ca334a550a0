"""The first section of docs/embedding.md word for word: a page of one's own reports to one's own collector."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By

from tests.collector.browser import complaints, require_browser, until
from tests.collector.live_service import live_service
from tests.documents import blocks
from tests.free_port import free_port
from tests.slow.examples.running import Example

require_browser()

PLACE = re.compile(r'<!-- here what it printed below "(.*?)" -->')


@pytest.fixture
def checkout(tmp_path: Path) -> Iterator[Example]:
    folder = tmp_path / "checkout"
    folder.mkdir()
    with live_service(folder / "hgldp-data") as service:
        yield Example(folder, service, free_port())


def printed_below(heading: str, printed: str) -> str:
    """What a reader would copy: the lines below a heading, up to an empty one."""
    (found,) = re.findall(rf"^{re.escape(heading)}:\n(.*?)\n(?:\n|\Z)", printed, re.MULTILINE | re.DOTALL)
    return str(found)


def without_token(commands: str) -> list[str]:
    """The lines of a block but those that set up its terminal, as the test has done already."""
    return [line for line in commands.splitlines() if not line.startswith((". ", "export"))]


def test_whoever_follows_the_page_sees_a_report_arrive(checkout: Example, driver: webdriver.Chrome) -> None:
    _start, create, page, serve, look, *_ = blocks("docs/embedding.md")
    assert [each.kind for each in (create, page, serve, look)] == ["sh", "html", "sh", "sh"]
    printed = checkout.run("\n".join(without_token(create.text))).stdout
    folder = checkout.folder.parent / "shop"
    html, places = PLACE.subn(lambda place: printed_below(place[1], printed), page.text)
    assert places == 2
    (folder / "index.html").write_text(html, encoding="utf-8")
    shop = Example(folder, checkout.service, checkout.port)
    with shop.serving(serve.text.strip()):
        driver.get(shop.url)
        driver.find_element(By.XPATH, "//p/button[.='mate']").click()
        panel = driver.find_element(By.TAG_NAME, "hgldp-privacy-panel").shadow_root
        until(driver, lambda _: "1 report" in panel.find_element(By.CSS_SELECTOR, "ol").text, "the panel counts it")
        assert driver.execute_async_script("hot.flush().then(arguments[0])")
        assert shop.counted(1) == 1
        until(driver, lambda _: "accepted" in panel.find_element(By.CSS_SELECTOR, "ol").text, "the panel says so")
    assert [each for each in complaints(driver) if "favicon" not in each] == []
    show, top = without_token(look.text)
    assert re.search(r"reports +1\b", shop.run(show).stdout)
    assert "1 report" in shop.run(top.removesuffix(" --watch")).stdout
