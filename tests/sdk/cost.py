"""What reporting costs a page: reports a second, bytes on the wire, and for how long a report blocks the main thread.

A real headless browser reports to a real collector, both on this machine, through a proxy that counts every byte of the
requests. The longest pause of an idle page is measured in the same run, because the machine itself makes pages wait.
"""

import argparse
import json
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

from hgldp.cli.terminal import legend, open_table, page, progress_bar, show
from tests.collector.browser import browser
from tests.collector.live_service import live_service
from tests.sdk.site import built
from tests.sdk.visit import Tab, visiting

TASKS = {
    "pfr, 1,024 cells": {"scheme": "pfr", "epsilon": 2.0, "k": 10, "domain": {"range": [0, 100_000]}},
    "pfr, strings": {"scheme": "pfr", "epsilon": 4.0, "k": 10, "domain": {"strings": 40}},
    "dsr": {"scheme": "dsr", "epsilon": 2.0, "k": 10, "domain": {"range": [0, 100_000]}},
    "cnr": {"scheme": "cnr", "epsilon": 2.0, "k": 10, "domain": {"range": [0, 100_000]}},
}
HEADINGS = ("made /s", "sent /s", "call µs", "pause ms", "99 %", "idle ms", "99 %", "body B", "request B")
SHOWN = (
    *(("made", 0), ("delivered", 0), ("call", 0), ("busy", 1), ("busy 99", 1), ("idle", 1), ("idle 99", 1)),
    *(("body", 0), ("wire", 0)),
)
LEGEND = (
    ("made", "reports that are randomised and on the disk, 64 to an upload"),
    ("sent", "the same, acknowledged by the collector"),
    ("call", "one call of report(), the median"),
    ("pause", "the longest pause of the main thread around one report: the median, and what 99 of 100 stay below"),
    ("idle", "the same without a report: what the machine itself makes a page wait"),
    ("request", "one report on its own, with all headers that the browser adds"),
)
BURST = """
const [count, item, done] = [arguments[0], arguments[1], arguments[2]];
(async () => {
  const start = performance.now();
  for (let left = count; left > 0; left -= 1000) {
    for (let n = 0; n < Math.min(left, 1000); n++) hot.report(item);
    while ((await hot.explain()).waiting) await new Promise((next) => setTimeout(next));
  }
  const made = performance.now();
  while (!(await hot.flush()));
  done([(made - start) / 1000, (performance.now() - start) / 1000]);
})();
"""
PAUSES = """
const [count, item, done] = [arguments[0], arguments[1], arguments[2]];
(async () => {
  const channel = new MessageChannel();
  let [last, longest, turns] = [performance.now(), 0, 0];
  channel.port1.onmessage = () => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    turns++;
    last = now;
    channel.port2.postMessage(0);
  };
  channel.port2.postMessage(0);
  const [calls, found] = [[], []];
  for (let n = 0; n < count; n++) {
    await new Promise((next) => setTimeout(next, 15));
    longest = 0;
    if (item !== null) {
      const start = performance.now();
      hot.report(item);
      calls.push(performance.now() - start);
    }
    await new Promise((next) => setTimeout(next, 15));
    found.push(longest);
  }
  channel.port1.onmessage = null;
  done([found, calls]);
})();
"""


def quantile(times: list[float], share: float) -> float:
    """The time that this share of them stays below."""
    return sorted(times)[min(len(times) - 1, int(share * len(times)))]


def measured(tab: Tab, item: Any, reports: int, rounds: int) -> dict[str, float]:
    """One task, in one page."""
    made, sent = tab.here().execute_async_script(BURST, reports, item)
    idle, _ = tab.here().execute_async_script(PAUSES, rounds, None)
    busy, calls = tab.here().execute_async_script(PAUSES, rounds, item)
    found = tab.explain()
    return {
        "made": reports / made,
        "delivered": reports / sent,
        "call": 1000 * median(calls),
        "call max": max(calls),
        "busy": median(busy),
        "busy 99": quantile(busy, 0.99),
        "idle": median(idle),
        "idle 99": quantile(idle, 0.99),
        "reports": found["reports"],
    }


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--reports", type=int, default=5_000, help="reports in bursts (5000)")
    parser.add_argument("--rounds", type=int, default=200, help="single reports, each watched for a pause (200)")
    parser.add_argument("--json", action="store_true", help="one object")
    options = parser.parse_args()
    rows = {}
    with TemporaryDirectory() as folder, live_service(Path(folder)) as service, browser() as driver:
        driver.set_script_timeout(300)
        with progress_bar("pages", wanted=not options.json) as advance:
            for number, (name, task) in enumerate(TASKS.items()):
                with visiting(driver, service, built("hgldp-all.js")) as visit:
                    made, tab = (
                        visit.create(**{"name": name, "level": "event", "epoch": 1_000_000} | task),
                        visit.open("/"),
                    )
                    tab.start(**visit.options(made, reportsPerDay=10**9, gather=3600, maxEpsilon=10))
                    tab.flush()
                    rows[name] = measured(
                        tab, 7 if "range" in task["domain"] else "pizza", options.reports, options.rounds
                    )
                    tab.report(7)
                    tab.flush()
                    single = visit.recorder.uploads[-1]
                    rows[name]["body"], rows[name]["wire"] = len(single.body), len(single.everything)
                advance(number + 1, len(TASKS))
    if options.json:
        print(json.dumps(rows))
        return
    table = open_table()
    for heading in ("", *HEADINGS):
        table.add_column(heading, justify="right" if heading else "left")
    for name, row in rows.items():
        table.add_row(name, *(f"{row[each]:,.{digits}f}" for each, digits in SHOWN))
    show(page(f"One page, {options.reports:,} reports in bursts, {options.rounds} single ones", table, legend(LEGEND)))


if __name__ == "__main__":
    main()
