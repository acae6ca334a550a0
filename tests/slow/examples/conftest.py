"""One collector and one copy of the example for each file of tests, and one browser."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium import webdriver

from tests.collector.browser import browser
from tests.collector.live_service import Service, live_service
from tests.slow.examples.running import Example, copied


@pytest.fixture(scope="module")
def example(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Example]:
    """The example that a file of tests is named after."""
    name = request.module.__name__.rpartition(".test_")[2]
    with live_service(Path(tmp_path_factory.mktemp("collector"))) as service:
        _compile(service)
        yield copied(name, service, Path(tmp_path_factory.mktemp("examples")))


@pytest.fixture(scope="module")
def driver() -> Iterator[webdriver.Chrome]:
    with browser() as found:
        yield found


def _compile(service: Service) -> None:
    """The first report to a collector may compile for a minute, and a command that is over soon does not wait."""
    made = service.create(name="First", scheme="pfr", epsilon=2.0, k=3, level="event", domain={"words": ["a", "b"]})
    assert service.upload(made, ["a"]).status_code == 200
    assert service.http.get(f"{made.path}/top?k=1", headers=service.admin).json()["reports"] == 1
    service.http.post(f"{made.path}/delete", json={"name": "First"}, headers=service.admin).raise_for_status()
