"""A browser on a site that reports to a real collector, with a recorder in between."""

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from itertools import count
from typing import Any

from selenium import webdriver
from selenium.common.exceptions import WebDriverException

from tests.collector.live_service import Made, Service
from tests.patience import PATIENCE
from tests.sdk.recorder import Answered, Asked, Recorder, recording
from tests.sdk.site import site

CLOCK = """
{
    const [date, ticks] = [Date.now.bind(Date), performance.now.bind(performance)];
    const milliseconds = (name) => 1000 * (sessionStorage[name] ?? 0);
    Date.now = () => date() + milliseconds("shift") + milliseconds("wrong");
    performance.now = () => ticks() + milliseconds("shift");
}
"""
_memories = count(20_000)
DRINKS: dict[str, Any] = {
    "name": "Drinks", "scheme": "pfr", "epsilon": 2.0, "level": "event", "k": 2, "cells": 12,
    "domain": {"words": ["tea", "coffee", "mate", "juice", "milk", "water"]},
}  # fmt: skip


class Tab:
    """One window of a browser, with a reporter in it."""

    def __init__(self, driver: webdriver.Chrome, url: str) -> None:
        driver.switch_to.new_window("tab")
        self.driver, self.handle = driver, driver.current_window_handle
        driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": CLOCK})
        driver.get(url)

    def later(self, seconds: float) -> None:
        """Let time pass, for this page and for the next one of this tab."""
        self.here().execute_script("sessionStorage.shift = +(sessionStorage.shift ?? 0) + arguments[0]", seconds)

    def set_date(self, seconds: float) -> None:
        """Set the device's date so many seconds ahead of the right one, or behind it."""
        self.here().execute_script("sessionStorage.wrong = arguments[0]", seconds)

    def here(self) -> webdriver.Chrome:
        if self.driver.current_window_handle != self.handle:
            self.driver.switch_to.window(self.handle)
        return self.driver

    def start(self, **options: Any) -> None:
        """Make the reporter; the options are those of the script."""
        self.here().execute_script("window.hot = new hgldp.Reporter(arguments[0])", options)

    def report(self, *items: Any) -> list[str]:
        """Hand over items in one go; the outcomes."""
        found: list[str] = self.here().execute_script(
            "return arguments[0].map((item) => hot.report(item))", list(items)
        )
        return found

    def flush(self) -> bool:
        return bool(self.awaited("hot.flush()"))

    def explain(self) -> dict[str, Any]:
        plain = "({...all, uploads: all.uploads.map((one) => ({...one, bytes: [...one.bytes]}))})"
        found: dict[str, Any] = self.awaited(f"hot.explain().then((all) => {plain})")
        return found

    def until_sent(self) -> dict[str, Any]:
        """Wait until nothing is left in the queue; what the ledger says then."""
        end = time.monotonic() + PATIENCE
        while not (self.flush() and all(one["status"] for one in self.explain()["uploads"])):
            assert time.monotonic() < end, {name: value for name, value in self.explain().items() if name != "uploads"}
            time.sleep(0.2)
        return self.explain()

    def opt_out(self) -> None:
        self.awaited("hot.optOut()")

    def opt_in(self) -> None:
        self.awaited("hot.optIn()")

    def offline(self, *, on: bool) -> None:
        """Take the network away from this tab, or give it back."""
        self.here().execute_cdp_cmd("Network.enable", {})
        speed = {"latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
        self.driver.execute_cdp_cmd("Network.emulateNetworkConditions", {"offline": on, **speed})

    def databases(self) -> list[str]:
        """The databases of the site."""
        found: list[str] = self.awaited("indexedDB.databases().then((all) => all.map((one) => one.name))")
        return found

    def kept(self) -> list[str]:
        """The keys of what the reporters keep: "site" is what all share, a hash a document, a list an upload."""
        opened = "new Promise((found) => { const r = indexedDB.open(name); r.onsuccess = () => found(r.result) })"
        keys = "new Promise((found) => { const r = db.transaction('records').objectStore('records').getAllKeys();"
        script = (
            f"(async (name) => {{ const db = await {opened}; return {keys} r.onsuccess = () => found(r.result) }}) }})"
        )
        found: list[str] = self.awaited(f"{script}('{self.databases()[0]}')")
        return found

    def awaited(self, promise: str) -> Any:
        """What a promise comes to."""
        script = f"const done = arguments[0]; {promise}.then(done, (wrong) => done('failed: ' + wrong))"
        found = self.here().execute_async_script(script)
        assert not (isinstance(found, str) and found.startswith("failed")), found
        return found


class Visit:
    """All that a test of a visit needs."""

    def __init__(self, driver: webdriver.Chrome, service: Service, recorder: Recorder, shop: str) -> None:
        self.driver, self.service, self.recorder, self.shop = driver, service, recorder, shop

    def create(self, **fields: Any) -> Made:
        """A task that no other test has."""
        own = {"memory" if fields["scheme"] == "pfr" else "light_cells": next(_memories)}
        return self.service.create(**own | fields)

    def open(self, path: str) -> Tab:
        return Tab(self.driver, self.shop + path)

    def options(self, made: Made, **more: Any) -> dict[str, Any]:
        """What a page would say, with little patience."""
        where = {"url": self.recorder.url, "task": made.id, "key": made.key}
        return where | {"maxEpsilon": 4, "reportsPerDay": 1000, "gather": 0.3} | more

    def show_epoch(self, made: Made, epoch: int) -> None:
        """Show the page a bulletin of another epoch, as a server would that does not keep to its keys."""
        self.show_epochs(made, lambda: epoch)

    def show_epochs(self, made: Made, epoch: Callable[[], int], **fields: object) -> None:
        """The same with an epoch for each look at it, and perhaps other fields in the document that names it."""
        shown = self.service.http.get(f"{made.path}/bulletin", headers={"authorization": f"Bearer {made.key}"}).json()
        path = f"/v1/bulletins/{shown['bulletin']}"
        whole = self.service.http.get(f"{path}/with-set", headers=self.service.admin).content
        body = bytearray(self.service.http.get(path, headers=self.service.admin).content)
        known: dict[str, bytes] = {}

        def meddle(asked: Asked, really: Callable[[], Answered]) -> Answered:
            open_to_all = {"access-control-allow-origin": "*"}
            if asked.method == "GET" and asked.path.endswith("/bulletin"):
                now = epoch()
                body[48:56] = now.to_bytes(8, "big")
                version = sha256(body).hexdigest()
                known[version] = whole[: -len(body)] + body
                notice = shown | {"bulletin": version, "epoch": now} | fields
                return Answered(200, open_to_all, json.dumps(notice).encode())
            if asked.method == "GET" and "/bulletins/" in asked.path:
                return Answered(200, open_to_all, known[asked.path.split("/")[3]])
            if asked.method == "POST":
                return Answered(200, open_to_all, b'{"accepted":1}')
            return really()

        self.recorder.meddle = meddle

    def counted(self, made: Made) -> int:
        """How many reports the collector has."""
        return int(self.service.http.get(made.path, headers=self.service.admin).json()["reports"])


@contextmanager
def visiting(driver: webdriver.Chrome, service: Service, script: bytes) -> Iterator[Visit]:
    """A visit; its tabs are closed at the end."""
    first = driver.current_window_handle
    with recording(service.url) as recorder, site(script) as shop:
        yield Visit(driver, service, recorder, shop)
        for handle in driver.window_handles:
            if handle != first:
                driver.switch_to.window(handle)
                with suppress(WebDriverException):
                    driver.close()
        driver.switch_to.window(first)
