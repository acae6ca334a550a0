"""What reporting costs a page: reports a second, bytes on the wire, and how long it keeps the main thread busy.

A real headless browser reports through a proxy that counts every byte. Small tasks report to a real collector; for the
largest bulletins, which no stream of a minute would lead to, the proxy shows them and takes the uploads itself.
"""

import argparse
import json
import sys
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory

from rich.table import Table

from hgldp.cli.terminal import legend, open_table, page, progress_bar, show
from tests.collector.browser import browser
from tests.collector.live_service import live_service
from tests.sdk.cost.devtools import devtools
from tests.sdk.cost.measure import BAR, IDLE, PLANTED, Amount, Row, measure
from tests.sdk.cost.tasks import KINDS
from tests.sdk.site import built
from tests.sdk.visit import visiting

STAGES = 5
FIGURES = {"made /s": "made", "sent /s": "sent", "body B": "body", "request B": "request", "in 64, B": "in 64"}
TIMES = ("times", "reports", "longest ms", "99 %", "in all", "wall: longest ms", "99 %")
LEGEND = (
    ("made", "reports that are randomised and on the disk"),
    ("sent", "the same, taken by the collector"),
    ("body", "one report in an upload of its own"),
    ("request", "the same with all headers that the browser adds"),
    ("in 64", "a report's part of such a request with 64 reports"),
    ("longest", "the processor's time of the main thread in one task: the longest, and what 99 % of tasks stay within"),
    ("in all", "the same for all tasks together, each time"),
    ("wall", "one task on the clock: it grows with whatever else the machine does"),
    ("nothing", "a page that does not report, in the same run"),
    ("garbage", "tasks of their own in which the browser removes what reports left behind, at a time that it chooses"),
    ("kept", "with 100 uploads that were sent in the database, which is all that is kept"),
    ("*", f"not judged: more than one report, or no report at all; of the others none may take more than {BAR:g} ms"),
)  # fmt: skip
Measured = dict[str, tuple[dict[str, float], list[Row]]]


def run(amount: Amount, chosen: str, script: bytes, planted: str, *, bar: bool) -> Measured:
    """Every task, one after the other."""
    kinds = [kind for kind in KINDS if chosen in kind.name]
    found, steps = {}, 0
    with (
        TemporaryDirectory() as folder,
        live_service(Path(folder)) as service,
        browser() as driver,
        devtools(driver) as tools,
        progress_bar("pages", wanted=bar) as advance,
    ):

        def done() -> None:
            nonlocal steps
            steps += 1
            advance(steps, STAGES * len(kinds))

        for kind in kinds:
            with visiting(driver, service, script) as visit:
                found[kind.name] = measure(visit, tools, kind, amount, planted, done)
    return found


def figures_table(found: Measured) -> Table:
    table = open_table()
    for heading in ("", *FIGURES):
        table.add_column(heading, justify="right" if heading else "left")
    for name, (figures, _) in found.items():
        table.add_row(name, *(f"{figures[each]:,.{int(each == 'in 64')}f}" for each in FIGURES.values()))
    return table


def times_table(found: Measured) -> Table:
    table = open_table()
    for heading in ("task", "what the page does", *TIMES):
        table.add_column(heading, justify="right" if heading in TIMES else "left")
    for name, (_, rows) in found.items():
        for number, row in enumerate(rows):
            numbers = [row.longest(), row.longest(0.99), row.each_time, row.wall(), row.wall(0.99)]
            what = row.name if row.is_judged or row.name == IDLE else f"* {row.name}"
            shown = [f"{each:,.1f}" for each in numbers]
            late = "bold red" if row.misses else None
            table.add_row("" if number else name, what, f"{row.times:,}", f"{row.reports:,}", *shown, style=late)
        table.add_section()
    return table


def as_json(found: Measured) -> str:
    return json.dumps({name: [figures, [asdict(row) for row in rows]] for name, (figures, rows) in found.items()})


def main() -> int:
    """Measure and print; 1 if a report blocks the page for too long."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", metavar="TEXT", help="tasks whose name holds this")
    parser.add_argument("--script", type=Path, metavar="FILE", help="another build than the one that is served")
    parser.add_argument(
        "--planted",
        action="store_true",
        help="block the page for 20 ms in every draw, to see it found; the first task alone",
    )
    parser.add_argument("--json", action="store_true", help="one object")
    options = parser.parse_args()
    planted = PLANTED if options.planted else ""
    script = options.script.read_bytes() if options.script else built()
    only = options.only or (KINDS[0].name if planted else "")
    found = run(Amount(), only, script, planted, bar=not options.json)
    if options.json:
        print(as_json(found))
    else:
        title = "What reporting costs a page" + (", with a block of 20 ms planted in every draw" if planted else "")
        show(page(title, figures_table(found), times_table(found), legend(LEGEND)))
    judged = [(row.longest(), name, row) for name, (_, rows) in found.items() for row in rows if row.is_judged]
    longest, name, row = max(judged, key=lambda each: each[0])
    reports = sum(row.reports for *_, row in judged)
    said = f"{reports:,} reports: the longest task took {longest:.1f} ms ({name}, {row.name})"
    late = any(row.misses for *_, row in judged)
    print(f"{said}; at most {BAR:g} ms are allowed{': missed' if late else ''}.", file=sys.stderr)
    tasks = [work for _, rows in found.values() for row in rows for window in row.windows for work in window]
    doubtful = [work.processor - work.wall for work in tasks if work.is_doubtful]
    if doubtful:
        wrong = (
            f"{len(doubtful)} of {len(tasks):,} tasks have more time on the processor than on the clock in the trace"
        )
        print(f"{wrong}, by up to {max(doubtful):.1f} ms: for those the clock counts.", file=sys.stderr)
    return int(late)


if __name__ == "__main__":
    sys.exit(main())
