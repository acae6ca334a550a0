"""`make load-shared`: one collector with a folder beside 1, 2 and 4 collectors on one PostgreSQL, in one run.

Single uploads and batches of pfr, and of a hot list, which counts one report after the other; uploads per second, p99,
and the processor time of collectors and database for each, as ratios to the empty handler and to pgbench's commits of
one row on the same server. Everything shares one machine, the client too: where its cores are busy, more collectors
only share them, and the processor time per upload counts.
"""

import argparse
import asyncio
import re
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import uvloop

from benchmarks.load.client import Requests, Tally, drive
from benchmarks.load.process import Server, cpu_seconds, with_children
from tests.postgres import Server as Postgres
from tests.postgres import programs, running

BATCH, CONNECTIONS, BATCH_CONNECTIONS = 4_096, 256, 16
MOST_SECONDS = 120
SCHEMES, EMPTY, EMPTY_PATH = ["pfr", "dsr"], "empty handler", "/empty"
ONE_ROW = "INSERT INTO pgbench_own VALUES (md5(random()::text));"


@dataclass
class Row:
    """One measurement: `rate` is requests per second, `own` and `database` microseconds of processor time for each."""

    name: str
    reports: int
    rate: float
    p99: float
    own: float
    database: float


async def measure(name: str, servers: list[Server], database: int, path: str, reports: int, seconds: float) -> Row:
    """Processor time is counted until every collector has counted every report, which is later than the last answer."""
    request = Requests(path, reports)
    await _renew(servers, request)
    counted = servers[0].now()["reports"]
    watch = asyncio.create_task(_watch(servers, request))
    own = sum(each.cpu_seconds for each in servers)
    before = sum(map(cpu_seconds, with_children(database))) if database else 0.0
    connections = max(1, (CONNECTIONS if reports < BATCH else BATCH_CONNECTIONS) // len(servers))
    tallies = await asyncio.gather(*(drive(each.port, connections, seconds, request) for each in servers))
    watch.cancel()
    done = sum(each.done for each in tallies)
    if path != EMPTY_PATH:
        await asyncio.to_thread(settle, servers, counted + done * reports)
    own = sum(each.cpu_seconds for each in servers) - own
    spent = (sum(map(cpu_seconds, with_children(database))) if database else 0.0) - before
    joined = Tally(
        seconds=max(each.seconds for each in tallies),
        done=done,
        latencies=[one for each in tallies for one in each.latencies],
    )
    if refused := sum(each.refused for each in tallies):
        print(f"{name}: {refused} refused", file=sys.stderr)
    return Row(name, reports, joined.rate, joined.latency(0.99), 1e6 * own / done, 1e6 * spent / done)


async def _watch(servers: list[Server], request: Requests) -> None:
    while True:
        await asyncio.sleep(0.1)
        await _renew(servers, request)


async def _renew(servers: list[Server], request: Requests) -> None:
    now = await asyncio.to_thread(servers[0].now)
    request.renew(bytes.fromhex(now["version"]), now["width"])


def pgbench(postgres: Postgres, seconds: int, clients: int) -> float:
    """Commits of one row per second, by PostgreSQL's own program."""
    folder = programs()
    with tempfile.NamedTemporaryFile("w", suffix=".sql") as script:
        script.write(ONE_ROW)
        script.flush()
        url = postgres.url()
        for statement in ("DROP TABLE IF EXISTS pgbench_own", "CREATE TABLE pgbench_own (value TEXT)"):
            subprocess.run([f"{folder}/psql", url, "-qc", statement], check=True, capture_output=True)
        command = ["pgbench", url, "-n", "-f", script.name, "-c", str(clients), "-j", "1", "-T", str(seconds)]
        told = subprocess.run([f"{folder}/{command[0]}", *command[1:]], check=True, capture_output=True, text=True)
    found = re.search(r"tps = ([\d.]+)", told.stdout)
    return float(found.group(1)) if found else 0.0


async def run(seconds: float, teams: list[int], schemes: list[str]) -> tuple[list[Row], dict[int, float]]:
    rows: list[Row] = []
    with (
        tempfile.TemporaryDirectory() as name,
        running(fsync="on", synchronous_commit="on", shared_buffers="256MB", max_wal_size="4GB") as postgres,
    ):
        commits = {clients: pgbench(postgres, int(seconds), clients) for clients in (1, 4)}
        for scheme in schemes:
            rows += await _alone(scheme, Path(name) / scheme, seconds)
            for size in teams:
                rows += await _team(scheme, size, postgres, Path(name) / scheme, seconds)
    return rows, commits


async def _alone(scheme: str, folder: Path, seconds: float) -> list[Row]:
    alone = Server(folder / "alone", scheme=scheme)
    try:
        empty = await measure(EMPTY, [alone], 0, EMPTY_PATH, 1, seconds)
        name = f"{scheme}, folder"
        return [empty] + [await measure(name, [alone], 0, alone.upload_path, size, seconds) for size in (1, BATCH)]
    finally:
        alone.stop()


async def _team(scheme: str, size: int, postgres: Postgres, folder: Path, seconds: float) -> list[Row]:
    url = postgres.new_database()
    team = [Server(folder / f"{size}-{number}", url, scheme) for number in range(size)]
    name = f"{scheme}, PostgreSQL, {size} collector{'s' * (size > 1)}"
    try:
        await measure(name, team, postgres.pid, team[0].upload_path, 1, 1.0)
        return [
            await measure(name, team, postgres.pid, team[0].upload_path, reports, seconds) for reports in (1, BATCH)
        ]
    finally:
        for each in team:
            each.stop()


def settle(team: list[Server], reports: int) -> None:
    """Until every collector has counted all of them."""
    until = time.monotonic() + MOST_SECONDS
    while (counts := {each.now()["reports"] for each in team}) != {reports}:
        if time.monotonic() > until:
            sys.exit(f"{reports:,} reports were acknowledged, but the collectors have counted {counts}")
        time.sleep(0.1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--seconds", type=float, default=10, help="of each measurement")
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2, 4])
    parser.add_argument("--schemes", nargs="+", default=SCHEMES)
    typed = parser.parse_args()
    rows, commits = uvloop.run(run(typed.seconds, typed.workers, typed.schemes))
    empty = max(row.rate for row in rows if row.name == EMPTY)
    print(f"pgbench: {', '.join(f'{rate:,.0f} commits/s with {clients}' for clients, rate in commits.items())} clients")
    print(f"{'':32}{'reports':>8}{'uploads/s':>11}{'reports/s':>12}{'p99 ms':>8}{'of empty':>9}{'of pgbench':>11}"
          f"{'µs here':>9}{'µs there':>9}")  # fmt: skip
    for row in rows:
        print(f"{row.name:32}{row.reports:8,}{row.rate:11,.0f}{row.rate * row.reports:12,.0f}{row.p99:8.1f}", end="")
        share = row.rate / max(commits.values())
        print(f"{row.rate / empty:9.2f}{share:11.2f}{row.own:9.0f}{row.database:9.0f}")


if __name__ == "__main__":
    main()
