"""A component that reports: its reporter starts and ends with it, and no secret is in the page."""

import json
import os
from pathlib import Path

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By

from tests.collector.browser import complaints, require_browser, until
from tests.sdk.node import require_node
from tests.sdk.package import packed
from tests.slow.examples.running import EXAMPLES, Example, lines_to_start

require_browser()
require_node()
if not (EXAMPLES / "react_component" / "node_modules" / "react").is_dir() and os.environ.get("CI") != "true":
    pytest.skip("the packages of examples/react_component are not installed: make programs", allow_module_level=True)

CLEAN_UP = "return () => started.close();"
COUNT_CHANNELS = """
    window.openChannels = 0;
    window.BroadcastChannel = class extends BroadcastChannel {
        constructor(name) { super(name); window.openChannels++; }
        close() { super.close(); window.openChannels--; }
    };
"""


@pytest.fixture(scope="module")
def installed(example: Example, tmp_path_factory: pytest.TempPathFactory) -> None:
    """React and esbuild where `npm ci` put them, and the SDK as npm would pack it."""
    modules = example.folder / "node_modules"
    modules.mkdir()
    for path in (EXAMPLES / "react_component" / "node_modules").iterdir():
        if path.name != "hgldp":
            (modules / path.name).symlink_to(path)
    package, _ = packed(tmp_path_factory.mktemp("npm"))
    (modules / "hgldp").symlink_to(package)


@pytest.mark.usefixtures("installed")
def test_it_reports_while_it_is_shown_and_is_closed_with_the_component(
    example: Example, driver: webdriver.Chrome
) -> None:
    """In development React mounts everything twice, so a hook that does not clean up leaves a reporter behind."""
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
        served = script(driver)
        hidden = driver.execute_async_script("fetch('/task.json').then(({ status }) => arguments[0](status))")
        component = example.folder / "drinks.jsx"  # the next visit builds the page again, with this mistake
        told = component.read_text(encoding="utf-8")
        assert told.count(CLEAN_UP) == 1
        component.write_text(told.replace(CLEAN_UP, ""), encoding="utf-8")
        until(driver, lambda _: "started.close" not in script(driver), "it is built again")
        driver.get(example.url)
        press(driver, "tea", "taken")
        assert reporters(driver) == 2
    made = json.loads((example.folder / "task.json").read_text(encoding="utf-8"))
    assert made["write_key"] in served
    assert made["read_token"] not in served
    assert hidden == 404
    assert [each for each in complaints(driver) if "task.json" not in each and "favicon" not in each] == []


def script(driver: webdriver.Chrome) -> str:
    return str(driver.execute_async_script("fetch('/app.js').then((found) => found.text()).then(arguments[0])"))


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
