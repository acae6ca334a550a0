"""A component that reports: its reporter starts and ends with it, and no secret is in the page."""

import json
import os
from pathlib import Path

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By

from tests.collector.browser import complaints, require_browser, until
from tests.examples.running import EXAMPLES, Example, lines_to_start
from tests.sdk.node import SDK, require_node

require_browser()
require_node()
if not (EXAMPLES / "react_component" / "node_modules" / "react").is_dir() and os.environ.get("CI") != "true":
    pytest.skip("the packages of examples/react_component are not installed: make node", allow_module_level=True)
if not (SDK / "dist" / "panel.mjs").is_file() and os.environ.get("CI") != "true":
    pytest.skip("the SDK is not built: make sdk", allow_module_level=True)

COUNT_CHANNELS = """
    window.openChannels = 0;
    window.BroadcastChannel = class extends BroadcastChannel {
        constructor(name) { super(name); window.openChannels++; }
        close() { super.close(); window.openChannels--; }
    };
"""


def test_it_reports_while_it_is_shown_and_is_closed_with_the_component(
    example: Example, driver: webdriver.Chrome
) -> None:
    """In development React mounts everything twice, so a hook that did not clean up would leave a reporter behind."""
    create, start = lines_to_start("react_component")
    example.run(create)
    driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": COUNT_CHANNELS})
    with example.serving(start):
        driver.get(example.url)
        press(driver, "tea", "taken")
        assert reporters(driver) == 1
        press(driver, "Send now", "sent")
        assert example.counted(1) == 1
        button(driver, "Leave").click()
        until(driver, lambda _: reporters(driver) == 0, "the reporter is closed")
        button(driver, "Come back").click()
        press(driver, "coffee", "taken")
        press(driver, "Send now", "sent")
        assert example.counted(2) == 2
        panel = driver.find_element(By.TAG_NAME, "hgldp-privacy-panel").shadow_root
        until(driver, lambda _: "2 reports" in panel.find_element(By.CSS_SELECTOR, "dl").text, "the panel shows them")
        served = driver.execute_async_script("fetch('/app.js').then((found) => found.text()).then(arguments[0])")
        hidden = driver.execute_async_script("fetch('/task.json').then(({ status }) => arguments[0](status))")
    made = json.loads((example.folder / "task.json").read_text(encoding="utf-8"))
    assert made["write_key"] in served
    assert made["read_token"] not in served
    assert hidden == 404
    assert [each for each in complaints(driver) if "task.json" not in each and "favicon" not in each] == []


def reporters(driver: webdriver.Chrome) -> int:
    return int(driver.execute_script("return window.openChannels"))


def button(driver: webdriver.Chrome, text: str) -> webdriver.remote.webelement.WebElement:
    until(driver, lambda _: driver.find_elements(By.XPATH, f"//button[.='{text}']"), text)
    return driver.find_element(By.XPATH, f"//button[.='{text}']")


def press(driver: webdriver.Chrome, text: str, said: str) -> None:
    button(driver, text).click()
    until(driver, lambda _: driver.find_element(By.TAG_NAME, "output").text == said, f"{text}: {said}")


def test_the_lock_file_names_no_download_address() -> None:
    lock = json.loads(Path(EXAMPLES / "react_component" / "package-lock.json").read_text(encoding="utf-8"))
    resolved = {each["resolved"] for each in lock["packages"].values() if "resolved" in each}
    assert resolved == {"../../sdk"}
    package = json.loads(Path(EXAMPLES / "react_component" / "package.json").read_text(encoding="utf-8"))
    pinned = {each.replace(".", "").isdigit() for name, each in package["devDependencies"].items() if name != "hgldp"}
    assert pinned == {True}
