"""A shop: browsers report what they can, the shop reports for accounts without JavaScript, and nobody twice."""

from collections.abc import Iterator
from contextlib import contextmanager

import httpx
import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By

from tests.collector.browser import complaints, emulate, require_browser, until
from tests.patience import PATIENCE
from tests.slow.examples.running import Example, lines_to_start

require_browser()


@pytest.fixture(scope="module")
def start(example: Example) -> str:
    create, start = lines_to_start("web_shop")
    example.run(create)
    return start


def buy(driver: webdriver.Chrome, product: str) -> None:
    driver.execute_script("document.querySelector('#said').value = ''")
    driver.find_element(By.CSS_SELECTOR, f"button[value={product}]").click()
    until(driver, lambda _: driver.find_element(By.ID, "said").text == "Bought.", "it is bought")


def test_every_purchase_is_reported_once(example: Example, start: str, driver: webdriver.Chrome) -> None:
    with example.serving(start):
        driver.get(example.url)
        for product in ("lamp", "chair"):
            buy(driver, product)
        assert driver.execute_async_script("hot.flush().then(arguments[0])")
        assert example.counted(2) == 2
        assert complaints(driver) == []  # no script was refused by the policy of the page
        with without_javascript(example, "ada") as ada, without_javascript(example, "bob", gpc="1") as bob:
            for account in (ada, bob):
                assert "hgldp" in account.get("/").text
                for _ in range(2):
                    account.post("/buy", data={"product": "mirror"})
            assert "Reports so far" in ada.get("/").text
            assert "<script" not in ada.get("/").text  # a browser of the same account would have a second budget
            assert ada.post("/buy", data={"product": "a car"}).status_code == 400
        with without_javascript(example, "cyd") as cyd:
            cyd.post("/buy", data={"product": "clock", "randomised": "in the browser"})
            cyd.post("/buy", data={"product": "clock"})  # her browser reports: the shop never does
            assert "<script" in cyd.get("/").text
    assert example.counted(4) == 4  # two of the browser, two of ada: the shop sent them when it ended


@contextmanager
def without_javascript(example: Example, name: str, gpc: str = "0") -> Iterator[httpx.Client]:
    """Somebody who is signed in, and whose browser runs no script."""
    with httpx.Client(
        base_url=example.url, follow_redirects=True, headers={"sec-gpc": gpc}, timeout=PATIENCE
    ) as client:
        assert f"Signed in as {name}." in client.post("/sign-in", data={"name": name}).text
        yield client


def press(driver: webdriver.Chrome, label: str) -> None:
    """Press a button as soon as the page has it."""
    button = f"//button[.='{label}']"
    until(driver, lambda now: now.find_element(By.XPATH, button).click() is None, label)


def test_who_opts_out_is_not_reported_and_forms_work_without_scripts(
    example: Example, start: str, driver: webdriver.Chrome
) -> None:
    before = example.counted(0)
    emulate(driver, script=False)
    with example.serving(start):
        driver.get(example.url)
        driver.find_element(By.NAME, "name").send_keys("eve")
        press(driver, "Sign in")
        until(driver, lambda now: "Signed in as eve." in now.page_source, "signed in")
        press(driver, "shelf")
        until(driver, lambda now: now.current_url.endswith("?bought"), "bought")
        press(driver, "Do not report me")
        until(driver, lambda now: "Take part again" in now.page_source, "opted out")
        press(driver, "shelf")
        until(driver, lambda now: "Take part again" in now.page_source, "still opted out")
    emulate(driver)
    assert example.counted(before) == before  # the first purchase was still waiting, and was deleted
