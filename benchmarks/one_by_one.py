"""CPU time of `Tracker.insert`, report by report, beside the same reports as arrays of one: how 0.1.0 counted them.

All of a row comes from one run, seals included. Random legal symbols, each in answer to the bulletin in force; in the
last columns every tenth report is late.
"""

import argparse
import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import partial

import numpy as np

from benchmarks.field.timing import spent
from hgldp.cli.terminal import legend, open_table, page, show
from hgldp.model.reports import Report
from hgldp.model.task import Task
from hgldp.tracker import Tracker

REPORTS, ROUNDS, LATE = 20_000, 3, 10
SCHEMES = ("bgr", "dsr", "bdr", "cnr", "pfr", "strings")
Way = Callable[[Tracker, Report], None]


@dataclass(frozen=True)
class Row:
    """Microseconds a report."""

    scheme: str
    arrays: float
    singles: float
    arrays_late: float
    singles_late: float


def as_array(tracker: Tracker, report: Report) -> None:
    """One report through all that a batch goes through."""
    tracker.insert_many(report.bulletin, [report.symbol])


def _count(way: Way, tracker: Tracker, drawn: list[Report]) -> None:
    for report in drawn:
        way(tracker, report)


def microseconds(scheme: str, way: Way, reports: int, late: int) -> float:
    """A report's share of counting them all; one in `late` answers the bulletin before the one in force."""
    domain = 16 if scheme == "strings" else range(1_000)
    tracker = Tracker(Task("pfr" if scheme == "strings" else scheme, epsilon=2.0, domain=domain, k=20), seed=1)
    random, left, seconds = np.random.default_rng(1), reports, 0.0
    while left:
        bulletins, block = tracker.bulletins[-2:], min(left, tracker.epoch_room)
        drawn = []
        for place in range(left, left - block, -1):
            shown = bulletins[0 if late and place % late == 0 else -1]
            drawn.append(Report(shown.version, int(random.integers(tracker.family.symbol_limit(shown)))))
        seconds += spent(partial(_count, way, tracker, drawn))
        left -= block
    return seconds / reports * 1e6


def measure(reports: int, rounds: int) -> list[Row]:
    """The best of several rounds, the two ways in turns."""
    rows = []
    for scheme in SCHEMES:
        ways = [(way, late) for late in (0, LATE) for way in (as_array, Tracker.insert)]
        best = [min(microseconds(scheme, way, reports, late) for _ in range(rounds)) for way, late in ways]
        rows.append(Row(scheme, *best))
    return rows


LEGEND = (
    ("arrays of one", "each report through insert_many, as an array of one; µs a report"),
    ("insert", "the same reports through insert"),
    ("late", f"every {LATE}th report answers the bulletin before the one in force"),
)


def main() -> None:
    """Print the table, or JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--reports", type=int, default=REPORTS)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    rows = measure(arguments.reports, arguments.rounds)
    if arguments.json:
        print(json.dumps([asdict(row) for row in rows], indent=2))
        return
    table = open_table()
    for heading in ("scheme", "arrays of one", "insert", "ratio", "M/s", "late: arrays of one", "insert", "ratio"):
        table.add_column(heading, justify="left" if heading == "scheme" else "right", no_wrap=True)
    for row in rows:
        alone, late = row.arrays / row.singles, row.arrays_late / row.singles_late
        table.add_row(
            row.scheme,
            f"{row.arrays:.1f}",
            f"{row.singles:.2f}",
            f"{alone:.1f}",
            f"{1 / row.singles:.2f}",
            f"{row.arrays_late:.1f}",
            f"{row.singles_late:.1f}",
            f"{late:.1f}",
        )
    show(
        page(f"One report at a time, {arguments.reports:,} reports, 1,000 items, ε = 2, k = 20", table, legend(LEGEND))
    )


if __name__ == "__main__":
    main()
