"""`hgldp doctor` and a shared store: a sound one passes, and each illness that we planted is named with its cure."""

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import psycopg
import pytest

from hgldp.cli.commands.doctor import store as checks
from hgldp.cli.commands.doctor.finding import OK, PROBLEM, WARNING, Finding
from hgldp.cli.commands.doctor.store import check_store
from hgldp.collector.collector import Collector
from hgldp.collector.log.postgres.database import Database
from hgldp.collector.log.postgres.migrations import grant, migrate
from tests.cli.conftest import run
from tests.collector.fakes import FakeClock
from tests.postgres import running

Capture = pytest.CaptureFixture[str]
ROLE = "doctors_collector"


def found(url: str, environment: dict[str, str] | None = None) -> dict[str, Finding]:
    return {each.check: each for each in check_store(url, environment or {})}


def change(url: str, *statements: str) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        for each in statements:
            connection.execute(each.encode())


@pytest.fixture
def store(postgres_url: str) -> Iterator[str]:
    """Its address as a role that may only read and write; the tables belong to somebody else."""
    database = Database(postgres_url)
    migrate(database)
    change(postgres_url, f"DROP ROLE IF EXISTS {ROLE}", f"CREATE ROLE {ROLE} LOGIN")
    grant(database, ROLE)
    database.close()
    yield postgres_url.replace("postgres@", f"{ROLE}@")
    change(postgres_url, f"DROP OWNED BY {ROLE}", f"DROP ROLE {ROLE}")


def test_a_sound_store_passes_and_no_folder_is_looked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    """Before: the doctor knew only folders, and called a healthy collector ill."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("HGLDP_STORE", raising=False)
    with running(fsync="on") as server:
        url = server.new_database()
        file = tmp_path / "store"
        file.touch(0o600)
        file.write_text(url)
        monkeypatch.setenv("HGLDP_STORE_FILE", str(file))
        collector = Collector.join(url, clock=FakeClock(), threaded=False)
        collector.step()
        code, out, _ = run(capsys, "doctor", "--json")
        page = run(capsys, "doctor")[1]
        collector.close()
    verdicts = {each["check"]: each["verdict"] for each in json.loads(out)}
    assert code == 0, out
    assert "folder" not in verdicts
    sound = ("address", "database", "PostgreSQL", "durability", "clocks", "format", "era", "admins", "collectors")
    for each in (*sound, "sealer", "inbox", "connections"):
        assert verdicts[each] == OK, out
    assert f"The collector with the store postgresql://127.0.0.1:{server.port}/" in page


def test_a_folder_that_is_typed_wins_over_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.setenv("HGLDP_STORE", "postgresql://nobody@127.0.0.1:1/none")
    (tmp_path / "hgldp.toml").write_text('store = "postgresql://nobody@127.0.0.1:1/none"')
    out = run(capsys, "doctor", "--data", str(tmp_path), "--config", str(tmp_path / "hgldp.toml"), "--json")[1]
    assert "folder" not in {each["check"] for each in json.loads(out)}
    assert {"disk", "permissions"} <= {each["check"] for each in json.loads(out)}


def test_a_loss_is_accepted_only_in_a_folder(tmp_path: Path, store: str, capsys: Capture) -> None:
    code, _, err = run(capsys, "doctor", "--store", store, "--accept-loss")
    assert (code, "--accept-loss must come with --data" in err) == (2, True)


def test_what_the_administrator_has_set_is_judged(store: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The server of the tests does not sync."""
    assert (found(store)["durability"].verdict, found(store)["durability"].do) == (
        PROBLEM, "set fsync to on, in postgresql.conf or for the role",
    )  # fmt: skip
    change(store, f"ALTER ROLE {ROLE} SET synchronous_commit = off")
    assert "fsync, synchronous_commit off" in found(store)["durability"].says
    checksums = found(store)["data checksums"]
    assert (checksums.verdict, "pg_checksums --enable" in checksums.do) == (WARNING, True)
    assert found(store)["PostgreSQL"].verdict == OK
    monkeypatch.setattr(checks, "OLDEST", 990_000)
    assert found(store)["PostgreSQL"].verdict == PROBLEM


def test_a_clock_that_differs_from_the_databases_is_named(store: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert found(store)["clocks"].verdict == OK
    right = checks.time.time
    monkeypatch.setattr(checks.time, "time", lambda: right() - 3_600)
    clocks = found(store)["clocks"]
    assert (clocks.verdict, "3,600 s behind the database" in clocks.says) == (WARNING, True)


def test_rights_are_judged(store: str, postgres_url: str) -> None:
    assert found(store)["rights"] == Finding("rights", OK, f"{ROLE} may do what a collector does")
    assert found(postgres_url)["rights"].verdict == WARNING
    for lost, named in (
        ("DELETE ON inbox", "inbox"),
        ("ALL ON log", "log"),
        ("ALL ON SEQUENCE task_numbers", "task_numbers"),
    ):
        change(postgres_url, f"REVOKE {lost} FROM {ROLE}")
        rights = found(store)["rights"]
        assert (rights.verdict, named in rights.says) == (PROBLEM, True)
        assert rights.do == f"run hgldp migrate --grant {ROLE}, as the owner of the tables"
    change(postgres_url, f"GRANT ALL ON log, inbox TO {ROLE}", f"GRANT USAGE ON SEQUENCE task_numbers TO {ROLE}")
    change(postgres_url, f"GRANT DELETE ON deeds TO {ROLE}")
    rights = found(store)["rights"]
    assert (rights.verdict, rights.says) == (
        WARNING,
        f"{ROLE} has more rights than a collector needs to deeds, inbox, log",
    )
    change(postgres_url, "REVOKE USAGE ON SCHEMA public FROM PUBLIC", f"REVOKE ALL ON SCHEMA public FROM {ROLE}")
    assert found(store)["rights"].says == f"{ROLE} may not use the schema public"


@pytest.mark.parametrize("more", ["SELECT", "TRIGGER", "REFERENCES", "UPDATE (who)", "INSERT (number)"])
def test_a_right_to_read_to_hook_or_to_one_column_is_named_too(store: str, postgres_url: str, more: str) -> None:
    change(postgres_url, f"GRANT {more} ON deeds TO {ROLE}")
    rights = found(store)["rights"]
    assert (rights.verdict, rights.says) == (WARNING, f"{ROLE} has more rights than a collector needs to deeds")
    with closing(Database(postgres_url)) as database:
        grant(database, ROLE)
    assert found(store)["rights"].verdict == OK, "hgldp migrate --grant takes it away, as the advice says"


@pytest.mark.parametrize(
    ("more", "named"),
    [
        (f"CREATE ON SCHEMA public TO {ROLE}", "the schema public"),
        ("CREATE ON SCHEMA public TO PUBLIC", "the schema public"),
        (f"UPDATE ON SEQUENCE deeds_number_seq TO {ROLE}", "deeds_number_seq"),
        (f"ALL ON SEQUENCE task_numbers TO {ROLE}", "task_numbers"),
        ("DELETE ON deeds TO PUBLIC", "deeds"),
    ],
)
def test_a_right_to_create_or_to_set_a_sequence_is_named_too(
    store: str, postgres_url: str, more: str, named: str
) -> None:
    change(postgres_url, f"GRANT {more}")
    rights = found(store)["rights"]
    assert (rights.verdict, rights.says) == (WARNING, f"{ROLE} has more rights than a collector needs to {named}")
    if named == "the schema public":
        change(postgres_url, rights.do.removeprefix("as a superuser, run "))
    else:
        with closing(Database(postgres_url)) as database:
            grant(database, ROLE)
    assert found(store)["rights"].verdict == OK, "the advice helps"


@pytest.mark.parametrize(
    ("change_of_it", "cure"),
    [
        ("ALTER TABLE log DISABLE ROW LEVEL SECURITY", "ALTER TABLE log ENABLE ROW LEVEL SECURITY"),
        ("CREATE POLICY more ON log FOR DELETE USING (TRUE)", "DROP POLICY more ON log"),
        (f"CREATE POLICY more ON service TO {ROLE} USING (TRUE)", "DROP POLICY more ON service"),
        (f"ALTER ROLE {ROLE} BYPASSRLS", f"ALTER ROLE {ROLE} NOBYPASSRLS"),
        (f"CREATE ROLE auditor BYPASSRLS ROLE {ROLE}", "ALTER ROLE auditor NOBYPASSRLS"),
    ],
)
def test_row_security_that_does_not_bind_the_role_is_named(
    store: str, postgres_url: str, change_of_it: str, cure: str
) -> None:
    change(postgres_url, change_of_it)
    rights = found(store)["rights"]
    assert (rights.verdict, rights.do) == (WARNING, f"as a superuser, run {cure}")
    change(postgres_url, cure)
    assert found(store)["rights"].verdict == OK


def test_policies_that_give_a_collector_nothing_are_nothing_to_name(store: str, postgres_url: str) -> None:
    change(
        postgres_url,
        "CREATE POLICY another ON log TO pg_monitor USING (TRUE)",
        "CREATE POLICY narrower ON log AS RESTRICTIVE USING (TRUE)",
        "CREATE POLICY again ON log FOR SELECT USING (TRUE)",
    )
    assert found(store)["rights"].verdict == OK


@pytest.mark.parametrize(("name", "constant", "earlier"), [("format", "FORMAT", PROBLEM), ("era", "ERA", WARNING)])
def test_another_version_is_named(
    store: str, monkeypatch: pytest.MonkeyPatch, name: str, constant: str, earlier: str
) -> None:
    """Of an earlier era the next start takes over, so that is only a warning."""
    now = getattr(checks, constant)
    for ours, verdict, says in (
        (now, OK, f"{now}"),
        (now - 1, PROBLEM, f"{now}, from a newer version"),
        (now + 1, earlier, f"{now}, from an older version"),
    ):
        monkeypatch.setattr(checks, constant, ours)
        assert (found(store)[name].verdict, found(store)[name].says) == (verdict, says)


def test_an_empty_database_is_named(postgres_url: str) -> None:
    assert found(postgres_url)["format"] == Finding(
        "format", PROBLEM, "there are no tables yet", "run hgldp migrate, as a role that may make tables"
    )


def test_who_seals_is_told_and_that_nobody_does(store: str) -> None:
    assert found(store)["sealer"] == Finding("sealer", OK, "nobody, as no collector runs")
    change(store, "INSERT INTO workers VALUES ('one', clock_timestamp()), ('gone', 'epoch')")
    assert found(store)["collectors"].says == "1 here"
    assert (found(store)["sealer"].verdict, "nobody seals" in found(store)["sealer"].says) == (PROBLEM, True)
    change(store, "UPDATE sealer SET holder = 'one', until = clock_timestamp() + interval '9s'")
    assert (found(store)["sealer"].verdict, found(store)["sealer"].says.startswith("one; another takes over in ")) == (
        OK,
        True,
    )


def test_what_waits_is_told_and_that_it_is_much(store: str, monkeypatch: pytest.MonkeyPatch) -> None:
    row = "(task, epoch, bulletin, reports, ids, counts, symbols) VALUES (1, 0, '', 7, '1234', '', '')"
    change(store, f"INSERT INTO inbox {row}")
    assert found(store)["inbox"] == Finding("inbox", OK, "7 reports waiting, 4 B")
    monkeypatch.setattr(checks, "MUCH", 3)
    assert found(store)["inbox"].verdict == WARNING


def test_connections_must_be_enough_for_all_collectors(store: str) -> None:
    assert found(store)["connections"].verdict == OK
    change(store, "INSERT INTO workers SELECT generate_series(1, 9)::text, clock_timestamp()")
    connections = found(store)["connections"]
    assert (connections.verdict, "9 collectors may take 99" in connections.says) == (WARNING, True)
    change(store.replace(f"{ROLE}@", "postgres@"), f"ALTER ROLE {ROLE} CONNECTION LIMIT 50")
    assert found(store)["connections"].says.startswith("50 for collectors and others")


def test_an_address_that_others_can_read_is_named_and_its_password_never_shown(tmp_path: Path, store: str) -> None:
    url, file = store.replace("@", ":a-secret@"), tmp_path / "store"
    file.write_text(url)
    for mode, verdict in ((0o644, PROBLEM), (0o660, PROBLEM), (0o640, OK), (0o400, OK)):
        file.chmod(mode)
        judged = found(url, {"HGLDP_STORE_FILE": str(file)})
        assert judged["address"].verdict == verdict
        assert "a-secret" not in str(judged)
    for given, says in (({"HGLDP_STORE": url}, "in the environment"), ({}, "was typed")):
        address = found(url, given)["address"]
        assert (address.verdict, says in address.says) == (WARNING, True)
    assert found(store)["address"].verdict == OK


def test_an_address_in_the_configuration_file_is_as_safe_as_that_file(tmp_path: Path, store: str) -> None:
    url, file = store.replace("@", ":a-secret@"), tmp_path / "hgldp.toml"
    file.write_text(f'store = "{url}"')
    for mode, verdict in ((0o644, PROBLEM), (0o600, OK)):
        file.chmod(mode)
        judged = next(check_store(url, {}, config=file))
        assert (judged.verdict, str(file) in judged.says) == (verdict, True)
    file.chmod(0o600)
    judged = next(check_store(url, {}, typed=True, config=file))
    assert judged.verdict == WARNING, "what was typed wins over the file"


def test_a_database_that_cannot_be_reached_is_one_problem() -> None:
    judged = found("postgresql://hgldp:a-secret@127.0.0.1:1/hgldp")
    assert (judged["database"].verdict, "127.0.0.1:1/hgldp: " in judged["database"].says) == (PROBLEM, True)
    assert set(judged) == {"address", "database"}
    assert "a-secret" not in str(judged)
