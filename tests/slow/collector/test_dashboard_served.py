"""The dashboard of a real collector: its own process, its own folder, real reports."""

import csv
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from io import BytesIO, StringIO
from pathlib import Path

import httpx
import pytest
from pyarrow import parquet
from selenium import webdriver
from selenium.common.exceptions import ElementNotInteractableException
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from hgldp.client import Randomizer
from hgldp.model.randomness import SeededWords
from hgldp.schemes.registry import scheme_of
from hgldp.wire.bulletin import read_bulletin
from hgldp.wire.task import read_task
from hgldp.wire.upload import Upload
from tests.collector.browser import browser, complaints, emulate, require_browser, until
from tests.free_port import free_port
from tests.patience import PATIENCE

require_browser()

ADMIN = "an admin token for the tests"
EVENTS = [7] * 300 + [21] * 150 + [3] * 50
TASK = {"name": "Pages", "scheme": "pfr", "epsilon": 4, "k": 3, "domain": {"range": [0, 50]}, "results": "public"}


class Server:
    """A collector that can be killed and started again, and clients of it."""

    def __init__(self, folder: Path) -> None:
        self.port = free_port()
        self.url, self._folder = f"http://127.0.0.1:{self.port}", folder
        self.http = httpx.Client(base_url=self.url, trust_env=False, timeout=PATIENCE)
        self._words, self._process = SeededWords(1), None

    def start(self) -> None:
        where = ["--data", str(self._folder / "data"), "--port", str(self.port)]
        command = [sys.executable, "-m", "hgldp.cli", "serve", *where]
        environment = os.environ | {"HGLDP_ADMIN_TOKEN": ADMIN}
        with (self._folder / "log").open("ab") as log:
            self._process = subprocess.Popen(command, env=environment, stdout=log, stderr=log)
        ends = time.monotonic() + PATIENCE
        while not self._is_ready():
            assert self._process.poll() is None, self.log
            assert time.monotonic() < ends, "the collector did not start"
            time.sleep(0.1)

    def _is_ready(self) -> bool:
        try:
            return self.http.get("/ready").status_code == 200
        except httpx.TransportError:
            return False

    @property
    def log(self) -> str:
        return (self._folder / "log").read_text()

    def get(self, path: str) -> dict[str, object]:
        return self.http.get(path).json()

    def end(self, sign: signal.Signals) -> int:
        self._process.send_signal(sign)
        return self._process.wait(PATIENCE)

    def create(self, **fields: object) -> dict[str, str]:
        answer = self.http.post("/v1/tasks", json=fields, headers={"authorization": f"Bearer {ADMIN}"})
        assert answer.status_code == 201, answer.text
        return answer.json()

    def seal(self, made: dict[str, str]) -> None:
        path = f"/v1/tasks/{made['id']}/seal"
        assert self.http.post(path, headers={"authorization": f"Bearer {ADMIN}"}).is_success

    def report(self, made: dict[str, str], events: list[int]) -> None:
        task = read_task(self.http.get(f"/v1/tasks/{made['id']}/document").content)
        version = self.http.get(f"/v1/tasks/{made['id']}/bulletin").json()["bulletin"]
        bulletin = read_bulletin(self.http.get(f"/v1/bulletins/{version}").content, version)
        client = Randomizer(task, 10.0, self._words)
        symbols = [client.report(event, bulletin).symbol for event in events]
        upload = Upload.of(os.urandom(16), bytes.fromhex(version), symbols, scheme_of(task).symbol_limit(bulletin))
        assert self.http.post(f"/v1/in/{made['write_key']}", content=upload.encode()).is_success


@pytest.fixture(scope="module")
def driver() -> Iterator[webdriver.Chrome]:
    with browser() as found:
        emulate(found)
        yield found


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    found = Server(tmp_path_factory.mktemp("collector"))
    found.start()
    yield found
    assert found.end(signal.SIGTERM) == 0
    assert "Traceback" not in found.log, found.log
    found.http.close()


@pytest.fixture(scope="module")
def made(server: Server) -> dict[str, str]:
    return server.create(**TASK)


def figures(driver: webdriver.Chrome) -> str:
    return driver.find_element(By.CSS_SELECTOR, ".figures").text


def items(driver: webdriver.Chrome) -> list[str]:
    script = "return [...document.querySelectorAll('.ranking tbody .item')].map(each => each.textContent)"
    return driver.execute_script(script)


def test_from_the_first_report_to_the_last_export(
    driver: webdriver.Chrome, server: Server, made: dict[str, str], tmp_path: Path
) -> None:
    """One visit. What the page must show is asked of the collector, so that no luck is involved."""
    driver.get(f"{server.url}/tasks/{made['id']}")
    until(driver, lambda now: "No reports yet" in now.page_source, "the empty state")
    for sent in (1, 2, 3):
        server.report(made, EVENTS)
        server.seal(made)
        expected = f"{500 * sent:,}"
        until(driver, lambda now, expected=expected: expected in figures(now), f"{expected} reports")
    top = [str(row["item"]) for row in server.get(f"/v1/tasks/{made['id']}/top")["top"]]
    assert len(top) == 3
    until(driver, lambda now: items(now) == top, "the top of the collector")
    epochs = server.get(f"/v1/tasks/{made['id']}/history")["epochs"]
    listed = [str(row["item"]) for epoch in epochs for row in epoch["top"]]
    lines = sum(listed.count(item) > 1 for item in top)
    until(driver, lambda now: len(now.find_elements(By.CLASS_NAME, "spark")) == lines, f"{lines} lines over epochs")
    driver.find_element(By.ID, "epoch").send_keys(Keys.HOME)
    until(driver, lambda now: "after 500 reports" in now.find_element(By.ID, "epoch-shown").text, "the first epoch")

    downloads = {"behavior": "allow", "downloadPath": str(tmp_path)}
    driver.execute_cdp_cmd("Browser.setDownloadBehavior", downloads)
    rows = {}
    for form, read in (("csv", read_csv), ("json", json.loads), ("parquet", read_parquet)):
        driver.find_element(By.LINK_TEXT, {"csv": "CSV", "json": "JSON", "parquet": "Parquet"}[form]).click()
        until(driver, lambda _, form=form: list(tmp_path.glob(f"*.{form}")), f"a download of {form}")
        rows[form] = read(next(tmp_path.glob(f"*.{form}")).read_bytes())
    assert len(rows["csv"]) == len(rows["json"]) == len(rows["parquet"]) > 0
    assert [str(row["item"]) for row in rows["json"]] == [row["item"] for row in rows["csv"]]
    assert {int(row["reports"]) for row in rows["parquet"]} == {500, 1000, 1500}
    assert complaints(driver) == []


def read_csv(data: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(StringIO(data.decode())))


def read_parquet(data: bytes) -> list[dict[str, object]]:
    return parquet.read_table(BytesIO(data)).to_pylist()


def test_killed_and_started_again_the_page_goes_on(
    driver: webdriver.Chrome, server: Server, made: dict[str, str]
) -> None:
    driver.get(f"{server.url}/tasks/{made['id']}")
    until(driver, lambda now: now.find_element(By.CSS_SELECTOR, "[data-status]").text == "Live", "live")
    before = server.http.get(f"/v1/tasks/{made['id']}/top").json()["reports"]
    server.end(signal.SIGKILL)
    banner = driver.find_element(By.CSS_SELECTOR, "[data-banner]")
    until(driver, lambda _: banner.is_displayed(), "the banner")
    server.start()
    with suppress(ElementNotInteractableException):  # the page may have come back by itself
        driver.find_element(By.CSS_SELECTOR, "[data-again]").click()
    until(driver, lambda _: not banner.is_displayed(), "recovery")
    server.report(made, EVENTS)
    until(driver, lambda now: f"{before + 500:,}" in figures(now), "every report, also those from before")
    gone_or_starting = ("ERR_", "503")
    assert all(any(each in message for each in gone_or_starting) for message in complaints(driver))


def test_a_closed_task_says_so_while_one_looks(driver: webdriver.Chrome, server: Server) -> None:
    made = server.create(**TASK | {"name": "Short-lived", "k": 2})
    driver.get(f"{server.url}/tasks/{made['id']}")
    until(driver, lambda now: now.find_element(By.CSS_SELECTOR, "[data-status]").text == "Live", "live")
    path = f"/v1/tasks/{made['id']}/close"
    assert server.http.post(path, headers={"authorization": f"Bearer {ADMIN}"}).is_success
    until(driver, lambda now: "Closed" in now.find_element(By.CSS_SELECTOR, "h1").text, "the badge")
    until(driver, lambda now: "without a single report" in now.page_source, "the reason")
    assert complaints(driver) == []
