"""One browser and one collector for all of these tests: starting both takes three seconds."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium import webdriver

from tests.collector.browser import browser
from tests.collector.live_service import Service, live_service
from tests.sdk.site import built
from tests.sdk.visit import Visit, visiting


@pytest.fixture(scope="session")
def driver() -> Iterator[webdriver.Chrome]:
    with browser() as found:
        yield found


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with live_service(Path(tmp_path_factory.mktemp("collector"))) as found:
        yield found


@pytest.fixture
def script(request: pytest.FixtureRequest) -> str:
    """Which of the built files the site loads."""
    return str(getattr(request, "param", "hgldp-all.js"))


@pytest.fixture
def visit(driver: webdriver.Chrome, service: Service, script: str) -> Iterator[Visit]:
    with visiting(driver, service, built(script)) as found:
        yield found
