"""`hgldp doctor`: a sound folder passes, and each illness that we planted is named with its cure."""

import json
import os
import sqlite3
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from hgldp.cli.commands.doctor import folder as folder_checks
from hgldp.cli.commands.doctor import log as log_checks
from hgldp.cli.commands.doctor.finding import OK, PROBLEM, WARNING, Finding
from hgldp.cli.commands.doctor.installation import check_installation
from hgldp.cli.commands.doctor.log import check_log
from hgldp.cli.commands.doctor.machine import _memory, _synchronised, _year, judge_descriptors
from hgldp.cli.commands.doctor.proxy import check_proxy
from hgldp.collector.admins import add_admin, rotate_admin
from hgldp.collector.log import soundness
from hgldp.collector.log.backup import MARK, back_up
from hgldp.collector.log.schema import FILE
from hgldp.collector.settings import ADMIN_TOKEN_VARIABLE, Settings, keep_token_for_the_operator
from hgldp.system.code_folder import VARIABLE
from tests.cli.conftest import run
from tests.collector.live_service import WORDS, live_service


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder in which a collector has lived."""
    monkeypatch.delenv(ADMIN_TOKEN_VARIABLE, raising=False)
    monkeypatch.delenv(VARIABLE, raising=False)
    folder = tmp_path / "data"
    with live_service(folder) as service:
        made = service.create(**WORDS)
        service.upload(made, ["tea"] * 150)
    return folder


def by_check(findings: Iterator[Finding] | list[Finding]) -> dict[str, Finding]:
    return {each.check: each for each in findings}


def content(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir()) if path.is_file()}


def test_a_sound_folder_has_no_problem_and_is_left_as_it_was(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = content(data)
    code, out, _ = run(capsys, "doctor", "--data", str(data), "--json")
    found = {each["check"]: each for each in json.loads(out)}
    assert code == 0
    assert {
        name: found[name]["verdict"] for name in ("permissions", "format", "database", "file times")
    } == dict.fromkeys(("permissions", "format", "database", "file times"), OK)
    assert content(data) == before
    assert all(each["do"] for each in found.values() if each["verdict"] != OK)


def test_it_can_be_asked_while_the_collector_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with live_service(tmp_path / "data") as service:
        made = service.create(**WORDS)
        code, out, _ = run(capsys, "doctor", "--data", str(tmp_path / "data"))
        assert code == 0
        assert "its pages are sound" in out
        assert service.upload(made, ["tea"]).status_code == 200


def test_no_folder_is_a_problem(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "doctor", "--data", str(tmp_path / "none"))
    assert code == 1
    assert "→ make it" in out
    assert "\n1 problem" in out


def test_an_unreadable_configuration_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "hgldp.toml").write_text("prot = 1")
    code, _, err = run(capsys, "doctor", "--config", str(tmp_path / "hgldp.toml"))
    assert code == 2
    assert "did you mean port?" in err


@pytest.mark.parametrize(("mode", "verdict"), [(0o777, PROBLEM), (0o770, WARNING), (0o755, WARNING), (0o700, OK)])
def test_a_folder_that_others_can_enter_is_named(data: Path, mode: int, verdict: str) -> None:
    data.chmod(mode)
    assert by_check(folder_checks.check_folder(data))["permissions"].verdict == verdict


def test_a_disk_without_room_is_named(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def disk(free: int) -> object:
        return lambda _: type("Usage", (), {"free": free})

    for free, verdict in ((1 << 30, PROBLEM), (5 << 30, WARNING), (50 << 30, OK)):
        monkeypatch.setattr(folder_checks.shutil, "disk_usage", disk(free))
        assert by_check(folder_checks.check_folder(data))["disk"].verdict == verdict


def test_a_clock_that_was_put_back_is_named(data: Path) -> None:
    os.utime(data / FILE, (time.time() + 86_400,) * 2)
    assert by_check(folder_checks.check_folder(data))["file times"].verdict == WARNING


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file away")
def test_a_file_of_another_user_is_named(data: Path) -> None:
    os.chown(data / FILE, 65_534, 65_534)
    found = by_check(folder_checks.check_folder(data))["owner"]
    assert found.verdict == PROBLEM
    assert FILE in found.says


@pytest.mark.parametrize("version", [0, 99])
def test_another_format_is_named(data: Path, version: int) -> None:
    with closing(sqlite3.connect(data / FILE)) as database:
        database.execute(f"PRAGMA user_version = {version}")
        database.commit()
    assert by_check(check_log(data))["format"].verdict == PROBLEM


def test_a_damaged_database_is_named(data: Path) -> None:
    for size in range(4_096, (data / FILE).stat().st_size, 4_096):
        with (data / FILE).open("r+b") as file:
            file.seek(size)
            file.write(os.urandom(256))
    assert by_check(check_log(data))["database"].verdict == PROBLEM
    (data / FILE).write_bytes(b"no database at all" * 1_000)
    assert by_check(check_log(data))["database"].verdict == PROBLEM


def test_a_check_that_takes_too_long_is_given_up(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log_checks, "MOST_SECONDS", -1.0)
    monkeypatch.setattr(soundness, "STEPS", 1)
    assert by_check(check_log(data))["database"].verdict == WARNING


def test_limits_of_the_machine_are_judged() -> None:
    assert [judge_descriptors(most).verdict for most in (256, 1_024, 65_536, sys.maxsize)] == [PROBLEM, WARNING, OK, OK]
    assert [_memory(limit).verdict for limit in (256 << 20, 1 << 30)] == [PROBLEM, OK]
    assert [_year(year).verdict for year in (1970, 2026, 2106)] == [PROBLEM, OK, PROBLEM]
    assert [_synchronised(state).verdict for state in (0, 5, -1, None)] == [OK, WARNING, OK, OK]
    assert "on its host" in _synchronised(5).do


def test_the_proxy_is_judged_by_the_settings() -> None:
    bare = by_check(check_proxy(Settings(), online=True))
    assert {each.verdict for each in bare.values()} == {OK}
    assert "only for this machine" in bare["public address"].says
    for open_to_others in (Settings(host="::"), Settings(trusted_proxies=("127.0.0.1",))):
        assert by_check(check_proxy(open_to_others, online=True))["public address"].verdict == WARNING
    plain = by_check(check_proxy(Settings(public_url="http://example.org", host="0.0.0.0"), online=False))  # noqa: S104
    assert (plain["public address"].verdict, plain["listens on"].verdict) == (PROBLEM, WARNING)
    assert plain["proxies"].verdict == WARNING
    for hosts, verdict in ((("127.0.0.1", "[::1]", "localhost"), OK), (("::", "example.org"), WARNING)):
        for host in hosts:
            assert by_check(check_proxy(Settings(host=host), online=False))["listens on"].verdict == verdict


def test_what_serve_was_given_is_not_guessed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Neither the folder nor the file tells its --host and --port; the host can be given here too."""
    (tmp_path / "hgldp.toml").write_text('host = "127.0.0.1"')
    words = ("doctor", "--data", str(tmp_path), "--config", str(tmp_path / "hgldp.toml"), "--json")
    found = {each["check"]: each for each in json.loads(run(capsys, *words)[1])}
    assert not any("8080" in each["says"] + each["do"] for each in found.values())
    assert found["public address"]["says"] == "none, which is enough if it is only for this machine"
    assert found["listens on"]["says"].endswith(", unless hgldp serve gets another --host")
    found = {each["check"]: each for each in json.loads(run(capsys, *words, "--host", "0.0.0.0")[1])}  # noqa: S104
    assert (found["public address"]["verdict"], found["listens on"]["verdict"]) == (WARNING, WARNING)
    assert found["listens on"]["says"] == "0.0.0.0, which other machines may reach"


def test_the_public_address_is_asked_only_online(tmp_path: Path) -> None:
    with live_service(tmp_path / "data") as service:
        asked = by_check(check_proxy(Settings(public_url=service.url), online=True))
        assert asked["from outside"] == Finding("from outside", OK, "it answers 200")
    silent = by_check(check_proxy(Settings(public_url=service.url), online=True))
    assert silent["from outside"].verdict == PROBLEM
    assert "from outside" not in by_check(check_proxy(Settings(public_url=service.url), online=False))


def test_a_proxy_that_does_not_pass_the_host_on_is_found_out() -> None:
    class Misdirecting(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200 if self.path == "/health" else 421)
            self.send_header("content-length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Misdirecting) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_address[1]}"
        found = by_check(check_proxy(Settings(public_url=url), online=True))["from outside"]
        server.shutdown()
    assert (found.verdict, "421" in found.says, "Host header" in found.do) == (PROBLEM, True, True)


def test_tokens_are_judged_and_never_shown(tmp_path: Path) -> None:
    secret = "a token that nobody may see"  # noqa: S105
    file = tmp_path / "token"
    file.write_text(secret)
    for mode, verdict in ((0o644, PROBLEM), (0o660, PROBLEM), (0o640, OK), (0o600, OK)):
        file.chmod(mode)
        found = list(check_installation(tmp_path, {f"{ADMIN_TOKEN_VARIABLE}_FILE": str(file)}))
        assert by_check(found)["admin token"].verdict == verdict
        assert secret not in str(found)
    for given, verdict in ((secret, WARNING), ("short", PROBLEM)):
        found = list(check_installation(tmp_path, {ADMIN_TOKEN_VARIABLE: given}))
        assert by_check(found)["admin token"].verdict == verdict
        assert secret not in str(found)


def test_admins_are_counted_wherever_their_tokens_are(tmp_path: Path) -> None:
    """Before: a folder whose only admin was in admins/ was said to have none."""

    def found() -> Finding:
        return by_check(check_installation(tmp_path, {}))["admin token"]

    assert f"the first start makes one, unless {ADMIN_TOKEN_VARIABLE}" in found().says
    (tmp_path / FILE).touch()
    assert f"gets it from its environment ({ADMIN_TOKEN_VARIABLE})" in found().says
    add_admin(tmp_path, "anna")
    assert found() == Finding("admin token", OK, "1 admin: anna")
    add_admin(tmp_path, "admin")
    assert found() == Finding("admin token", OK, "2 admins: admin, anna")
    (tmp_path / "admins" / "anna.sha256").chmod(0o644)
    assert found() == Finding(
        "admin token", PROBLEM, f"others can read {tmp_path}/admins/anna.sha256 (644)",
        f"chmod 600 {tmp_path}/admins/anna.sha256",
    )  # fmt: skip
    (tmp_path / "admins" / "anna.sha256").chmod(0o600)
    (tmp_path / "admins" / "anna.sha256").write_text("no hash")
    assert (found().verdict, found().do) == (PROBLEM, f"hgldp admin rotate anna --data {tmp_path}")


def test_a_token_that_waits_to_be_fetched_is_named(tmp_path: Path) -> None:
    add_admin(tmp_path, "admin")
    keep_token_for_the_operator(tmp_path, "a token that nobody may see")
    found = by_check(check_installation(tmp_path, {}))["admin token"]
    assert (found.verdict, "delete the file" in found.do) == (WARNING, True)
    assert "nobody may see" not in str(found)


def test_a_token_that_opens_nothing_any_more_waits_for_nobody(tmp_path: Path) -> None:
    """Before: after a rotation, the old token was said to be one to keep."""
    add_admin(tmp_path, "admin")
    add_admin(tmp_path, "anna")
    file = keep_token_for_the_operator(tmp_path, "the first one")
    rotate_admin(tmp_path, "anna")
    assert file.exists()
    rotate_admin(tmp_path, "admin")
    assert not file.exists()


def test_an_old_backup_is_named(data: Path, tmp_path: Path) -> None:
    def found() -> Finding:
        return by_check(folder_checks.check_folder(data))["backup"]

    assert found() == Finding("backup", OK, "hgldp backup has made none yet")
    back_up(data, tmp_path / "copy.tar")
    assert found().verdict == OK
    os.utime(data / MARK, (0, 0))
    assert (found().verdict, found().says) == (WARNING, "the last one is of 1970-01-01 00:00 UTC")


def test_a_volume_may_have_a_folder_of_its_file_system(data: Path) -> None:
    (data / "lost+found").mkdir()
    if os.geteuid() == 0:
        os.chown(data / "lost+found", 65_534, 65_534)
    assert by_check(folder_checks.check_folder(data))["owner"].verdict != PROBLEM


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
def test_a_folder_of_somebody_else_is_a_problem_and_no_traceback(data: Path) -> None:
    os.seteuid(65_534)
    try:
        found = by_check([*folder_checks.check_folder(data), *check_log(data), *check_installation(data, {})])
    finally:
        os.seteuid(0)
    for check in ("folder", "database", "admin token"):
        assert (found[check].verdict, "as the user of the collector" in found[check].do) == (PROBLEM, True)


def test_compiled_code_is_judged(tmp_path: Path) -> None:
    (tmp_path / "open").mkdir()
    (tmp_path / "open").chmod(0o777)
    for chosen, verdict in ((str(tmp_path / "open"), WARNING), ("off", WARNING)):
        assert by_check(check_installation(tmp_path, {VARIABLE: chosen}))["compiled code"].verdict == verdict


def test_a_lost_end_of_the_log_is_found_and_can_be_accepted(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with closing(sqlite3.connect(data / FILE)) as database:
        database.execute("UPDATE service SET value = '0 0 0' WHERE name = 'end'")
        database.execute("DELETE FROM log")
        database.commit()
    found = by_check(check_log(data))["end of the log"]
    assert found.verdict == PROBLEM
    assert found.says.endswith("150 reports that were acknowledged are missing")
    code, _, err = run(capsys, "doctor", "--data", str(data), "--accept-loss")
    assert (code, "damaged-" in err) == (0, True)
    assert len(list(data.glob("damaged-*/*"))) == 2


def test_no_loss_is_accepted_where_nothing_is_lost(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Before: it took the mark away all the same, so that a later loss would not have been noticed."""
    before = content(data)
    code, _, err = run(capsys, "doctor", "--data", str(data), "--accept-loss")
    assert (code, "no acknowledged report is missing" in err) == (2, True)
    assert content(data) == before


def test_one_report_is_one_report(tmp_path: Path) -> None:
    with live_service(tmp_path / "data") as service:
        service.upload(service.create(**WORDS), ["tea"])
    found = by_check(check_log(tmp_path / "data"))
    assert found["end of the log"].says == "entry 1, 1 report so far"
    assert found["chain of the log"].says == "1 entry checked: as written"


def test_a_changed_entry_is_found(data: Path) -> None:
    with closing(sqlite3.connect(data / FILE)) as database:
        database.execute("UPDATE log SET symbols = zeroblob(length(symbols))")
        database.commit()
    assert by_check(check_log(data))["chain of the log"].verdict == PROBLEM


def test_a_changed_milestone_is_found_and_tells_apart_a_sound_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with live_service(tmp_path) as service:
        made = service.create(**WORDS | {"results_kept_days": 30})
        service.upload(made, ["tea"] * 500)
    assert by_check(check_log(tmp_path))["milestones"].verdict == OK
    with closing(sqlite3.connect(tmp_path / FILE)) as database:
        (state,) = database.execute("SELECT state FROM milestones").fetchone()
        database.execute("UPDATE milestones SET state = ?", (state[:-1] + bytes([state[-1] ^ 1]),))
        database.commit()
    found = by_check(check_log(tmp_path))["milestones"]
    assert (found.verdict, "milestone of epoch 1" in found.says) == (PROBLEM, True)
    code, out, _ = run(capsys, "replay", str(tmp_path))
    assert (code, "milestone of epoch 1" in " ".join(out.split())) == (1, True)


def test_a_changed_warm_up_is_found_and_tells_apart_a_sound_one(tmp_path: Path) -> None:
    with live_service(tmp_path) as service:
        service.create(**WORDS | {"warmup": [["tea", 6]]})
    assert by_check(check_log(tmp_path))["warm-ups"].verdict == OK
    with closing(sqlite3.connect(tmp_path / FILE)) as database:
        database.execute("UPDATE warmups SET given = zeroblob(9)")
        database.commit()
    found = by_check(check_log(tmp_path))["warm-ups"]
    assert (found.verdict, "warm-up of task 1" in found.says) == (PROBLEM, True)


def test_a_folder_without_milestones_is_sound(data: Path) -> None:
    with closing(sqlite3.connect(data / FILE)) as database:
        database.execute("DROP TABLE milestones")
    assert "milestones" not in by_check(check_log(data))


def test_changed_upload_ids_are_found(data: Path) -> None:
    assert by_check(check_log(data))["upload ids"].verdict == OK
    with closing(sqlite3.connect(data / FILE)) as database:
        (ids,) = database.execute("SELECT data FROM ids").fetchone()
        database.execute("UPDATE ids SET data = ?", (bytes([ids[0] ^ 1]) + ids[1:],))
        database.commit()
    assert by_check(check_log(data))["upload ids"].verdict == PROBLEM
