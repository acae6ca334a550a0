"""What one upload costs: collectors on a real PostgreSQL under real uploads, for several sizes of upload."""

import asyncio
import tempfile
from dataclasses import dataclass
from pathlib import Path

import psycopg
from tests.postgres import Server as Postgres
from tests.postgres import running

from benchmarks.load.process import Server
from benchmarks.load.shared import measure
from benchmarks.scale.sealing import Pace, pace
from hgldp.wire.upload import HEAD, padded

HTTP_HEADERS, ANSWER_BYTES = 622, 200
TABLES = "log", "upload_ids"


@dataclass(frozen=True)
class Cost:
    """Of one upload with so many reports: microseconds of processor time, and bytes.

    `network` is what a browser sends and gets (measured for the SDK: 686 bytes for an upload of 64), `wal` what
    PostgreSQL writes to its write-ahead log, `kept` what stays in our own log while reports are kept, and `known` its
    id, until nobody may answer its bulletin any more. What waits in the inbox is not: it gives its room back.
    """

    reports: int
    rate: float
    p99: float
    collector: float
    database: float
    wal: float
    kept: float
    known: float
    pace: Pace

    @property
    def network(self) -> float:
        """Bytes of the request and of its answer."""
        return HTTP_HEADERS + padded(HEAD.size + 2 * self.reports) + ANSWER_BYTES


async def costs(sizes: list[int], seconds: float, collectors: int = 2) -> list[Cost]:
    """Each size on a database of its own."""
    found = []
    with running(fsync="on", synchronous_commit="on", shared_buffers="512MB", max_wal_size="8GB") as postgres:
        for size in sizes:
            found.append(await _cost(size, seconds, collectors, postgres))  # noqa: PERF401 - one after the other
    return found


async def _cost(size: int, seconds: float, collectors: int, postgres: Postgres) -> Cost:
    url = postgres.new_database()
    with tempfile.TemporaryDirectory() as folder:
        team = [Server(Path(folder) / str(number), url, "pfr") for number in range(collectors)]
        try:
            path = team[0].upload_path
            await measure("warm-up", team, postgres.pid, path, size, 2.0)
            before = _written(url)
            row = await measure(f"{size} reports", team, postgres.pid, path, size, seconds)
            wal, kept, known = (after - then for after, then in zip(_written(url), before, strict=True))
        finally:
            for each in team:
                each.stop()
    done = row.rate * seconds
    alone = await asyncio.to_thread(pace, size, postgres.new_database())
    return Cost(size, row.rate, row.p99, row.own, row.database, wal / done, kept / done, known / done, alone)


def _written(url: str) -> tuple[int, ...]:
    """Bytes of the write-ahead log so far, and of the tables in which uploads stay."""
    sizes = ", ".join(f"pg_total_relation_size('{table}')" for table in TABLES)
    with psycopg.connect(url, autocommit=True) as connection:
        found = connection.execute(f"SELECT pg_current_wal_lsn() - '0/0'::pg_lsn, {sizes}".encode()).fetchone()
    return tuple(map(int, found or ()))
