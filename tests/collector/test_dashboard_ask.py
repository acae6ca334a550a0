"""The box that asks for any item, in a browser over a real collector: with and without a script, narrow and wide."""

from collections.abc import Iterator

import httpx
import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from tests.collector.browser import browser, complaints, emulate, require_browser, until, violations
from tests.collector.live_service import NUMBERS, WORDS, Made, Service, live_service

require_browser()


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with live_service(tmp_path_factory.mktemp("data") / "folder") as running:
        yield running


@pytest.fixture(scope="module")
def numbers(service: Service) -> Made:
    made = service.create(**NUMBERS)
    for seed in range(5):
        service.upload(made, [7] * 120 + [-5] * 60 + [94] * 20, seed)
    return made


@pytest.fixture(scope="module")
def driver() -> Iterator[webdriver.Chrome]:
    with browser() as found:
        yield found


def ask(driver: webdriver.Chrome, item: str) -> str:
    """Type it, press Enter, and read what the box says then."""
    place = driver.find_element(By.ID, "ask-item")
    place.clear()
    place.send_keys(item, Keys.ENTER)
    until(driver, lambda now: now.find_elements(By.CSS_SELECTOR, ".asked, .ask .wrong"), "an answer")
    return driver.find_element(By.ID, "ask").text


@pytest.mark.parametrize("script", [True, False])
@pytest.mark.parametrize("width", [1280, 390])
def test_it_tells_the_estimate_its_interval_and_whether_it_may_be_noise(
    driver: webdriver.Chrome, service: Service, numbers: Made, width: int, *, script: bool
) -> None:
    emulate(driver, width=width, script=script)
    driver.get(f"{service.url}/tasks/{numbers.id}")
    found = ask(driver, "7")
    assert "of 1,000 reports" in found
    assert "95 % interval:" in found
    assert "ordinary item" not in found
    assert "7" not in driver.current_url.split(numbers.id)[1], "no item in an address"
    driver.get(f"{service.url}/tasks/{numbers.id}")
    assert "It does not stand out from an ordinary item." in ask(driver, "60")
    driver.get(f"{service.url}/tasks/{numbers.id}")
    assert "There is no such item among the numbers -5 … 94." in ask(driver, "95")
    assert driver.find_element(By.ID, "ask-item").get_attribute("value") == "95"
    box = driver.find_element(By.ID, "ask").rect
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= width
    emulate(driver)
    assert complaints(driver) == []


def test_the_page_goes_on_and_the_slider_works_after_a_question(
    driver: webdriver.Chrome, service: Service, numbers: Made
) -> None:
    emulate(driver)
    driver.get(f"{service.url}/tasks/{numbers.id}?window=400")
    assert "of the last" in ask(driver, "7")
    assert "window=400" in driver.current_url
    until(driver, lambda now: now.find_element(By.CSS_SELECTOR, "[data-status]").text == "Live", "live")
    slider = driver.find_element(By.ID, "epoch")
    slider.send_keys(Keys.ARROW_LEFT)
    until(driver, lambda now: "published" in now.find_element(By.ID, "epoch-shown").text, "a past epoch")
    assert driver.find_elements(By.CSS_SELECTOR, ".asked"), "the answer stays"
    assert complaints(driver) == []


def test_it_is_accessible(driver: webdriver.Chrome, service: Service, numbers: Made) -> None:
    for dark in (False, True):
        for item in ("7", "60", "nonsense"):
            emulate(driver, dark=dark)
            driver.get(f"{service.url}/tasks/{numbers.id}")
            ask(driver, item)
            assert violations(driver) == []
    assert complaints(driver) == []


def test_a_form_of_another_site_and_a_stranger_get_nothing(service: Service) -> None:
    secret = service.create(**WORDS)
    service.upload(secret, ["tea"] * 50)
    page, form = f"{service.url}/tasks/{secret.id}", {"item": "tea"}
    assert httpx.post(page, data=form, trust_env=False).status_code == 401
    admin = service.admin
    assert "of 50 reports" in httpx.post(page, data=form, headers=admin, trust_env=False).text
    for foreign in ({"sec-fetch-site": "cross-site"}, {"origin": "https://elsewhere.example"}):
        answer = httpx.post(page, data=form, headers=admin | foreign, trust_env=False)
        assert (answer.status_code, "of 50 reports" in answer.text) == (403, False)
    assert httpx.post(page, content=b"item=" + b"x" * 20_000, headers=admin, trust_env=False).status_code == 413
    assert httpx.post(page, content=b"&a=1" * 9, headers=admin, trust_env=False).status_code == 400
    hostile = httpx.post(page, data={"item": "<script>alert(1)</script>"}, headers=admin, trust_env=False)
    assert "There is no such item among 6 items." in hostile.text
    assert "<script>alert" not in hostile.text
