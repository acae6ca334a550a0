"""Every page of a collector below a path, in a browser, through a proxy that takes the path off or does not."""

from collections.abc import Iterator

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from tests.collector.browser import browser, complaints, emulate, require_browser, until
from tests.collector.test_mounted import MOUNT, Mounted, mounted

require_browser()

__all__ = ["mounted"]


@pytest.fixture(scope="module")
def driver() -> Iterator[webdriver.Chrome]:
    with browser() as found:
        emulate(found)
        yield found


def text_of(driver: webdriver.Chrome, what: str) -> str:
    return driver.find_element(By.CSS_SELECTOR, what).text


def test_a_visit_never_leaves_the_path(driver: webdriver.Chrome, mounted: Mounted) -> None:
    driver.get(f"{mounted.proxy.url}/")
    until(driver, lambda now: text_of(now, "[data-status]") == "Live", "the overview is live")
    driver.find_element(By.LINK_TEXT, "Pages").click()
    until(driver, lambda now: text_of(now, "h1") == "Pages", "the task")
    until(driver, lambda now: text_of(now, "[data-status]") == "Live", "the task is live")
    before = text_of(driver, ".figures")
    assert mounted.service.upload(mounted.made, [3] * 10, seed=9).is_success
    until(driver, lambda now: text_of(now, ".figures") != before, "what came in since")
    driver.find_element(By.ID, "epoch").send_keys(Keys.HOME)
    until(driver, lambda now: "Epoch 0" in text_of(now, "#epoch-shown"), "the past")
    driver.find_element(By.CSS_SELECTOR, ".brand").click()
    until(driver, lambda now: text_of(now, "h1") == "Tasks", "home again")
    assert driver.current_url == f"{mounted.proxy.url}/"
    assert complaints(driver) == []
    assert mounted.proxy.strays == []
    driver.get("about:blank")


def test_a_sign_in_stays_below_the_path(driver: webdriver.Chrome, mounted: Mounted) -> None:
    driver.execute_cdp_cmd("Network.clearBrowserCookies", {})
    driver.get(f"{mounted.proxy.url}/tasks/{mounted.secret.id}")
    driver.find_element(By.ID, "token").send_keys(mounted.secret.token, Keys.ENTER)
    until(driver, lambda now: text_of(now, "h1") == "Secret", "the task")
    until(driver, lambda now: text_of(now, "[data-status]") == "Live", "its stream takes the cookie")
    assert {each["path"] for each in driver.get_cookies()} == {MOUNT}
    assert driver.current_url == f"{mounted.proxy.url}/tasks/{mounted.secret.id}"
    assert mounted.proxy.strays == []
    driver.get("about:blank")
    complaints(driver)


def test_the_example_page_reports_below_the_path(driver: webdriver.Chrome, mounted: Mounted) -> None:
    made = mounted.made
    before = mounted.service.collector.view(bytes.fromhex(made.id)).reports
    driver.get("about:blank")
    driver.get(f"{mounted.proxy.url}/sdk/example#task={made.id}&key={made.key}&maxEpsilon=3")
    until(driver, lambda now: now.find_element(By.ID, "item").is_displayed(), "the task")
    driver.find_element(By.ID, "item").send_keys("7", Keys.ENTER)
    until(driver, lambda now: "accepted" in text_of(now, "#last"), "the upload")
    assert mounted.service.collector.view(bytes.fromhex(made.id)).reports == before + 1
    driver.find_element(By.LINK_TEXT, "Playground").click()
    until(driver, lambda now: "equally likely" in text_of(now, "#conclusion"), "the playground")
    assert complaints(driver) == []
    assert mounted.proxy.strays == []
    driver.get("about:blank")
