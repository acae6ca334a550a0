"""How shares are spread, in a browser over a real collector: with and without a script, narrow and wide."""

from collections.abc import Iterator

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By

from tests.collector.browser import browser, complaints, emulate, require_browser, until, violations
from tests.collector.live_service import NUMBERS, WORDS, Made, Service, live_service

require_browser()

EVENTS: list[object] = [*[7] * 120, *[-5] * 60, *[94] * 20]


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with live_service(tmp_path_factory.mktemp("data") / "folder") as running:
        yield running


@pytest.fixture(scope="module")
def numbers(service: Service) -> Made:
    made = service.create(**NUMBERS)
    for seed in range(5):
        service.upload(made, EVENTS, seed)
    return made


@pytest.fixture(scope="module")
def driver() -> Iterator[webdriver.Chrome]:
    with browser() as found:
        yield found


def show(driver: webdriver.Chrome) -> str:
    """Press the button, and read what the box says then."""
    driver.find_element(By.CSS_SELECTOR, "#distribution .button").click()
    until(driver, lambda now: now.find_elements(By.CSS_SELECTOR, ".distribution-table"), "the decades")
    return driver.find_element(By.ID, "distribution").text


@pytest.mark.parametrize("script", [True, False])
@pytest.mark.parametrize("width", [1280, 390])
def test_it_shows_the_decades_with_bars_when_asked(
    driver: webdriver.Chrome, service: Service, numbers: Made, width: int, *, script: bool
) -> None:
    emulate(driver, width=width, script=script)
    driver.get(f"{service.url}/tasks/{numbers.id}")
    assert not driver.find_elements(By.CSS_SELECTOR, ".distribution-table"), "it costs something, so not unasked"
    found = show(driver)
    assert "10 % and more" in found
    assert "below 10 %" in found
    assert "These reports do not tell how the items below 10 % divide" in found
    assert "1,000 reports" in found
    bars = driver.find_elements(By.CSS_SELECTOR, ".distribution-table .bar")
    assert len(bars) == 2
    for each in (*bars, *driver.find_elements(By.CSS_SELECTOR, ".distribution-table td, .distribution-table th")):
        assert each.rect["x"] >= 0
        assert each.rect["x"] + each.rect["width"] <= width
    assert min(bar.rect["width"] for bar in bars) > 80
    emulate(driver)
    assert complaints(driver) == []


def test_a_window_stays_and_a_window_without_an_epoch_says_so(
    driver: webdriver.Chrome, service: Service, numbers: Made
) -> None:
    emulate(driver)
    driver.get(f"{service.url}/tasks/{numbers.id}?window=400")
    assert "the last" in show(driver)
    assert "window=400" in driver.current_url
    driver.get(f"{service.url}/tasks/{numbers.id}?window=1&distribution=1")
    assert "No whole epoch fits" in driver.find_element(By.ID, "distribution").text


def test_a_hot_list_has_no_such_box(driver: webdriver.Chrome, service: Service) -> None:
    words = service.create(**{**WORDS, "results": "public"})
    service.upload(words, ["tea"] * 50)
    emulate(driver)
    for query in ("", "?distribution=1"):
        driver.get(f"{service.url}/tasks/{words.id}{query}")
        assert driver.find_elements(By.ID, "ask")
        assert not driver.find_elements(By.ID, "distribution")


def test_it_is_accessible(driver: webdriver.Chrome, service: Service, numbers: Made) -> None:
    for dark in (False, True):
        emulate(driver, dark=dark)
        driver.get(f"{service.url}/tasks/{numbers.id}?distribution=1")
        assert driver.find_elements(By.CSS_SELECTOR, ".distribution-table")
        assert violations(driver) == []
    assert complaints(driver) == []
