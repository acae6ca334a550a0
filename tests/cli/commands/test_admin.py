"""`hgldp admin`, its log, and the changes of `hgldp task`, against a real collector."""

import io
import json
import sys
from pathlib import Path

import pytest

from hgldp.collector.admin_log import AdminLog
from hgldp.collector.admins import Admins, add_admin
from hgldp.collector.tokens import kept
from tests.cli.conftest import create, run
from tests.collector.live_service import Service

pytestmark = pytest.mark.usefixtures("tokens")
Capture = pytest.CaptureFixture[str]


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def answers(service: Service, token: str) -> int:
    return service.http.get("/v1/tasks", headers={"authorization": f"Bearer {token}"}).status_code


def test_admins_are_added_listed_rotated_and_removed_while_the_collector_runs(
    service: Service, capsys: Capture
) -> None:
    data = ("--data", str(service.folder))
    code, out, _ = run(capsys, "admin", "add", "anna", *data)
    assert code == 0
    (token,) = (line.split()[1] for line in out.splitlines() if line.startswith("token "))
    assert answers(service, token) == 200
    new = json.loads(run(capsys, "admin", "rotate", "anna", *data, "--json")[1])["token"]
    assert (answers(service, token), answers(service, new)) == (401, 200)
    run(capsys, "admin", "add", "ben", *data)
    assert [each["name"] for each in json.loads(run(capsys, "admin", "list", *data, "--json")[1])] == ["anna", "ben"]
    assert "anna " in run(capsys, "admin", "list", *data)[1]
    out = run(capsys, "admin", "rotate", "anna", *data)[1]
    new = next(line.split()[1] for line in out.splitlines() if line.startswith("token "))
    assert out.startswith("anna has a new token; the old one opens nothing any more\n")
    assert run(capsys, "admin", "remove", "anna", *data) == (0, "anna is no admin any more.\n", "")
    assert answers(service, new) == 401
    out = run(capsys, "admin", "log", *data)[1]
    assert "command line" in out
    assert "admin token rotated" in out
    assert token not in out + (service.folder / "admin-log.jsonl").read_text()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("add",), "NAME must be given to hgldp admin add, got none"),
        (("list", "anna"), "NAME must be left out of hgldp admin list, got anna"),
        (("add", "../x"), "NAME must have 1 … 32 characters"),
        (("log", "anna"), "NAME must be left out of hgldp admin log, got anna"),
        (("list", "--last", "3"), "--last must be left out, except with hgldp admin log, got 3"),
        (("rotate", "nobody"), "NAME must be one of the admins"),
    ],
)
def test_what_makes_no_sense_is_refused(service: Service, capsys: Capture, words: tuple[str, ...], said: str) -> None:
    code, out, err = run(capsys, "admin", *words, "--data", str(service.folder))
    assert (code, out) == (2, "")
    assert said in err


def test_whoever_rotates_the_first_admin_learns_where_that_token_does_not_count(
    tmp_path: Path, capsys: Capture
) -> None:
    """Before: where collectors get HGLDP_ADMIN_TOKEN, the new token opened nothing, and nobody said so."""
    for name, told in (("admin", True), ("anna", False)):
        add_admin(tmp_path, name)
        out = run(capsys, "admin", "rotate", name, "--data", str(tmp_path))[1]
        assert ("A collector that gets HGLDP_ADMIN_TOKEN takes that token instead" in out) == told


def test_no_folder_is_made_by_mistake(tmp_path: Path, capsys: Capture) -> None:
    for words in (("admin", "add", "anna"), ("admin", "log")):
        code, _, err = run(capsys, *words, "--data", str(tmp_path / "mistyped"))
        assert code == 2
        assert "--data must be the data folder of a collector" in err
    assert list(tmp_path.iterdir()) == []


def test_an_empty_log_and_a_hostile_one(tmp_path: Path, capsys: Capture) -> None:
    assert "No admin has changed anything yet" in run(capsys, "admin", "log", "--data", str(tmp_path))[1]
    AdminLog(tmp_path).note("\x1b[2J", "[red]x[/red]", "4f1c" * 16, "\x9b31m")
    out = run(capsys, "admin", "log", "--data", str(tmp_path))[1]
    assert "\x1b" not in out
    assert "\x9b" not in out
    assert "[red]x[/red]" in out
    assert len(json.loads(run(capsys, "admin", "log", "--data", str(tmp_path), "--last", "1", "--json")[1])) == 1


def test_a_task_gets_another_name_key_and_token(service: Service, capsys: Capture) -> None:
    made, url = create(service, capsys, "--half-life", "7100", "--results", "token"), ("--url", service.url)
    assert run(capsys, "task", "rename", made["id"], "Other pages", *url)[1] == "Renamed Pages to Other pages.\n"
    assert run(capsys, "task", "rename", "Other pages", *url, "Pages 2")[1] == "Renamed Other pages to Pages 2.\n"
    out = run(capsys, "task", "rotate-key", made["id"], *url, "--keep-old", "5")[1]
    (key,) = (line.split()[2] for line in out.splitlines() if line.startswith("write key "))
    assert "The old key is accepted until 20" in out
    assert {service.collector.find_key(each) is not None for each in (key, made["write_key"])} == {True}
    again = json.loads(run(capsys, "task", "rotate-key", made["id"], *url, "--json")[1])["write_key"]
    assert [service.collector.find_key(each) is not None for each in (again, key)] == [True, False]
    out = run(capsys, "task", "rotate-token", made["id"], *url)[1]
    (token,) = (line.split()[2] for line in out.splitlines() if line.startswith("read token "))
    top = f"/v1/tasks/{made['id']}/top"
    statuses = [
        service.http.get(top, headers={"authorization": f"Bearer {each}"}).status_code
        for each in (token, made["read_token"])
    ]
    assert statuses == [200, 401]


def test_a_task_is_deleted_by_who_types_its_name(
    service: Service, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, url = create(service, capsys, "--half-life", "7200"), ("--url", service.url)
    code, _, err = run(capsys, "task", "delete", made["id"], *url)
    assert (code, "--yes must be given where nobody can be asked" in err) == (2, True)
    for typed, code in (("pages\n", 2), ("", 2), ("Pages\n", 0)):
        monkeypatch.setattr(sys, "stdin", Terminal(typed))
        assert run(capsys, "task", "delete", made["id"], *url)[0] == code
    assert run(capsys, "task", "show", made["id"], *url)[0] == 2
    other = create(service, capsys, "--half-life", "7300")
    assert run(capsys, "task", "delete", other["id"], *url, "--yes")[1] == "Deleted Pages with its 0 reports.\n"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("rename", "4f1c"), "NAME must be given to hgldp task rename"),
        (("close", "4f1c", "x"), "NAME must be left out of hgldp task close"),
        (("close", "4f1c", "--yes"), "--yes works with hgldp task create and delete only"),
        (("delete", "4f1c", "--keep-old", "3"), "--keep-old works with hgldp task rotate-key only"),
        (("rotate-key", "4f1c", "--keep-old", "-3"), "--keep-old must be a whole number"),
        (("delete",), "TASK must be given to hgldp task delete"),
    ],
)
def test_words_of_another_action_are_refused(
    service: Service, capsys: Capture, words: tuple[str, ...], said: str
) -> None:
    code, out, err = run(capsys, "task", *words, "--url", service.url)
    assert (code, out) == (2, "")
    assert said in err


@pytest.mark.parametrize("action", ["add", "rotate"])
def test_a_new_token_is_shown_even_if_the_admin_log_cannot_be_written(
    tmp_path: Path, capsys: Capture, action: str
) -> None:
    """Before: the old token was gone, the new one was never shown, and nobody could sign in any more."""
    if action == "rotate":
        add_admin(tmp_path, "anna")
    (tmp_path / "admin-log.jsonl").mkdir()
    code, out, err = run(capsys, "admin", action, "anna", "--data", str(tmp_path), "--json")
    assert Admins(tmp_path).name_of(kept(json.loads(out)["token"])) == "anna"
    assert (code, "cannot be noted in the admin log" in err) == (2, True)
