"""A real browser without a window: Chromium and its driver where the system has them, never downloaded from here."""

import os
import shlex
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from axe_selenium_python import Axe
from selenium import webdriver
from selenium.common.exceptions import NoSuchElementException, StaleElementReferenceException
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.support.ui import WebDriverWait

from tests.ending import ends_with_us
from tests.patience import PATIENCE

FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--force-color-profile=srgb",
)
CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")


def require_browser() -> None:
    """Skip the file that calls this where there is no browser; on CI its absence is a failure."""
    if not (CHROMIUM and DRIVER) and os.environ.get("CI") != "true":
        pytest.skip("chromium and chromedriver are not installed: make programs", allow_module_level=True)


class PatientService(Service):
    """Chromium's driver, which ends with us."""

    def __init__(self) -> None:
        self._words = [*ends_with_us("KILL"), str(DRIVER)]
        super().__init__(executable_path=self._words[0])

    def command_line_args(self) -> list[str]:
        return [*self._words[1:], *super().command_line_args()]


class PatientChrome(webdriver.Chrome):
    """Waits for an answer of its driver longer than the driver waits for the page."""

    def start_session(self, capabilities: dict[str, Any]) -> None:
        self.command_executor.client_config.timeout = 2 * PATIENCE
        super().start_session(capabilities)


@contextmanager
def browser() -> Iterator[webdriver.Chrome]:
    """A browser with an empty profile of its own."""
    if not CHROMIUM or not DRIVER:
        raise FileNotFoundError("chromium and chromedriver must be installed on CI: make programs")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        options = Options()
        options.binary_location = str(_ending_with_its_driver(Path(profile)))
        for flag in (*FLAGS, f"--user-data-dir={profile}"):
            options.add_argument(flag)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        options.add_experimental_option("browserStartupTimeout", int(1000 * PATIENCE))
        driver = PatientChrome(options, PatientService())
        try:
            driver.set_page_load_timeout(PATIENCE)
            driver.set_script_timeout(PATIENCE)
            yield driver
        finally:
            driver.quit()


def _ending_with_its_driver(folder: Path) -> Path:
    """A program that is Chromium, for a driver that takes one word."""
    found = folder / "chromium"
    found.write_text(f'#!/bin/sh\nexec {shlex.join([*ends_with_us("KILL"), str(CHROMIUM)])} "$@"\n')
    found.chmod(0o700)
    return found


def emulate(
    driver: webdriver.Chrome, *, width: int = 1280, dark: bool = False, calm: bool = False, script: bool = True
) -> None:
    """Another screen, another taste, or no script."""
    metrics = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 500}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
    motion = {"name": "prefers-reduced-motion", "value": "reduce" if calm else "no-preference"}
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [scheme, motion]})
    driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": not script})


def until(driver: webdriver.Chrome, condition: Callable[[webdriver.Chrome], object], what: str) -> None:
    """Wait for something that is to come by itself, on this page or on the one that replaces it."""
    gone = (NoSuchElementException, StaleElementReferenceException)
    WebDriverWait(driver, PATIENCE, poll_frequency=0.05, ignored_exceptions=gone).until(condition, what)


def violations(driver: webdriver.Chrome) -> list[dict[str, Any]]:
    """What axe finds wrong with the page. It is not asked for all that is right: that takes it twice as long."""
    axe = Axe(driver)
    axe.inject()
    found: list[dict[str, Any]] = axe.run(options={"resultTypes": ["violations"]})["violations"]
    return found


def serious(driver: webdriver.Chrome) -> list[str]:
    """The serious ones, in words."""
    return [_told(each) for each in violations(driver) if each["impact"] in ("serious", "critical")]


def _told(violation: dict[str, Any]) -> str:
    places = [node["target"] for node in violation["nodes"]]
    return f"{violation['id']}: {violation['help']}, at {places}"


def is_wider_than_the_screen(driver: webdriver.Chrome) -> bool:
    """A phone zooms out until all fits, and innerWidth grows with it; clientWidth does not."""
    widths = "const {scrollWidth, clientWidth} = document.documentElement; return scrollWidth > clientWidth"
    return bool(driver.execute_script(widths))


def complaints(driver: webdriver.Chrome) -> list[str]:
    """What the console holds: errors, warnings, refused loads."""
    return [entry["message"] for entry in driver.get_log("browser") if entry["level"] in ("SEVERE", "WARNING")]
