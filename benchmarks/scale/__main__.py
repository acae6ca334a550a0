"""`make scale`: measure what an upload costs, and say what a billion and a hundred billion reports a day need."""

import argparse
from math import ceil

import uvloop

from benchmarks.scale.ids import NEW, THERE, page_images
from benchmarks.scale.measuring import Cost, costs
from benchmarks.scale.shape import (
    BUSY,
    CHECKPOINT_SECONDS,
    DATABASE_CORES,
    DAY,
    DAYS_OF_IDS,
    MOST_WAL,
    PEAK,
    shape,
    work,
)
from hgldp.cli.terminal import open_table, page
from hgldp.cli.terminal import show as show_page

SIZES, DAILY = [1, 16, 4_096], [10**9, 10**11]
WEEK = 7


def measured(cost: Cost) -> dict[str, str]:
    """One upload, as it was measured."""
    return {
        "uploads a second": f"{cost.rate:,.0f}",
        "that is, billion reports a day": f"{cost.rate * cost.reports * DAY / 1e9:,.1f}",
        "p99, ms": f"{cost.p99:,.0f}",
        "collectors, µs": f"{cost.collector:,.0f}",
        "database, µs": f"{cost.database:,.0f}",
        "a third collector that follows, µs": f"{cost.following.live:,.1f}",
        "the database for it, µs": f"{cost.reading.live:,.1f}",
        "sealer alone, µs": f"{cost.pace.sealing:,.1f}",
        "follower alone, µs": f"{cost.pace.following:,.1f}",
        "the follower waits for the database, µs": f"{cost.pace.reading:,.1f}",
        "write-ahead log, bytes": f"{cost.wal:,.0f}",
        "kept while reports are, bytes": f"{cost.kept:,.0f}",
        "its id, bytes": f"{cost.known:,.0f}",
        "network, bytes": f"{cost.network:,}",
    }


def needed(cost: Cost, reports: int) -> dict[str, str]:
    """Cores at the peak of the day, when each is half busy. Core-hours are the work of a whole day, not its peak."""
    uploads = reports / cost.reports / DAY * PEAK
    peak = shape(cost, uploads)
    return {
        "uploads a second": f"{uploads:,.0f}",
        "cores of collectors": f"{peak.collecting / BUSY:,.1f}",
        "cores of databases": f"{peak.storing / BUSY:,.1f}",
        "core-hours in a day": f"{24 * work(cost, uploads / PEAK, peak):,.1f}",
        "network, Mbit a second": f"{uploads * cost.network * 8 / 1e6:,.0f}",
        "write-ahead log, MB a second": f"{uploads * peak.logged / 1e6:,.1f}",
        "reports kept for a week, TB": f"{WEEK * reports / cost.reports * cost.kept / 1e12:,.2f}",
        f"ids of {DAYS_OF_IDS} days, TB": f"{DAYS_OF_IDS * reports / cost.reports * cost.known / 1e12:,.3f}",
        "databases": f"{peak.databases:,}",
        "share of what one half-busy sealer can do": f"{peak.sealing:.2f}",
        "collectors on each": f"{ceil(peak.collectors):,}",
    }


def show(title: str, found: list[Cost], columns: list[dict[str, str]]) -> None:
    """A column for each size of upload."""
    table = open_table()
    table.add_column("reports in an upload")
    for each in found:
        table.add_column(f"{each.reports:,}", justify="right")
    for name in columns[0]:
        table.add_row(name, *(each[name] for each in columns))
    show_page(page(title, table))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=15, help="of each measurement")
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES, help="reports in an upload")
    typed = parser.parse_args()
    found = uvloop.run(costs(typed.sizes, typed.seconds))
    show("One upload, two collectors on one PostgreSQL, clients on the same machine", found, list(map(measured, found)))
    ids = found[0].ids
    more = page_images(THERE, NEW, ids.index)
    print(f"A new id among {THERE:,} takes {ids.logged:,.0f} bytes of the log right after a checkpoint. As reckoned")
    print(f"from {ids.index:,.0f} bytes of index for each, it takes at most {more:,.0f} more than among few.\n")
    for reports in DAILY:
        title = f"{reports:,} reports a day; peak {PEAK:g} times the mean, processors {BUSY:.0%} busy"
        show(title, found, [needed(each, reports) for each in found])
    print(f"A database has one sealer, {DATABASE_CORES} cores, {MOST_WAL / 1e6:.0f} MB of log a second, a checkpoint")
    print(
        f"every {CHECKPOINT_SECONDS / 60:.0f} minutes, and the ids of {DAYS_OF_IDS} days, as with a half-life of a day."
    )
    print(f"A collector is busy {BUSY:.0%} of the time, and follows in at most half of that.")


if __name__ == "__main__":
    main()
