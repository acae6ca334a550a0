"""What a public list costs a page: until it is ready, the first time and later, and for how long it blocks the page.

`python -m tests.sdk.cost.lists` makes tasks with lists of 22,000 and of 1,000,000 strings on a real collector.
"""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from rich.table import Table

from hgldp.cli.terminal import legend, open_table, page, show
from hgldp.model.hints import Hints
from tests.collector.browser import browser
from tests.collector.live_service import live_service
from tests.sdk.cost.devtools import DevTools, devtools
from tests.sdk.cost.measure import ALONE, Page
from tests.sdk.site import built
from tests.sdk.visit import Visit, visiting

SIZES = (22_000, 1_000_000)
FIRST, LATER = "first page", "later page"
READY = """(async () => {
  const from = performance.now();
  performance.mark("cost " + %r);
  globalThis.hot = new hgldp.Reporter(%s);
  while ((await hot.explain()).state != "ready") await new Promise((done) => setTimeout(done, 10));
  performance.mark("cost end");
  return performance.now() - from;
})()"""
LEGEND = (
    ("first", "a page that fetches the list from this machine, keeps it and reads it: seconds until it can randomise"),
    ("later", "a page that finds it kept"),
    ("busy", "the processor's time of the main thread until then"),
    ("longest", "its longest task"),
    ("a report", "the longest task while 50 are reported one by one, half of them on the list; without garbage"),
)


def words(count: int) -> list[str]:
    """So many different strings of nine letters, in no order of their hashes."""
    letters = "abcdefghijklmnopqrstuvwxyz"
    found = []
    for number in range(count):
        left, text = number * 7_368_787 % 26**6, ""
        for _ in range(6):
            left, letter = divmod(left, 26)
            text += letters[letter]
        found.append("on " + text)
    return found


def measured(visit: Visit, tools: DevTools, size: int) -> list[str]:
    """One line of the table."""
    lines = words(size)
    fields: dict[str, Any] = {"name": f"{size} strings", "scheme": "pfr", "epsilon": 2.0, "level": "event", "k": 10}
    made = visit.create(**fields, domain={"strings": 16}, hints=lines, memory=1 << 18, origins=["*"])
    options = visit.options(made, gather=3600)
    tab, waits = Page(visit, tools, [lines[-1], "not " + lines[-1]], ""), {FIRST: 0.0, LATER: 0.0}
    with tools.tracing() as found:
        for name in waits:
            tab.load()
            waits[name] = tools.run(tab.session, READY % (name, options)) / 1000
        tab.does("reports", ALONE, 50, 60, 1)
    pages = [[work.thread for each in found[name] for work in each] for name in waits]
    alone = [work.thread for each in found[ALONE] for work in each if not work.is_garbage]
    kept = len(Hints.of(lines).data)
    return [
        *(f"{size:,}", f"{kept:,}"),
        *(each for wait, tasks in zip(waits.values(), pages, strict=True) for each in shown(wait, tasks)),
        f"{max(alone):.1f} ms",
    ]


def shown(wait: float, tasks: list[float]) -> tuple[str, str, str]:
    return f"{wait:.2f} s", f"{sum(tasks):.0f} ms", f"{max(tasks):.0f} ms"


def main() -> int:
    """Measure and print."""
    table: Table = open_table()
    for heading in ("strings", "bytes", "first", "busy", "longest", "later", "busy", "longest", "a report"):
        table.add_column(heading, justify="right")
    with TemporaryDirectory() as folder, live_service(Path(folder)) as service, browser() as driver:
        for size in SIZES:
            with devtools(driver) as tools, visiting(driver, service, built("hgldp-hints.js")) as visit:
                table.add_row(*measured(visit, tools, size))
    show(page("What a list costs a page", table, legend(LEGEND)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
