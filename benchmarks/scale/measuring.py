"""What one upload costs: collectors on a real PostgreSQL under real uploads, for several sizes of upload."""

import asyncio
import tempfile
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

import psycopg

from benchmarks.load.process import Server, cpu_seconds
from benchmarks.load.shared import measure, settle
from benchmarks.scale.ids import Ids, measured_ids
from benchmarks.scale.sealing import Pace, pace
from hgldp.collector.log.postgres.database import Database
from hgldp.collector.log.postgres.migrations import migrate
from hgldp.wire.upload import HEAD, padded
from tests.postgres import Server as Postgres
from tests.postgres import running

HTTP_HEADERS, ANSWER_BYTES = 622, 200
LOADED = 2
FOLLOWER = "hgldp follower"
TABLES = "log", "upload_ids"


@dataclass(frozen=True)
class Share:
    """What one collector takes that only follows: microseconds for an upload, `live` at the measured rate.

    `alone` is what an upload costs it when nothing else is to be done. The rest is taken to be the same at any rate.
    """

    live: float
    alone: float

    def cores(self, uploads: float, rate: float) -> float:
        """With so many uploads a second; `live` was measured at this rate."""
        return (max(0.0, self.live - self.alone) * rate + self.alone * uploads) / 1e6


@dataclass(frozen=True)
class Cost:
    """Of one upload with so many reports: microseconds of processor time, and bytes.

    `collector` and `database` are those of two collectors under load, which follow too; `following` and `reading` are
    what a third took that got no uploads, and what the database took for it.

    `network` is what a browser sends and gets (measured for the SDK: 686 bytes for an upload of 64), `wal` what
    PostgreSQL writes to its write-ahead log while there are few ids, `kept` what stays in our own log while reports
    are kept, and `known` its id, until nobody may answer its bulletin any more. What waits in the inbox is not: it
    gives its room back.
    """

    reports: int
    rate: float
    p99: float
    collector: float
    database: float
    wal: float
    kept: float
    known: float
    following: Share
    reading: Share
    pace: Pace
    ids: Ids

    @property
    def network(self) -> float:
        """Bytes of the request and of its answer."""
        return HTTP_HEADERS + padded(HEAD.size + 2 * self.reports) + ANSWER_BYTES


async def costs(sizes: list[int], seconds: float) -> list[Cost]:
    """Each size on a database of its own."""
    found = []
    with running(fsync="on", synchronous_commit="on", shared_buffers="512MB", max_wal_size="8GB") as postgres:
        ids = await asyncio.to_thread(_ids, postgres.new_database())
        for size in sizes:
            found.append(await _cost(size, seconds, postgres, ids))  # noqa: PERF401 - one after the other
    return found


def _ids(url: str) -> Ids:
    with closing(Database(url)) as database:
        migrate(database)
    return measured_ids(url)


async def _cost(size: int, seconds: float, postgres: Postgres, ids: Ids) -> Cost:
    url = postgres.new_database()
    with tempfile.TemporaryDirectory() as folder:
        team = [Server(Path(folder) / str(number), url, "pfr") for number in range(LOADED)]
        third = Server(Path(folder) / "third", f"{url}?application_name={quote(FOLLOWER)}", "pfr")
        try:
            path = team[0].upload_path
            await measure("warm-up", team, postgres.pid, path, size, 2.0)
            await asyncio.to_thread(settle, [*team, third], team[0].now()["reports"])
            before, own, read = _written(url), third.cpu_seconds, _read_for(url)
            row = await measure(f"{size} reports", team, postgres.pid, path, size, seconds)
            await asyncio.to_thread(settle, [*team, third], team[0].now()["reports"])
            own, read = third.cpu_seconds - own, _read_for(url) - read
            wal, kept, known = (after - then for after, then in zip(_written(url), before, strict=True))
        finally:
            for each in (*team, third):
                each.stop()
    done = row.rate * seconds
    alone = await asyncio.to_thread(pace, size, postgres.new_database())
    following, reading = Share(1e6 * own / done, alone.following), Share(1e6 * read / done, alone.reading)
    database = row.database - reading.live
    bytes_each = wal / done, kept / done, known / done
    return Cost(size, row.rate, row.p99, row.own, database, *bytes_each, following, reading, alone, ids)


def _read_for(url: str) -> float:
    """Processor seconds of PostgreSQL for the third collector."""
    with psycopg.connect(url) as connection:
        sql = "SELECT pid FROM pg_stat_activity WHERE application_name = %s"
        return sum(cpu_seconds(int(pid)) for (pid,) in connection.execute(sql, (FOLLOWER,)).fetchall())


def _written(url: str) -> tuple[int, ...]:
    """Bytes of the write-ahead log so far, and of the tables in which uploads stay."""
    sizes = ", ".join(f"pg_total_relation_size('{table}')" for table in TABLES)
    with psycopg.connect(url, autocommit=True) as connection:
        found = connection.execute(f"SELECT pg_current_wal_lsn() - '0/0'::pg_lsn, {sizes}".encode()).fetchone()
    return tuple(map(int, found or ()))
