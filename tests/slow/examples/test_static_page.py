"""A page from `python -m http.server`: what is pressed is counted, and the panel shows it."""

import re

from selenium import webdriver
from selenium.webdriver.common.by import By

from tests.collector.browser import complaints, require_browser, until
from tests.slow.examples.running import EXAMPLES, Example, lines_to_start

require_browser()


def test_what_is_pressed_is_counted_and_shown(example: Example, driver: webdriver.Chrome) -> None:
    create, start = lines_to_start("static_page")
    example.run(create)
    with example.serving(start):
        driver.get(f"{example.url}/index.html")
        buttons = driver.find_elements(By.CSS_SELECTOR, "#dishes button")
        for button in buttons[:3]:
            button.click()
            until(driver, lambda _: outcome(driver) == "taken", "it is taken")
        driver.find_element(By.ID, "send").click()
        until(driver, lambda _: outcome(driver) == "sent", "it is sent")
        assert example.counted(3) == 3
        panel = driver.find_element(By.TAG_NAME, "hgldp-privacy-panel").shadow_root
        until(driver, lambda _: "3 reports" in panel.find_element(By.CSS_SELECTOR, "dl").text, "the panel shows them")
        panel.find_element(By.CSS_SELECTOR, ".switch").click()
        buttons[0].click()
        until(driver, lambda _: outcome(driver) == "opted out", "it is stopped")
    assert [each for each in complaints(driver) if "favicon" not in each] == []


def test_without_a_collector_the_page_still_works(example: Example, driver: webdriver.Chrome) -> None:
    create, start = lines_to_start("static_page")
    example.run(create.replace("--k 3", "--k 4"))
    page = example.folder / "index.html"
    page.write_text(re.sub(r"http://127\.0\.0\.1:\d+", "http://127.0.0.1:9", page.read_text()))
    with example.serving(start):
        driver.get(f"{example.url}/index.html")
        driver.find_element(By.CSS_SELECTOR, "#dishes button").click()
        until(driver, lambda _: outcome(driver) == "the script is not here", "it says so")
    wrong = [each for each in complaints(driver) if "favicon" not in each]
    assert wrong
    assert all("ERR_" in each for each in wrong), wrong


def outcome(driver: webdriver.Chrome) -> str:
    return driver.find_element(By.ID, "outcome").text


def test_the_page_has_a_button_for_each_dish_of_the_task() -> None:
    page = (EXAMPLES / "static_page" / "page.html").read_text(encoding="utf-8")
    dishes = (EXAMPLES / "static_page" / "dishes.txt").read_text(encoding="utf-8").split()
    assert re.findall(r"<button>(\w+)</button>", page) == dishes
