"""One task in one browser: everything that a page does with it, traced, and what went over the wire."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.sdk.cost.devtools import DevTools, Windows, Work
from tests.sdk.cost.tasks import Kind, create
from tests.sdk.recorder import Asked
from tests.sdk.visit import Tab, Visit

BAR = 5.0
PAGE = Path(__file__).with_name("page.js").read_text()
CLOCK = "globalThis.shift = 0; const now = Date.now.bind(Date); Date.now = () => now() + shift;"
DAY = 86_400
PLANTED = """
const put = IDBObjectStore.prototype.put;
IDBObjectStore.prototype.put = function (...record) {
  if (!Array.isArray(record[1]) || record[0].status) return put.apply(this, record);
  for (let busy = 0, last = performance.now(); busy < 20; ) {
    const now = performance.now();
    if (now - last < 0.3) busy += now - last;
    last = now;
  }
  return put.apply(this, record);
};
"""
IDLE = "nothing"
FRESH, ALONE, TEN, MANY, KEPT = (
    "the first 64 of a page", "one by one", "10 at once", "64 at once", "one by one, 100 kept",
)  # fmt: skip
REPORTS = {FRESH: 64, ALONE: 1, TEN: 10, MANY: 64, KEPT: 1}
START, ROUND, RENEWAL, FLOOD, LEAVING = (
    "a page starts", "a round, 100 kept", "a round, new bulletin", "1,000 at once", "leaving, 100 wait",
)  # fmt: skip
GARBAGE = "garbage of these"
OTHERS = {START: 0, ROUND: 0, RENEWAL: 0, FLOOD: 1000, LEAVING: 0}


@dataclass(frozen=True)
class Amount:
    """How often everything is done, and for how many seconds each at most."""

    pages: int = 3
    alone: int = 50
    tens: int = 15
    many: int = 10
    rounds: int = 5
    speed: int = 2000
    seconds: float = 6.0


@dataclass(frozen=True)
class Row:
    """All tasks of the main thread, each time that something was done."""

    name: str
    windows: list[list[Work]]

    @property
    def times(self) -> int:
        return len(self.windows)

    @property
    def reports(self) -> int:
        return self.times * (REPORTS | OTHERS).get(self.name, 0)

    @property
    def is_judged(self) -> bool:
        return self.name in REPORTS

    @property
    def misses(self) -> bool:
        """Whether a report blocked the page for longer than the bar allows."""
        return self.is_judged and self.longest() > BAR

    @property
    def each_time(self) -> float:
        """Milliseconds of the processor that one time takes, all its tasks together."""
        return sum(work.thread for window in self.windows for work in window) / self.times

    def longest(self, share: float = 1.0) -> float:
        """Milliseconds of the processor that this share of the tasks stays within."""
        return quantile([work.thread for window in self.windows for work in window], share)

    def wall(self, share: float = 1.0) -> float:
        return quantile([work.wall for window in self.windows for work in window], share)


def quantile(times: list[float], share: float) -> float:
    """What this share of the times stays within; all of them with 1."""
    return sorted(times)[min(len(times) - 1, int(share * len(times)))]


class Page(Tab):
    """A tab whose clock is its own variable, and not the session's: reading that would cost as much as a report."""

    def __init__(self, visit: Visit, tools: DevTools, items: list[Any], planted: str) -> None:
        self.driver, self.tools, self.url = visit.driver, tools, visit.shop + "/"
        self.driver.switch_to.new_window("tab")
        self.handle = self.driver.current_window_handle
        everything = f"{{ {CLOCK} {planted} }} {PAGE} globalThis.items = {json.dumps(items)};"
        self.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": everything})
        self.session = tools.attach(self.handle)

    def load(self) -> None:
        self.here().get(self.url)

    def does(self, action: str, *values: Any) -> Any:
        return self.tools.run(self.session, f"cost.{action}({', '.join(map(json.dumps, values))})")


def on_the_wire(asked: Asked) -> int:
    """Bytes of a request, with all that the browser adds."""
    lines = [f"{asked.method} {asked.path} HTTP/1.1", *(f"{name}: {value}" for name, value in asked.headers.items())]
    return sum(len(line) + 2 for line in lines) + 2 + len(asked.body)


def speed_and_bytes(page: Page, visit: Visit, reports: int) -> dict[str, float]:
    """Without a trace: how many reports a second, and how many bytes."""
    made, sent = page.does("speed", reports)
    visit.recorder.asked.clear()
    page.does("reports", MANY, 1, 10, 64)
    page.does("reports", ALONE, 1, 10, 1)
    many, alone = visit.recorder.uploads
    return {
        "made": reports / made,
        "sent": reports / sent,
        "body": len(alone.body),
        "request": on_the_wire(alone),
        "in 64": on_the_wire(many) / 64,
    }


def measure(
    visit: Visit,
    tools: DevTools,
    kind: Kind,
    amount: Amount,
    planted: str = "",
    done: Callable[[], None] = lambda: None,
) -> tuple[dict[str, float], list[Row]]:
    """The figures of a task, and its rows: those of reports first."""
    made, shown = create(visit, kind)
    options = visit.options(made, reportsPerDay=10**9, gather=3600, maxEpsilon=10)
    page = Page(visit, tools, kind.items, planted)
    with tools.tracing() as found:
        for _ in range(amount.pages):
            page.load()
            page.does("start", START, options)
            page.does("reports", FRESH, 1, amount.seconds, 64)
        page.does("idle", IDLE, amount.alone // 2, amount.seconds)
        done()
        page.does("reports", ALONE, amount.alone, amount.seconds, 1)
        page.does("reports", TEN, amount.tens, amount.seconds, 10)
        page.does("reports", MANY, amount.many, amount.seconds, 64)
        done()
        assert page.does("keep", 100) == 100
        page.does("reports", KEPT, amount.alone // 2, amount.seconds, 1)
        for _ in range(amount.rounds):
            page.does("round", ROUND)
        for _ in range(amount.rounds if shown else 0):
            assert shown
            shown.next()
            tools.run(page.session, f"globalThis.shift += {1000 * DAY}")
            page.does("round", RENEWAL)
        done()
        page.does("reports", FLOOD, 1, amount.seconds, 1000)
        if not shown:  # what leaves has one size, whatever the bulletin
            page.does("leave", LEAVING, 100, 10 * amount.seconds)
        done()
    figures = speed_and_bytes(page, visit, amount.speed)
    done()
    said = page.explain()
    assert (said["reason"], said["waiting"]) == ("", 0), said["reason"]
    return figures, rows_of(found)


def rows_of(found: Windows) -> list[Row]:
    """In the order in which people read them. Tasks in which the browser removes garbage have a row of their own."""
    rows = {name: [[work for work in each if not work.is_garbage] for each in found[name]] for name in found}
    garbage = [[work] for name in REPORTS for each in found.get(name, ()) for work in each if work.is_garbage]
    if garbage:
        rows[GARBAGE] = garbage
    return [Row(name, rows[name]) for name in (IDLE, *REPORTS, GARBAGE, *OTHERS) if name in rows]
