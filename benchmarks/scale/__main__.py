"""`make scale`: measure what an upload costs, and say what a billion and a hundred billion reports a day need."""

import argparse
from math import ceil

import uvloop

from benchmarks.scale.measuring import Cost, costs
from hgldp.cli.terminal import open_table, page
from hgldp.cli.terminal import show as show_page

SIZES, DAILY = [1, 16, 4_096], [10**9, 10**11]
DAY, WEEK = 86_400, 7
PEAK, BUSY = 3.0, 0.5
DATABASE_CORES, MOST_WAL, MEASURED = 32, 200e6, 2


def measured(cost: Cost) -> dict[str, str]:
    """One upload, as it was measured."""
    return {
        "uploads a second": f"{cost.rate:,.0f}",
        "that is, billion reports a day": f"{cost.rate * cost.reports * DAY / 1e9:,.1f}",
        "p99, ms": f"{cost.p99:,.0f}",
        "collectors, µs": f"{cost.collector:,.0f}",
        "database, µs": f"{cost.database:,.0f}",
        "sealer alone, µs": f"{cost.pace.sealing:,.0f}",
        "follower alone, µs": f"{cost.pace.following:,.0f}",
        "write-ahead log, bytes": f"{cost.wal:,.0f}",
        "kept while reports are, bytes": f"{cost.kept:,.0f}",
        "its id, bytes": f"{cost.known:,.0f}",
        "network, bytes": f"{cost.network:,}",
    }


def needed(cost: Cost, reports: int) -> dict[str, str]:
    """At the peak of the day, with processors half busy, unless it says otherwise."""
    uploads = reports / cost.reports / DAY * PEAK
    sealers = uploads * cost.pace.sealing / 1e6 / BUSY
    log, cores = uploads * cost.wal, uploads * cost.database / 1e6 / BUSY
    databases = ceil(max(sealers, log / MOST_WAL, cores / DATABASE_CORES))
    team = followed_by(cost, uploads / databases)
    own = cost.collector + (team - MEASURED) * cost.pace.following
    return {
        "uploads a second": f"{uploads:,.0f}",
        "cores of collectors": f"{uploads * own / 1e6 / BUSY:,.1f}",
        "cores of databases": f"{cores:,.1f}",
        "core-hours in a day": f"{reports / cost.reports * (own + cost.database) / 3.6e9:,.1f}",
        "network, Mbit a second": f"{uploads * cost.network * 8 / 1e6:,.0f}",
        "write-ahead log, MB a second": f"{log / 1e6:,.1f}",
        "kept for a week, TB": f"{WEEK * reports / cost.reports * cost.kept / 1e12:,.2f}",
        "sealers, half busy": f"{sealers:,.2f}",
        "so databases, at least": f"{databases:,}",
        "and collectors on each, at least": f"{ceil(team):,}",
    }


def followed_by(cost: Cost, uploads: float) -> float:
    """How many collectors one database needs for so many uploads a second, where each follows what all of them took.

    The costs are those of two. Each further one takes a share of the work, and adds what a follower takes.
    """
    at_once = uploads / 1e6 / BUSY
    return max(
        MEASURED, at_once * (cost.collector - MEASURED * cost.pace.following) / (1 - at_once * cost.pace.following)
    )


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
    for reports in DAILY:
        title = f"{reports:,} reports a day; peak {PEAK:g} times the mean, processors {BUSY:.0%} busy"
        show(title, found, [needed(each, reports) for each in found])
    print(f"A database has one sealer, {DATABASE_CORES} cores and {MOST_WAL / 1e6:.0f} MB of log a second here.")


if __name__ == "__main__":
    main()
