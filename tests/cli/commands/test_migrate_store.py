"""`hgldp migrate --store`: what it did, who may use the tables, and what to do where a right is missing."""

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from urllib.parse import urlsplit

import psycopg
import pytest

from hgldp.collector.log.postgres import migrations
from hgldp.collector.log.postgres.database import Database
from hgldp.collector.log.postgres.migrations import FORMAT, STEPS, found_format, migrate
from hgldp.errors import StorageFailed
from tests.cli.conftest import run
from tests.patience import PATIENCE, until

Capture = pytest.CaptureFixture[str]
ROLE, OTHER = "migrates_collector", "migrates_other"


@pytest.fixture
def collectors_url(postgres_url: str) -> Iterator[str]:
    """As a role that has no rights yet."""
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        for role in (ROLE, OTHER):
            connection.execute(f"CREATE ROLE {role} LOGIN".encode())
    yield postgres_url.replace("postgres@", f"{ROLE}@")
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        for role in (ROLE, OTHER):
            connection.execute(f"DROP OWNED BY {role}".encode())
            connection.execute(f"DROP ROLE {role}".encode())


@pytest.mark.usefixtures("collectors_url")
def test_it_says_what_it_did(postgres_url: str, capsys: Capture) -> None:
    """Before: it said the same whether it had granted anything or not."""
    name, words = urlsplit(postgres_url).path[1:], ("migrate", "--store", postgres_url)
    assert run(capsys, *words)[1] == f"Database {name} is at format 1 (1 step taken).\n"
    assert run(capsys, *words)[1] == f"Database {name} is at format 1 (nothing to do).\n"
    out = run(capsys, *words, "--grant", ROLE, "--grant", OTHER)[1]
    assert out == (
        f"Database {name} is at format 1 (nothing to do). {ROLE} may do what a collector does. "
        f"{OTHER} may do what a collector does.\n"
    )
    assert json.loads(run(capsys, *words, "--json")[1]) == {"steps": 0, "format": 1, "granted": []}


def test_nothing_is_done_for_a_role_that_does_not_exist(postgres_url: str, capsys: Capture) -> None:
    """Before: the tables were made, and only then the role was refused."""
    code, _, err = run(capsys, "migrate", "--store", postgres_url, "--grant", "postgres", "--grant", "nobody")
    assert (code, "--grant must name a role that is there (CREATE ROLE makes one), got nobody" in err) == (2, True)
    database = Database(postgres_url)
    assert found_format(database) == 0
    database.close()


def test_whoever_lacks_a_right_learns_how_to_get_it(postgres_url: str, collectors_url: str, capsys: Capture) -> None:
    advice = "run hgldp migrate --grant ROLE as the role that owns the tables"
    code, _, err = run(capsys, "migrate", "--store", collectors_url)
    assert code == 2
    assert "permission denied for schema public: only the owner of the tables can" in err
    code, _, err = run(capsys, "serve", "--port", "1", "--store", collectors_url)
    assert code == 2
    assert "the database has no tables of ours, and they could not be made (permission denied for schema public)" in err
    run(capsys, "migrate", "--store", postgres_url)
    for words in (("serve", "--port", "1"), ("replay",), ("admin", "list")):
        code, _, err = run(capsys, *words, "--store", collectors_url)
        assert (code, f"permission denied for table service: {advice}" in err) == (2, True), err


def test_a_role_that_cannot_grant_does_not_say_that_it_did(
    postgres_url: str, collectors_url: str, capsys: Capture
) -> None:
    """PostgreSQL only warns where somebody grants what is not his to grant, if he has some right himself."""
    run(capsys, "migrate", "--store", postgres_url, "--grant", ROLE)
    code, out, err = run(capsys, "migrate", "--store", collectors_url, "--grant", OTHER)
    assert (code, out) == (2, "")
    assert "permission denied for table deeds: only the owner of the tables can" in err
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        connection.execute(f"GRANT SELECT ON deeds TO {ROLE}".encode())
        connection.execute(f"GRANT SELECT ON ALL SEQUENCES IN SCHEMA public TO {ROLE}".encode())
    code, out, err = run(capsys, "migrate", "--store", collectors_url, "--grant", OTHER)
    assert (code, out) == (2, "")
    assert f"{OTHER} got no rights: run hgldp migrate as the role that owns the tables" in err


def test_a_role_that_could_do_more_can_do_it_no_longer(postgres_url: str, collectors_url: str, capsys: Capture) -> None:
    """Before: every right that a role once had stayed with it."""
    run(capsys, "migrate", "--store", postgres_url, "--grant", ROLE)
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        connection.execute(f"GRANT INSERT, UPDATE (digest) ON admins TO {ROLE}".encode())
        connection.execute(f"GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO {ROLE}".encode())
        connection.execute(b"GRANT CREATE ON SCHEMA public TO PUBLIC")  # as in databases from before PostgreSQL 15
    run(capsys, "migrate", "--store", postgres_url, "--grant", ROLE)
    for verb in (
        "INSERT INTO admins VALUES ('mine', '', '')",
        "UPDATE admins SET digest = ''",
        "SELECT setval('deeds_number_seq', 1)",
        "SELECT setval('task_numbers', 1)",
        "CREATE TABLE mine (a int)",
    ):
        with psycopg.connect(collectors_url) as connection, pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute(verb.encode())


def waiting(url: str, connection: psycopg.Connection) -> bool:
    """Whether it waits for a lock."""
    with psycopg.connect(url) as reader:
        sql = "SELECT FROM pg_locks WHERE pid = %s AND NOT granted"
        return reader.execute(sql, (connection.info.backend_pid,)).fetchone() is not None


@pytest.mark.parametrize("lock", [f"SELECT pg_advisory_xact_lock({migrations.MIGRATING})", "LOCK log"])
def test_the_error_names_the_connection_with_the_lock_and_nothing_changes(
    postgres_url: str, collectors_url: str, capsys: Capture, monkeypatch: pytest.MonkeyPatch, lock: str
) -> None:
    """Before: migrate waited for as long as a collector's connection kept the lock."""
    run(capsys, "migrate", "--store", postgres_url, "--grant", ROLE)
    monkeypatch.setattr(migrations, "LOCK_SECONDS", 0.2)
    monkeypatch.setattr(migrations, "STEPS", (*STEPS, "ALTER TABLE log ADD more int"))
    with (
        closing(Database(postgres_url)) as database,
        ThreadPoolExecutor(1) as thread,
        psycopg.connect(collectors_url) as behind,
        psycopg.connect(collectors_url) as connection,
    ):
        connection.execute(lock.encode())
        behind.execute("SELECT count(*) FROM log" if "advisory" in lock else "SELECT count(*) FROM inbox")
        waits = thread.submit(behind.execute, lock.encode())
        until(lambda: waiting(postgres_url, behind))
        with pytest.raises(StorageFailed) as refused:
            migrate(database, FORMAT + 1)
        pid = connection.info.backend_pid
        assert f"These connections hold it, by pid and role: {pid} ({ROLE}). Unless" in str(refused.value)
        assert found_format(database) == FORMAT
        connection.rollback()
        waits.result(PATIENCE)
        behind.rollback()
        assert migrate(database, FORMAT + 1) == 1


def test_a_lock_that_is_kept_ends_migrate_with_one_error(
    postgres_url: str, collectors_url: str, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(migrations, "LOCK_SECONDS", 0.2)
    with psycopg.connect(collectors_url) as connection:
        connection.execute("SELECT pg_advisory_lock(%s)", (migrations.MIGRATING,))
        code, out, err = run(capsys, "migrate", "--store", postgres_url, "--grant", ROLE)
    assert (code, out) == (2, "")
    assert "SELECT pg_terminate_backend(pid)" in err


def test_the_owner_of_the_tables_keeps_its_rights(postgres_url: str, capsys: Capture) -> None:
    code, _, err = run(capsys, "migrate", "--store", postgres_url, "--grant", "postgres")
    assert (code, "--grant must name neither the role that owns the tables" in err) == (2, True)


def test_only_the_owner_changes_admins_and_reads_their_log(
    postgres_url: str, collectors_url: str, capsys: Capture
) -> None:
    run(capsys, "migrate", "--store", postgres_url, "--grant", ROLE)
    run(capsys, "admin", "add", "anna", "--store", postgres_url)
    for words in (("add", "mine"), ("rotate", "anna"), ("log",)):
        code, out, err = run(capsys, "admin", *words, "--store", collectors_url)
        assert (code, out) == (2, ""), words
        assert "only the owner of the tables can do that" in err
    assert "anna" in run(capsys, "admin", "list", "--store", collectors_url)[1]
    assert "admin added" in run(capsys, "admin", "log", "--store", postgres_url)[1]
