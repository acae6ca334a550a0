"""Under the role of deploy/several/postgres/roles.sql a collector does all its work, and nobody can do much else."""

import asyncio
import os
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing

import httpx
import psycopg
import pytest

from hgldp.collector.app import build_app
from hgldp.collector.collector import Collector
from hgldp.collector.donation import Donation
from hgldp.collector.log.postgres.database import Database
from hgldp.collector.log.takeover.era import ERA
from hgldp.collector.problems import Problem, Refused
from hgldp.collector.settings import Settings
from hgldp.collector.shared.office import SharedOffice
from hgldp.collector.tokens import digest
from hgldp.collector.views import Receipt, TaskTerms, TaskView
from hgldp.collector.writer import housekeeping
from tests.collector.fakes import HOT, SEARCH, STRINGS, FakeClock, create, now, upload
from tests.postgres import programs
from tests.slow.deploy.files import DEPLOY
from tests.slow.deploy.several import COLLECTOR, COLLECTOR_PASSWORD, OWNER, OWNER_PASSWORD, Prepared, prepared

MANUAL = (DEPLOY.parent / "docs/several-collectors.md").read_text(encoding="utf-8")
HOUR = 3_600
GONE = ("log", "bulletins", "results", "kept", "milestones", "snapshots", "warmups", "upload_ids", "gates", "days")
AGES_AGO = 100 * HOUR
MAKES = [
    "CREATE TABLE mine (a int)", "CREATE TEMP TABLE mine (a int)", "CREATE SCHEMA mine", "CREATE ROLE mine",
    "CREATE DATABASE mine", "CREATE FUNCTION mine() RETURNS int LANGUAGE sql AS 'SELECT 1'", "TRUNCATE log",
    "DROP TABLE log", "ALTER TABLE log ADD mine int", "CREATE INDEX ON log (time)", "SELECT setval('task_numbers', 1)",
    "ALTER TABLE log DISABLE ROW LEVEL SECURITY", "DROP POLICY forgetting ON log",
    "ALTER TABLE deeds OWNER TO CURRENT_USER",
    "SELECT pg_read_file('PG_VERSION')", "SELECT rolpassword FROM pg_authid", "ALTER ROLE hgldp_owner PASSWORD 'mine'",
    "ALTER ROLE hgldp_collector CONNECTION LIMIT -1",
]  # fmt: skip
SEIZES = [
    "INSERT INTO admins VALUES ('mine', '', '')", "UPDATE admins SET digest = ''", "DELETE FROM admins",
    "TRUNCATE admins", "SELECT FROM admins FOR UPDATE", "DO $$ BEGIN LOCK admins; END $$",
    "SELECT * FROM deeds", "UPDATE deeds SET who = 'another'", "DELETE FROM deeds", "TRUNCATE deeds",
    "INSERT INTO deeds OVERRIDING SYSTEM VALUE VALUES (-1, '', '', '', '', '')", "DO $$ BEGIN LOCK deeds; END $$",
    "UPDATE log SET symbols = ''", "UPDATE log SET time = 0", "UPDATE results SET lines = ''",
    "UPDATE bulletins SET data = ''", "UPDATE tasks SET terms = ''",
    "DELETE FROM service", "INSERT INTO service VALUES ('mine', '')", "UPDATE service SET name = 'mine'",
    "DELETE FROM sealer", "INSERT INTO sealer SELECT * FROM sealer",
    "SELECT lo_create(0)", "SELECT lo_creat(-1)", "SELECT lo_from_bytea(0, '')", "SELECT lo_import('/etc/hostname')",
]  # fmt: skip
PASSES_BY = [
    "DELETE FROM log", "UPDATE service SET value = '99' WHERE name = 'format'",
    "UPDATE service SET value = '' WHERE name = 'secret'",
]  # fmt: skip


KEPT = {
    "default_transaction_read_only": "off", "idle_in_transaction_session_timeout": "30s", "search_path": "public",
    "temp_file_limit": "64MB",
}  # fmt: skip


@pytest.fixture(scope="module")
def database() -> Iterator[Prepared]:
    with prepared() as found:
        found.make_tables()
        yield found


@pytest.fixture
def as_collector(database: Prepared) -> Iterator[psycopg.Connection]:
    with database.connect(COLLECTOR, COLLECTOR_PASSWORD) as connection:
        yield connection


def refused(connection: psycopg.Connection, statement: str) -> bool:
    try:
        connection.execute(statement.encode())
    except psycopg.Error as failure:
        return isinstance(failure, psycopg.errors.InsufficientPrivilege)
    return False


def collector_url(database: Prepared) -> str:
    return f"postgresql://{COLLECTOR}:{COLLECTOR_PASSWORD}@127.0.0.1:{database.port}/hgldp"


def read(database: Prepared, sql: str) -> list[tuple[object, ...]]:
    """As the owner."""
    with database.connect(OWNER, OWNER_PASSWORD) as owner:
        return owner.execute(sql.encode()).fetchall()


def office(database: Prepared) -> SharedOffice:
    """The operator's."""
    return SharedOffice(Database(database.owner_url))


def test_a_collector_can_make_nothing_and_seize_nothing(as_collector: psycopg.Connection) -> None:
    assert [each for each in MAKES + SEIZES if not refused(as_collector, each)] == []


def test_a_role_with_too_many_rights_would_be_noticed(database: Prepared) -> None:
    """The owner may do most of it, but nothing to the server."""
    with database.connect(OWNER, OWNER_PASSWORD) as owner:
        may = []
        for each in MAKES + SEIZES:
            with owner.transaction(force_rollback=True):
                try:
                    with owner.transaction():
                        owner.execute(each.encode())
                except (psycopg.errors.InsufficientPrivilege, psycopg.errors.ActiveSqlTransaction):
                    continue
                except psycopg.Error:
                    pass  # it may, and something else is wrong with it
                may.append(each)
    assert set(MAKES + SEIZES) - set(may) == {
        "CREATE ROLE mine", "CREATE DATABASE mine", "SELECT pg_read_file('PG_VERSION')",
        "SELECT rolpassword FROM pg_authid", "ALTER ROLE hgldp_collector CONNECTION LIMIT -1",
        "SELECT lo_create(0)", "SELECT lo_creat(-1)", "SELECT lo_from_bytea(0, '')",
        "SELECT lo_import('/etc/hostname')",
    }  # fmt: skip


@pytest.mark.parametrize("other", ["postgres", "template1"])
def test_a_collector_enters_no_other_database(database: Prepared, other: str) -> None:
    with pytest.raises(psycopg.OperationalError, match=f'permission denied for database "{other}"'):
        database.connect(COLLECTOR, COLLECTOR_PASSWORD, other)


def test_a_collector_cannot_take_all_connections(database: Prepared) -> None:
    limit = (
        "SELECT rolconnlimit, current_setting('max_connections')::int FROM pg_roles WHERE rolname = 'hgldp_collector'"
    )
    ((most, all_of_them),) = read(database, limit)
    assert 0 < int(str(most)) <= int(str(all_of_them)) - 13


def test_a_collector_cannot_fill_the_disk_with_one_query(database: Prepared) -> None:
    """Of itself a role can reset all settings but those that only a superuser may set."""
    with database.connect(COLLECTOR, COLLECTOR_PASSWORD) as collector:
        collector.execute(f"ALTER ROLE {COLLECTOR} RESET ALL".encode())
    with database.connect(COLLECTOR, COLLECTOR_PASSWORD) as collector:
        for each in ("SET", f"ALTER ROLE {COLLECTOR} SET", f"ALTER ROLE {COLLECTOR} IN DATABASE hgldp SET"):
            assert refused(collector, f"{each} temp_file_limit = -1"), each
        with pytest.raises(psycopg.errors.ConfigurationLimitExceeded, match="temporary file size exceeds"):
            collector.execute(b"SELECT number FROM generate_series(1, 9000000) AS number ORDER BY number DESC OFFSET 1")
    assert database.run_roles().returncode == 0


def test_the_roles_can_be_made_again_and_no_stranger_gets_in(database: Prepared) -> None:
    """What a role has changed of itself is undone: PostgreSQL lets every role do that."""
    with database.connect(COLLECTOR, COLLECTOR_PASSWORD) as collector:
        for each in ("", " IN DATABASE hgldp"):
            collector.execute(f"ALTER ROLE {COLLECTOR}{each} SET default_transaction_read_only = on".encode())
        collector.execute(f"ALTER ROLE {COLLECTOR} PASSWORD 'another-long-password'".encode())
    assert database.run_roles().returncode == 0
    with database.connect(COLLECTOR, COLLECTOR_PASSWORD) as collector:
        shown = [collector.execute(f"SHOW {each}".encode()).fetchone() for each in KEPT]
        assert shown == [(each,) for each in KEPT.values()]
    with pytest.raises(psycopg.OperationalError, match="password authentication failed"):
        database.connect(COLLECTOR, OWNER_PASSWORD)
    with database.connect("postgres", "") as root:
        root.execute("CREATE ROLE stranger LOGIN PASSWORD 'x'")
    with pytest.raises(psycopg.OperationalError, match="permission denied for database"):
        database.connect("stranger", "x")


@pytest.mark.parametrize("lost", ["OWNER", "COLLECTOR"])
def test_without_a_password_no_role_is_changed(database: Prepared, lost: str) -> None:
    done = database.run_roles(lost)
    assert done.returncode != 0
    assert "must each name a file with a password of 16 characters or more" in done.stderr
    with database.connect(OWNER, OWNER_PASSWORD), database.connect(COLLECTOR, COLLECTOR_PASSWORD):
        pass


def test_no_entry_goes_that_its_task_still_keeps(database: Prepared, as_collector: psycopg.Connection) -> None:
    """PostgreSQL passes by what a policy hides. An attacker would have to delete the task, as an admin can."""
    clock = FakeClock()
    clock.wall = time.time()
    with closing(Collector.join(collector_url(database), clock=clock, threaded=False)) as collector:
        (view,) = create(collector, HOT, reports_kept_hours=1)
        send(collector, view, 4)
        assert [as_collector.execute(each.encode()).rowcount for each in PASSES_BY] == [0] * len(PASSES_BY)
        assert read(database, "SELECT count(*) FROM log") == [(1,)]
        collector.delete_task(view.id)
        assert as_collector.execute(b"DELETE FROM log").rowcount == 1


def send(collector: Collector, view: TaskView, reports: int) -> object:
    shown = now(collector, view)
    offered = collector.offer(shown, upload(shown, reports, shown.bulletins[0]))
    collector.step()
    assert collector.ready
    return offered.outcome


def work(database: Prepared) -> None:
    """All that collectors do, as in four days: under a right that is missing, something of it fails."""
    clock, url = FakeClock(), collector_url(database)
    clock.wall = time.time() - AGES_AGO
    with closing(office(database)._database) as operators:
        token = SharedOffice(operators).add("anna")
    with closing(Collector.join(url, clock=clock, threaded=False)) as first:
        first.step()
        hot, search = create(first, HOT, SEARCH, reports_per_day=1_000, reports_kept_hours=24, results_kept_days=1)
        (strings,) = create(first, STRINGS)
        given = first.create_task(
            SEARCH.__class__("pfr", SEARCH.budget, SEARCH.domain, k=1, cells=16, memory=4096, epoch=9),
            TaskTerms("given", warmup=3), Donation(((1, 2), (4, 1))),
        )  # fmt: skip
        for _ in range(AGES_AGO // (6 * HOUR)):
            for view in (hot, search):
                assert send(first, view, 9) == Receipt(9)
                first.seal(view.id)
            clock.advance(6 * HOUR)
            housekeep(first, clock, 3)
        assert first.storage.pruned(search.number), "reports were deleted, as their task wants it"
        assert first.storage.kept_from(search.number), "and results"
        over = send(first, hot, 4_096)
        assert isinstance(over, Refused)
        assert over.problem is Problem.DAILY_CAP_REACHED
        first.change_task(strings.id, name="renamed", write_digest=digest("new"))
        first.close_task(strings.id)
        first.delete_task(given.id)
        asyncio.run(look(first, token, hot))
        first.storage.probe()
        first._writer._intake.failing = True  # type: ignore[union-attr]
        first._writer._intake.recheck()  # type: ignore[union-attr]
    with database.connect(OWNER, OWNER_PASSWORD) as owner:
        owner.execute("UPDATE service SET value = %s WHERE name = 'era'", (str(ERA - 1),))
    with closing(Collector.join(url, clock=clock, threaded=False)) as second:
        second.step()
        assert send(second, hot, 3) == Receipt(3)
        for view in second.tasks():
            second.delete_task(view.id)
        housekeep(second, clock, 40)
    assert {each: read(database, f"SELECT count(*) FROM {each}") for each in GONE} == {each: [(0,)] for each in GONE}  # noqa: S608


def housekeep(collector: Collector, clock: FakeClock, times: int) -> None:
    for _ in range(times):
        clock.advance(housekeeping.ROUND_SECONDS)
        collector.step()
        assert collector.ready


async def look(collector: Collector, token: str, view: TaskView) -> None:
    """Sign in, see the dashboard, and end an epoch, which is noted."""
    transport = httpx.ASGITransport(build_app(collector, Settings(store="postgresql://db/x")))
    async with httpx.AsyncClient(transport=transport, base_url="http://collector") as http:
        http.headers["authorization"] = f"Bearer {token}"
        for path in ("/", "/v1/tasks", f"/v1/tasks/{view.id.hex()}", "/metrics", "/ready"):
            assert (await http.get(path)).status_code == 200, path
        renamed = await http.post(f"/v1/tasks/{view.id.hex()}/rename", json={"name": "Drinks"})
        assert renamed.status_code == 200, renamed.text


def test_a_collector_does_all_its_work_under_its_role(database: Prepared) -> None:
    work(database)
    ((who, what),) = read(database, "SELECT who, what FROM deeds")
    assert (who, what) == ("anna", "task renamed")


def test_a_dump_is_restored_as_the_manual_says(database: Prepared) -> None:
    """pg_dump as the owner also dumps that nobody may make large objects, which only a superuser can say again."""
    dump, found = database.folder / "hgldp.dump", programs()
    assert found is not None
    place = ["--host=127.0.0.1", f"--port={database.port}", f"--username={OWNER}"]
    words = next(line for line in MANUAL.splitlines() if "pg_restore" in line and "--dbname" in line).split()
    options = [each for each in words if each in ("--no-owner", "--no-privileges", "--single-transaction")]
    known = os.environ | {"PGPASSWORD": OWNER_PASSWORD}
    subprocess.run([found / "pg_dump", *place, "--format=custom", f"--file={dump}", "hgldp"], env=known, check=True)
    with database.connect("postgres", "", "postgres") as root:
        root.execute("DROP DATABASE hgldp")
    assert database.run_roles().returncode == 0
    subprocess.run([found / "pg_restore", *place, *options, "--dbname=hgldp", dump], env=known, check=True)
    database.make_tables()
    with database.connect(COLLECTOR, COLLECTOR_PASSWORD) as collector:
        assert [each for each in MAKES + SEIZES if not refused(collector, each)] == []
