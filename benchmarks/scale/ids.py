"""What the ids of uploads cost where many are there already: PostgreSQL logs a page whole when it first changes."""

from dataclasses import dataclass
from math import expm1

import psycopg

THERE, NEW, AT_ONCE = 5_000_000, 200_000, 64
PAGE = 8_192


@dataclass(frozen=True)
class Ids:
    """Bytes: of index for each id, and of the write-ahead log for a new one among many, right after a checkpoint."""

    index: float
    logged: float


def measured_ids(url: str, there: int = THERE, new: int = NEW) -> Ids:
    """On tables that a collector has made, with ids as clients draw them: at random."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("INSERT INTO upload_ids SELECT 1, 0, gen_random_uuid() FROM generate_series(1, %s)", [there])
        connection.execute("CHECKPOINT")
        before = _position(connection)
        for _ in range(0, new, AT_ONCE):
            sql = "INSERT INTO upload_ids SELECT 1, 0, gen_random_uuid() FROM generate_series(1, %s)"
            connection.execute(sql, [AT_ONCE])
        logged = _position(connection) - before
        size = connection.execute("SELECT pg_relation_size('upload_ids_pkey')").fetchone()
    return Ids(size[0] / (there + new) if size else 0.0, logged / new)


def page_images(ids: float, new: float, index: float) -> float:
    """At most so many bytes of whole pages for each of the `new` ids after a checkpoint, among so many `ids`.

    A random id changes any page of the index, and each page is logged whole once.

    >>> round(page_images(1e9, 1_000, 41.0)), round(page_images(1e6, 1e9, 41.0), 3)
    (8191, 0.041)
    """
    pages = ids * index / PAGE
    return PAGE * pages / new * -expm1(-new / pages) if pages else 0.0


def _position(connection: psycopg.Connection) -> int:
    found = connection.execute("SELECT pg_current_wal_lsn() - '0/0'::pg_lsn").fetchone()
    return int(found[0]) if found else 0
