"""The tables of the shared store, and the steps that lead to them. A step is never changed once it was released.

Facts are tasks, inbox, log and days; bulletins, results and the other tables follow from the log, as in a folder. What
only the shared store has: `inbox` holds uploads that are acknowledged and wait for the sealer, `upload_ids` says which
uploads were taken, `gates` which bulletins may still be answered, and `sealer` who puts the inbox into the log.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager

from psycopg.errors import LockNotAvailable
from psycopg.sql import Identifier

from hgldp.collector.log.postgres.database import Connection, Database, insert_all
from hgldp.collector.log.postgres.rights import NUMBERS, RIGHTS, SEQUENCES
from hgldp.collector.log.takeover.era import ERA
from hgldp.errors import DamagedLog, StorageFailed

SECRET_BYTES = 16
MIGRATING = 0x48474C44
# Twice as long as a collector that stands still keeps a lock (STALLED). While a step waits for a table, uploads wait.
LOCK_SECONDS = 20.0
HOLDERS = """
SELECT DISTINCT pid, usename FROM pg_locks AS held JOIN pg_stat_activity USING (pid)
WHERE granted AND pid <> pg_backend_pid() AND datname = current_database()
  AND NOT EXISTS (SELECT FROM pg_locks AS waits WHERE waits.pid = held.pid AND NOT waits.granted)
  AND (locktype = 'advisory' AND classid = 0 AND objid = %s
    OR relation IN (SELECT oid FROM pg_class WHERE relname = ANY(%s))) ORDER BY pid
"""
STEPS = (
    """
CREATE TABLE service (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE SEQUENCE task_numbers;
CREATE TABLE tasks (
  number BIGINT PRIMARY KEY, id BYTEA NOT NULL UNIQUE, document BYTEA NOT NULL, seed BYTEA NOT NULL,
  terms TEXT NOT NULL, created DOUBLE PRECISION NOT NULL, write_digest BYTEA NOT NULL UNIQUE,
  read_digest BYTEA NOT NULL, old_write_digest BYTEA NOT NULL, old_until DOUBLE PRECISION NOT NULL
);
CREATE TABLE log (
  position BIGINT PRIMARY KEY, batch BIGINT NOT NULL, time DOUBLE PRECISION NOT NULL, task BIGINT NOT NULL,
  kind INTEGER NOT NULL, bulletin BYTEA NOT NULL, reports BIGINT NOT NULL, chain BYTEA NOT NULL, ids BYTEA NOT NULL,
  counts BYTEA NOT NULL, symbols BYTEA NOT NULL
);
CREATE INDEX log_of_task ON log (task, position);
CREATE TABLE bulletins (
  version TEXT PRIMARY KEY, task BIGINT NOT NULL, epoch BIGINT NOT NULL, position BIGINT NOT NULL,
  published DOUBLE PRECISION NOT NULL, data BYTEA NOT NULL, UNIQUE (task, epoch)
);
CREATE TABLE results (
  task BIGINT NOT NULL, epoch BIGINT NOT NULL, position BIGINT NOT NULL, published DOUBLE PRECISION NOT NULL,
  reports BIGINT NOT NULL, bulletin TEXT NOT NULL, lines TEXT NOT NULL, PRIMARY KEY (task, epoch)
);
CREATE TABLE kept (
  task BIGINT NOT NULL, epoch BIGINT NOT NULL, position BIGINT NOT NULL, consumed BIGINT NOT NULL,
  time DOUBLE PRECISION NOT NULL, chain BYTEA NOT NULL, opened BYTEA NOT NULL, digest BYTEA NOT NULL,
  PRIMARY KEY (task, epoch)
);
CREATE TABLE snapshots (
  task BIGINT PRIMARY KEY, position BIGINT NOT NULL, consumed BIGINT NOT NULL, state BYTEA NOT NULL,
  upto BIGINT NOT NULL, chain BYTEA NOT NULL, opened BYTEA, closed DOUBLE PRECISION, digest BYTEA NOT NULL
);
CREATE TABLE pruned (task BIGINT PRIMARY KEY, position BIGINT NOT NULL, chain BYTEA NOT NULL);
CREATE TABLE days (task BIGINT NOT NULL, day BIGINT NOT NULL, reports BIGINT NOT NULL, PRIMARY KEY (task, day));
CREATE TABLE milestones (
  task BIGINT NOT NULL, epoch BIGINT NOT NULL, position BIGINT NOT NULL, consumed BIGINT NOT NULL,
  time DOUBLE PRECISION NOT NULL, kept_digest BYTEA NOT NULL, shown BYTEA NOT NULL, state BYTEA NOT NULL,
  digest BYTEA NOT NULL, PRIMARY KEY (task, epoch)
);
CREATE TABLE kept_from (task BIGINT PRIMARY KEY, epoch BIGINT NOT NULL);
CREATE TABLE warmups (task BIGINT PRIMARY KEY, given BYTEA NOT NULL, digest BYTEA NOT NULL);
CREATE TABLE takeovers (
  task BIGINT PRIMARY KEY, epoch BIGINT NOT NULL, position BIGINT NOT NULL, consumed BIGINT NOT NULL,
  time DOUBLE PRECISION NOT NULL, kept_digest BYTEA NOT NULL, shown BYTEA NOT NULL, state BYTEA NOT NULL,
  upto BIGINT NOT NULL, chain BYTEA NOT NULL, opened BYTEA, closed DOUBLE PRECISION, digest BYTEA NOT NULL
);
CREATE TABLE inbox (
  number BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, task BIGINT NOT NULL, epoch BIGINT NOT NULL,
  bulletin BYTEA NOT NULL, reports BIGINT NOT NULL, ids BYTEA NOT NULL, counts BYTEA NOT NULL, symbols BYTEA NOT NULL
);
CREATE INDEX inbox_of_epoch ON inbox (task, epoch);
CREATE TABLE upload_ids (task BIGINT NOT NULL, epoch BIGINT NOT NULL, id UUID NOT NULL, PRIMARY KEY (task, epoch, id));
CREATE TABLE gates (task BIGINT PRIMARY KEY, open_from BIGINT NOT NULL);
CREATE TABLE requests (
  number BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, task BIGINT NOT NULL, kind INTEGER NOT NULL
);
CREATE INDEX requests_of_task ON requests (task);
CREATE TABLE sealer (
  alone BOOLEAN PRIMARY KEY CHECK (alone), fence BIGINT NOT NULL, holder TEXT NOT NULL, until TIMESTAMPTZ NOT NULL,
  position BIGINT NOT NULL, batch BIGINT NOT NULL, changes BIGINT NOT NULL, era BIGINT NOT NULL
);
CREATE TABLE workers (name TEXT PRIMARY KEY, seen TIMESTAMPTZ NOT NULL);
CREATE TABLE admins (name TEXT PRIMARY KEY, digest BYTEA NOT NULL, since TEXT NOT NULL);
CREATE TABLE deeds (
  number BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, time TEXT NOT NULL, who TEXT NOT NULL, what TEXT NOT NULL,
  task TEXT NOT NULL, detail TEXT NOT NULL
);
CREATE TABLE ended_sessions (token BYTEA NOT NULL, id TEXT NOT NULL, ends BIGINT NOT NULL, PRIMARY KEY (token, id));
ALTER TABLE inbox ALTER ids SET STORAGE EXTERNAL, ALTER symbols SET STORAGE EXTERNAL;
ALTER TABLE log ALTER ids SET STORAGE EXTERNAL, ALTER symbols SET STORAGE EXTERNAL;
INSERT INTO sealer VALUES (TRUE, 0, '', 'epoch', 0, 0, 0, 0);

-- What rights to a table (rights.py) cannot express. These policies do not bind the owner of the tables.
ALTER TABLE service ENABLE ROW LEVEL SECURITY;
CREATE POLICY reading ON service FOR SELECT USING (TRUE);
CREATE POLICY taking_over ON service FOR UPDATE USING (name = 'era');
ALTER TABLE log ENABLE ROW LEVEL SECURITY;
CREATE POLICY reading ON log FOR SELECT USING (TRUE);
CREATE POLICY adding ON log FOR INSERT WITH CHECK (TRUE);
-- Entries may go once their task is gone, or no longer keeps its reports; a minute early, as clocks differ a little.
CREATE POLICY forgetting ON log FOR DELETE USING (
  NOT EXISTS (SELECT FROM tasks WHERE tasks.number = log.task) OR EXISTS (
    SELECT FROM tasks, CAST(tasks.terms::json ->> 'reports_kept_hours' AS BIGINT) AS hours
    WHERE tasks.number = log.task AND hours > 0
    AND log.time < extract(epoch FROM clock_timestamp()) - 3600 * hours + 60
  )
);
""",
)
FORMAT = len(STEPS)
AS_OWNER = "run hgldp migrate --grant ROLE as the role that owns the tables; ROLE is that of the collectors"


def found_format(database: Database) -> int:
    """How many steps the database has taken; 0 if it has no tables of ours."""
    with database.connection() as reader:
        return _format(reader)


def migrate(database: Database, known: int = FORMAT) -> int:
    """Take the steps that are missing, each as a whole, and return how many. A later version's tables are refused."""
    taken = 0
    while (found := found_format(database)) < known:
        with _alone(database) as writer:
            if _format(writer) != found:
                continue  # somebody else has just taken this step
            writer.execute(STEPS[found].encode())
            if not found:
                facts = [("secret", os.urandom(SECRET_BYTES).hex()), ("era", str(ERA)), ("format", "1")]
                insert_all(writer, "service", facts)
            else:
                writer.execute("UPDATE service SET value = %s WHERE name = 'format'", (str(found + 1),))
            taken += 1
    check_format(found, known)
    return taken


def grant(database: Database, role: str) -> None:
    """Let a role do what a collector does, and nothing else, whatever it could do before."""
    with _alone(database) as writer:
        name = Identifier(role).as_string(writer)
        rights = [f"{', '.join(some)} ON {table}" for table, some in RIGHTS.items()]
        revoked = f"ALL ON {', '.join(RIGHTS)}", f"ALL ON SEQUENCE {', '.join(SEQUENCES)}", "CREATE ON SCHEMA public"
        for each in revoked:
            writer.execute(f"REVOKE {each} FROM {name}, PUBLIC".encode())
        for each in ("USAGE ON SCHEMA public", f"USAGE ON SEQUENCE {NUMBERS}", *rights):
            writer.execute(f"GRANT {each} TO {name}".encode())


@contextmanager
def _alone(database: Database) -> Iterator[Connection]:
    """The transaction of a migration or a grant, one at a time. The error names a connection that keeps a lock."""
    try:
        with database.transaction() as writer:
            writer.execute(f"SET LOCAL lock_timeout = '{LOCK_SECONDS}s'".encode())
            writer.execute("SELECT pg_advisory_xact_lock(%s)", (MIGRATING,))
            yield writer
    except StorageFailed as failure:
        if not isinstance(failure.__cause__, LockNotAvailable):
            raise
        raise StorageFailed(_kept_waiting(database)) from failure


def _kept_waiting(database: Database) -> str:
    with database.connection() as reader:
        found = reader.execute(HOLDERS, (MIGRATING, [*RIGHTS])).fetchall()
    holders = ", ".join(f"{pid} ({role})" for pid, role in found) or "one that is gone now"
    return (
        f"hgldp migrate waited {LOCK_SECONDS:g} s for a lock. These connections hold it, by pid and role: {holders}. "
        "Unless that is another hgldp migrate, end it as a superuser or as that role: SELECT pg_terminate_backend(pid)"
    )


def check_format(found: int, known: int = FORMAT) -> None:
    """Refuse a database that another version has to work with."""
    if found > known:
        raise DamagedLog(
            f"the database has the format {found} of a later version, and this one reads up to {known}: install the "
            "later one. Nothing goes back to an earlier format"
        )
    if found < known:
        there = f"has the format {found}" if found else "has no tables of ours"
        raise DamagedLog(f"the database {there}, and this version needs the format {known}: {AS_OWNER}")


def prepare(database: Database) -> None:
    """Before a collector starts: an empty database gets its tables; any other must have this version's."""
    found = found_format(database)
    if found:
        check_format(found)
        return
    try:
        migrate(database)
    except StorageFailed as failure:
        if found_format(database) != FORMAT:  # somebody else may have made them meanwhile
            raise DamagedLog(
                f"the database has no tables of ours, and they could not be made ({failure}): {AS_OWNER}"
            ) from failure


def _format(reader: Connection) -> int:
    there = reader.execute("SELECT to_regclass('service')").fetchone()
    if there is None or there[0] is None:
        return 0
    row = reader.execute("SELECT value FROM service WHERE name = 'format'").fetchone()
    return int(row[0]) if row else 0
