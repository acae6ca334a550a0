"""`hgldp task` and the refusals of every command that talks to a collector, against a real one."""

import json
import re
from pathlib import Path

import httpx
import pytest

from hgldp.cli.service import Service as Caller
from hgldp.errors import InvalidField
from hgldp.model.rules import HotListRules
from hgldp.wire.task import read_task
from tests.cli.conftest import create, run
from tests.collector.live_service import Service

NOBODY = "0" * 64
pytestmark = pytest.mark.usefixtures("tokens")


def test_tasks_are_listed_shown_and_closed(service: Service, capsys: pytest.CaptureFixture[str]) -> None:
    made, url = create(service, capsys, "--half-life", "1000"), ("--url", service.url)
    code, out, _ = run(capsys, "task", "list", *url)
    assert code == 0
    assert made["id"] in out.splitlines()
    code, out, _ = run(capsys, "task", "show", made["id"], *url)
    assert made["id"] in out.splitlines()
    shown = dict(re.split(r" {2,}", line.strip(), maxsplit=1) for line in out.splitlines() if "  " in line)
    assert (shown["half life"], shown["domain"], shown["closed"]) == ("1,000 reports", "the numbers 0 … 49", "no")
    assert (shown["daily reports"], shown["uploads"]) == (
        "no limit",
        "0 accepted, 0 twice, 0 refused since the server started",
    )
    assert (shown["epoch seconds"], shown["origins"]) == ("none", "*")
    assert not {"None", "{", "[]"} & set(out.split())
    code, out, _ = run(capsys, "task", "close", made["id"], *url, "--json")
    assert json.loads(out)["closed"] is not None
    code, out, err = run(capsys, "task", "close", made["id"], *url)
    assert (code, out) == (2, "")
    assert err == "hgldp: error: the collector answered 409: The task is closed already\n"


def test_where_keys_stay_ending_an_epoch_is_refused_with_the_time_that_is_left(
    service: Service, capsys: pytest.CaptureFixture[str]
) -> None:
    made = create(service, capsys, "--keys", "week")
    assert (
        "epoch length        at least a week since it was published"
        in run(capsys, "task", "show", made["id"], "--url", service.url)[1]
    )
    code, out, err = run(capsys, "task", "seal", made["id"], "--url", service.url)
    assert (code, out) == (2, "")
    promised = "The task has promised to keep its bulletin for longer"
    assert err == f"hgldp: error: the collector answered 409: {promised}: 168 hours of the week are left\n"


def test_closing_and_ending_an_epoch_say_in_one_line_what_happened(
    service: Service, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made, url = create(service, capsys, "--half-life", "5400"), ("--url", service.url)
    events = tmp_path / "events.txt"
    events.write_text("7\n" * 20, encoding="utf-8")
    assert run(capsys, "task", "seal", made["id"], *url)[1] == "Epoch 0 has no report yet, and stays open.\n"
    words = ("--task", made["id"], "--key", made["write_key"], "--max-epsilon", "4")
    assert run(capsys, "report", str(events), *url, *words)[0] == 0
    assert run(capsys, "task", "seal", made["id"], *url)[1] == "Epoch 0 ended after 20 reports in all.\n"
    told = "Closed Pages after 20 reports; its results stay.\n"
    assert run(capsys, "task", "close", made["id"], *url) == (0, told, "")


def test_a_name_that_another_task_has_gets_a_warning(service: Service, capsys: pytest.CaptureFixture[str]) -> None:
    words = ("--name", "Twins", "--epsilon", "3.5", "--strings", "20", "--json", "--url", service.url)
    code, _, err = run(capsys, "task", "create", *words, "--k", "5")
    assert (code, err) == (0, "")
    code, out, err = run(capsys, "task", "create", *words, "--k", "6")
    made = json.loads(out)["id"]
    assert code == 0
    assert err == f"hgldp: warning: there was a task called Twins already: call this one {made[:12]}\n"


def test_a_created_task_is_shown_with_what_comes_next_and_nothing_is_cut(
    service: Service, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    words = ("--name", "Words", "--scheme", "pfr", "--epsilon", "3", "--strings", "20", "--k", "5")
    code, out, _ = run(capsys, "task", "create", "--url", service.url, *words)
    assert code == 0
    lines = out.splitlines()
    (address,) = (line for line in lines if line.startswith(f"{service.url}/tasks/"))
    task = address[-64:]
    assert f"task{task}writekey" in "".join(out.split())
    assert "Dashboard, which asks for the read token:" in lines
    key = re.search(r"key: \"(.*)\"", out)[1]
    script = next(each for each in service.http.get("/sdk").json()["files"] if each["file"] == "hgldp.js")
    tag = f'<script async src="{service.url}{script["path"]}" integrity="{script["integrity"]}" crossorigin="anonymous"'
    assert lines[lines.index(tag) + 1] == "  onload='hot = new hgldp.Reporter({"
    values = [f'url: "{service.url}",', f'task: "{task}",', f'key: "{key}",', "maxEpsilon: 3,"]
    assert [line.strip() for line in lines if line.startswith("    ")][-4:] == values
    assert lines[-1] == f"{service.url}/sdk/example#task={task}&key={key}&maxEpsilon=3"
    out = run(capsys, "task", "create", "--url", service.url, *words, "--results", "public", "--half-life", "9999")[1]
    assert "Dashboard, which anyone may read:" in out.splitlines()


def test_the_collector_is_where_the_environment_says(
    service: Service, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    made = create(service, capsys, "--half-life", "4321")
    assert made["dashboard"] == f"{service.url}/tasks/{made['id']}"
    monkeypatch.setenv("HGLDP_URL", service.url)
    assert run(capsys, "task", "show", made["id"])[0] == 0
    assert run(capsys, "top", "--task", made["id"])[0] == 0
    assert run(capsys, "task", "list", "--url", "http://127.0.0.1:9")[0] == 2


def test_a_hot_list_is_created_with_another_structure(service: Service, capsys: pytest.CaptureFixture[str]) -> None:
    hot_list = "--name Hot --scheme dsr --epsilon 4 --level event --k 3 --range 0 50 --results public"
    create_it = ("task", "create", "--json", "--url", service.url, *hot_list.split(), "--structure", "space-saving")
    code, out, said = run(capsys, *create_it)
    assert code == 0, said
    made = json.loads(out)
    document = httpx.get(f"{service.url}/v1/tasks/{made['id']}/document", trust_env=False)
    assert read_task(document.content).rules_as(HotListRules).structure == "space-saving"
    words = "task create --name x --scheme pfr --epsilon 1 --k 3 --range 0 50 --structure misra-gries"
    code, _, said = run(capsys, *words.split(), "--url", service.url)
    assert (code, "structure works with bgr, dsr, bdr, cnr only" in said) == (2, True)


def test_an_id_may_stand_after_the_options(service: Service, capsys: pytest.CaptureFixture[str]) -> None:
    made = create(service, capsys, "--half-life", "1234")
    code, out, _ = run(capsys, "task", "show", "--url", service.url, made["id"], "--json")
    assert (code, json.loads(out)["id"]) == (0, made["id"])
    code, _, err = run(capsys, "task", "show", "--url", service.url, made["id"], made["id"])
    assert (code, "NAME must be left out of hgldp task show" in err) == (2, True)


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ("task show", "TASK must be given to hgldp task show, got none (hgldp task list)"),
        (f"task list {NOBODY}", "TASK must be left out of hgldp task list"),
        ("task list --k 5", "--k works with hgldp task create only, got list"),
        ("task show xyz", "task must be the name, the id, or at least 4 first digits of the id"),
        (f"task show {NOBODY}", "the collector answered 404: There is no such task"),
        (f"task show {NOBODY} --token wrong", "not the right token: give the admin token, "),
        (
            "task create --name x --epsilon 1 --range 0 3 --k 5",
            "k must be at most the 4 items of the domain, other included, got 5",
        ),
        ("task create --name x", "--epsilon must be given"),
        (
            "task create --name x --scheme pfr --epsilon 1 --k 5",
            "the domain must be given by one of --range, --words and --strings, got none",
        ),
        (
            "task create --name x --scheme pfr --epsilon 1 --k 5 --strings 9 --range 0 5",
            "the domain must be given by one of --range, --words and --strings, got 2",
        ),
        ("task create --name x --scheme pfr --epsilon 99 --k 5 --strings 9", "epsilon must be at most 10"),
        (
            "task create --name x --scheme pfr --epsilon nan --k 5 --strings 9",
            "--epsilon must be finite and above 0, got nan",
        ),
        ("task create --name x --scheme pfr --epsilon one --k 5 --strings 9", "epsilon must be a number"),
        ("task create --name x --scheme pfr --epsilon 1 --k 5 --words none.txt", "--words must be a readable file"),
        (f"top --task {NOBODY}", "the collector answered 404"),
        (f"top --task {NOBODY} --watch --json", "--watch must be left out with --json"),
        (f"export --task {NOBODY}", "the collector answered 404"),
        (f"export --task {NOBODY} --output /nowhere/at/all.csv", "--output must be a file that can be written"),
        (f"export --task {NOBODY} --output /nowhere/at/all.csv", "got /nowhere/at/all.csv (No such file"),
        (f"export --task {NOBODY} --format csv --output a.parquet", "must not end in .parquet with --format csv"),
        (f"export --task {NOBODY} --output README.md/r.csv", "README.md/r.csv (Not a directory)"),
        (f"report none.txt --task {NOBODY} --max-epsilon 1", "--key must be given"),
        (f"report none.txt --task {NOBODY} --max-epsilon 1 --key {'k' * 43}", "the collector answered 404"),
        (f"report none.txt --task {NOBODY} --max-epsilon 1 --key k --rate -1", "--rate must be 0 or more"),
    ],
)
def test_what_is_wrong_is_one_line_and_exit_code_2(
    service: Service, words: str, complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = run(capsys, *words.split(), "--url", service.url)
    assert (code, out) == (2, "")
    assert complaint in err
    assert err.startswith("hgldp: error: ")
    assert err.count("\n") == 1


@pytest.mark.parametrize("url", ["", "127.0.0.1", "ftp://x", "http://", "http://x:port", "http://[", "http://é"])
def test_a_wrong_url_is_refused(url: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = run(capsys, "task", "list", "--url", url)
    assert code == 2
    assert "url must be like" in err


def test_nobody_at_the_address_and_a_server_of_another_kind(capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = run(capsys, "task", "list", "--url", "http://127.0.0.1:9")
    assert code == 2
    assert "no collector answers at http://127.0.0.1:9" in err
    with pytest.raises(InvalidField, match="token must be"):
        Caller("http://127.0.0.1:9", "a\r\nb")


def test_a_task_that_exists_is_refused_in_the_words_of_the_command_line(
    service: Service, capsys: pytest.CaptureFixture[str]
) -> None:
    create(service, capsys, "--half-life", "31999")
    words = ("--name", "Other", "--scheme", "pfr", "--epsilon", "4", "--range", "0", "50", "--k", "3")
    words = (*words, "--epoch", "400", "--half-life", "31999", "--level", "event")
    code, out, err = run(capsys, "task", "create", "--url", service.url, *words)
    assert (code, out) == (2, "")
    assert "A name or a warm-up does not make another task." in err
    assert re.search(r"such as --memory from \d+ to \d+$", err.strip())


def test_a_task_that_names_a_list_needs_the_script_that_knows_lists(
    service: Service, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    known = tmp_path / "known.txt"
    known.write_text("tea\nmate\n")
    words = ("Searches", "--epsilon", "1.5", "--strings", "20", "--k", "3", "--url", service.url, "--json")
    assert "/hgldp.js" in json.loads(run(capsys, "task", "create", *words)[1])["snippet"]
    made = json.loads(run(capsys, "task", "create", *words, "--hints", str(known))[1])
    assert "/hgldp-hints.js" in made["snippet"]
    assert "sha384-" in made["snippet"]


def test_a_task_of_another_scheme_needs_the_larger_script_and_one_without_scripts_gets_no_snippet(
    service: Service, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ("Other", "--scheme", "bgr", "--epsilon", "1.5", "--range", "0", "50", "--k", "3", "--url", service.url)
    made = json.loads(run(capsys, "task", "create", *words, "--json")[1])
    assert "/hgldp-all.js" in made["snippet"]
    assert "/panel.js" in made["panel"]
    assert made["example"].endswith("&maxEpsilon=1.5")
    said = run(capsys, "task", "create", *words, "--epoch", "402")[1]
    assert "Each device sends one report a day" in said
    assert "one report" not in run(capsys, "task", "create", *words, "--epoch", "403", "--level", "event")[1]
    monkeypatch.setattr("hgldp.cli.commands.task.snippet.api.SDK", "/older")
    made = json.loads(run(capsys, "task", "create", *words, "--epoch", "401", "--json")[1])
    assert not {"snippet", "panel", "example"} & set(made)
