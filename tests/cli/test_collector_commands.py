"""The commands that talk to a collector, against a real one; and their refusals, each one line and exit code 2."""

import csv
import io
import json
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from rich.console import Console

from hgldp.cli import main
from hgldp.cli import top as top_command
from hgldp.cli.service import Service as Caller
from hgldp.cli.service import Unreachable
from hgldp.cli.terminal import facts, legend
from hgldp.collector.log.sqlite import FILE
from hgldp.errors import InvalidField
from tests.collector.live_service import ADMIN, WORDS, Service, live_service

NOBODY = "0" * 64


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with live_service(tmp_path_factory.mktemp("data") / "folder") as running:
        yield running


@pytest.fixture(autouse=True)
def _tokens(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HGLDP_TOKEN", ADMIN)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.delenv("HGLDP_WRITE_KEY", raising=False)


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    capsys.readouterr()
    code = main(list(words))
    return code, *capsys.readouterr()


def create(service: Service, capsys: pytest.CaptureFixture[str], *more: str) -> dict[str, str]:
    words = ("--name", "Pages", "--scheme", "pfr", "--epsilon", "4", "--range", "0", "50", "--k", "3", "--epoch", "400")
    code, out, _ = run(capsys, "task", "create", "--url", service.url, "--json", *words, *more)
    assert code == 0
    made: dict[str, str] = json.loads(out)
    return made


def test_from_creating_a_task_to_exporting_what_it_found(
    service: Service, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made, url = create(service, capsys, "--results", "public"), ("--url", service.url)
    events = tmp_path / "events.txt"
    events.write_text("\n".join(["7"] * 900 + ["8"] * 450 + ["9"] * 150 + ["", "77"]), encoding="utf-8")
    sent = ("report", str(events), *url, "--task", made["id"], "--key", made["write_key"], "--max-epsilon", "4")
    code, out, err = run(capsys, *sent, "--json")
    assert (code, err) == (0, "")
    told = json.loads(out)
    assert (told["events"], told["delivered"], told["epsilon_today"]) == (1501, 1500, 6000)
    assert told["dropped"] == {"outside the task's domain": 1}
    code, out, _ = run(capsys, "top", *url, "--task", made["id"], "--k", "3", "--json")
    assert json.loads(out)["reports"] == 1500
    code, out, _ = run(capsys, "task", "seal", made["id"], *url, "--json")
    assert code == 0
    code, out, _ = run(capsys, "top", *url, "--task", made["id"])
    assert code == 0
    assert "95 % interval" in out
    assert [line.split()[1] for line in out.splitlines() if line.strip().startswith("1 ")] in (["7"], ["new"], ["▲1"])
    code, out, _ = run(capsys, "top", *url, "--task", made["id"], "--csv", "--k", "1")
    (row,) = csv.DictReader(io.StringIO(out, newline=""))
    assert row["item"] == "7"
    target = tmp_path / "results.csv"
    code, out, err = run(capsys, "export", *url, "--task", made["id"], "--output", str(target))
    assert (code, out) == (0, "")
    rows = list(csv.DictReader(io.StringIO(target.read_bytes().decode(), newline="")))
    assert [row["item"] for row in rows if row["rank"] == "1"][-1] == "7"
    code, out, _ = run(capsys, "export", *url, "--task", made["id"], "--format", "json")
    assert [str(each["item"]) for each in json.loads(out)] == [each["item"] for each in rows]
    named = tmp_path / "results.JSON"
    assert run(capsys, "export", *url, "--task", made["id"], "--output", str(named))[0] == 0
    assert json.loads(named.read_text(encoding="utf-8")) == json.loads(out)
    assert [path.name for path in tmp_path.iterdir() if "part" in path.name] == []


def test_tasks_are_listed_shown_and_closed(service: Service, capsys: pytest.CaptureFixture[str]) -> None:
    made, url = create(service, capsys, "--half-life", "1000"), ("--url", service.url)
    code, out, _ = run(capsys, "task", "list", *url)
    assert code == 0
    assert made["id"] in out.splitlines()
    code, out, _ = run(capsys, "task", "show", made["id"], *url)
    assert made["id"] in out.splitlines()
    shown = dict(re.split(r" {2,}", line.strip(), maxsplit=1) for line in out.splitlines() if "  " in line)
    assert (shown["half life"], shown["domain"], shown["closed"]) == ("1,000 reports", "the numbers 0 … 49", "no")
    assert (shown["daily reports"], shown["uploads"]) == ("no limit", "0 accepted, 0 twice, 0 refused")
    assert (shown["epoch seconds"], shown["origins"]) == ("none", "none")
    assert not {"None", "{", "[]"} & set(out.split())
    code, out, _ = run(capsys, "task", "close", made["id"], *url, "--json")
    assert json.loads(out)["closed"] is not None
    code, out, err = run(capsys, "task", "close", made["id"], *url)
    assert (code, out) == (2, "")
    assert err == "hgldp: error: the collector answered 409: The task is closed already\n"


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


def test_reports_of_an_earlier_run_are_told_apart(
    service: Service, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made, events = create(service, capsys, "--half-life", "5500"), tmp_path / "events.txt"
    events.write_text("7\n" * 20, encoding="utf-8")
    words = ("--url", service.url, "--task", made["id"], "--max-epsilon", "4", "--folder", str(tmp_path / "client"))
    code, _, err = run(capsys, "report", str(events), *words, "--key", "k" * 43)
    assert code == 2
    assert "1 uploads are queued" in err
    code, out, _ = run(capsys, "report", str(events), *words, "--key", made["write_key"])
    assert code == 0
    told = dict(re.split(r" {2,}", line.strip(), maxsplit=1) for line in out.splitlines() if "  " in line)
    assert (told["events read"], told["reports delivered"], told["of an earlier run"]) == ("20", "40", "20")
    code, out, _ = run(capsys, "report", str(events), *words, "--key", made["write_key"])
    assert code == 0
    assert "earlier" not in out


def test_a_created_task_is_shown_with_what_comes_next_and_nothing_is_cut(
    service: Service, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    words = ("--name", "Words", "--scheme", "pfr", "--epsilon", "3", "--strings", "20", "--k", "5")
    code, out, _ = run(capsys, "task", "create", "--url", service.url, *words)
    assert code == 0
    lines = out.splitlines()
    (token,) = (line.split()[2] for line in lines if line.startswith("read token "))
    (address,) = (line for line in lines if line.startswith(f"{service.url}/tasks/"))
    task = address.removesuffix(f"?token={token}")[-64:]
    assert f"task{task}writekey" in "".join(out.split())


def test_a_secret_that_is_shown_once_is_not_dim() -> None:
    for table, dim in ((facts, False), (legend, True)):
        screen = io.StringIO()
        Console(file=screen, force_terminal=True, highlight=False).print(table([("write key", "secret")]))
        assert ("\x1b[2m" in screen.getvalue()) is dim


def test_words_of_a_file_and_strings_from_standard_input(
    service: Service, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    words = tmp_path / "words.txt"
    words.write_text("tea\ncoffee\nmate\njuice\n\nmilk\n", encoding="utf-8")
    url = ("--url", service.url)
    code, out, _ = run(
        capsys, "task", "create", *url, "--json", "--name", "W", "--scheme", "dsr", "--epsilon", "2", "--words",
        str(words), "--k", "2",
    )  # fmt: skip
    made = json.loads(out)
    monkeypatch.setenv("HGLDP_WRITE_KEY", made["write_key"])
    table = io.TextIOWrapper(io.BytesIO(b"n,drink\r\n1,tea\r\n2,\r\n3,tea\r\n4,wine\r\n"))
    monkeypatch.setattr("sys.stdin", table)
    sent = ("report", "-", "--column", "drink", *url, "--task", made["id"], "--max-epsilon", "2")
    code, out, _ = run(capsys, *sent)
    assert code == 0
    assert "events read" in out
    assert service.http.get(f"/v1/tasks/{made['id']}", headers=service.admin).json()["reports"] == 2


def test_whoever_sends_strings_hears_how_many_epochs_there_were(
    service: Service, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("--name", "S", "--epsilon", "4", "--strings", "20", "--k", "5", "--epoch", "600")
    made = json.loads(run(capsys, "task", "create", "--url", service.url, "--json", *words)[1])
    file = tmp_path / "searches.txt"
    file.write_text("tea\n" * 700, encoding="utf-8")
    sent = ("report", str(file), "--url", service.url, "--key", made["write_key"], "--max-epsilon", "4")
    code, out, _ = run(capsys, *sent, "--task", made["id"])
    assert code == 0
    assert "epochs so far           1; a string is spelled out over some ten" in out


def test_the_collector_is_where_the_environment_says(
    service: Service, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    made = create(service, capsys, "--half-life", "4321")
    assert made["dashboard"] == f"{service.url}/tasks/{made['id']}?token={made['read_token']}"
    monkeypatch.setenv("HGLDP_URL", service.url)
    assert run(capsys, "task", "show", made["id"])[0] == 0
    assert run(capsys, "top", "--task", made["id"])[0] == 0
    assert run(capsys, "task", "list", "--url", "http://127.0.0.1:9")[0] == 2


def test_an_id_may_stand_after_the_options(service: Service, capsys: pytest.CaptureFixture[str]) -> None:
    made = create(service, capsys, "--half-life", "1234")
    code, out, _ = run(capsys, "task", "show", "--url", service.url, made["id"], "--json")
    assert (code, json.loads(out)["id"]) == (0, made["id"])
    code, _, err = run(capsys, "task", "show", "--url", service.url, made["id"], made["id"])
    assert code == 2
    assert "unrecognized arguments" in err


def test_reports_that_nobody_takes_are_not_called_sent(
    service: Service, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    closed, open_one = create(service, capsys, "--half-life", "51"), create(service, capsys, "--half-life", "52")
    assert run(capsys, "task", "close", closed["id"], "--url", service.url)[0] == 0
    inside, outside = tmp_path / "inside.txt", tmp_path / "outside.txt"
    inside.write_text("7\n" * 20, encoding="utf-8")
    outside.write_text("700\n" * 20, encoding="utf-8")
    for number, (file, task, key, reason) in enumerate(
        [
            (inside, closed, closed["write_key"], "the server answered 409: the task is closed"),
            (inside, open_one, closed["write_key"], "Nothing was sent: .*410: .*the write key belongs to another task"),
            (inside, open_one, "k" * 43, "the server answered 404: no task has this write key; 1 uploads are queued"),
            (outside, open_one, open_one["write_key"], "Nothing was sent: outside the task's domain"),
        ]
    ):
        words = ("--url", service.url, "--task", task["id"], "--key", key, "--max-epsilon", "4")
        code, out, err = run(capsys, "report", str(file), *words, "--folder", str(tmp_path / f"client {number}"))
        assert (code, out) == (2, "")
        assert re.search(reason, err), err


def test_a_csv_file_without_a_column_is_refused_as_in_a_simulation(
    service: Service, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made, file = create(service, capsys, "--half-life", "53"), tmp_path / "orders.csv"
    file.write_text("product\n7\n", encoding="utf-8")
    words = ("--url", service.url, "--task", made["id"], "--key", made["write_key"], "--max-epsilon", "4")
    refused = run(capsys, "report", str(file), *words)
    assert refused == run(capsys, "simulate", str(file))
    assert refused[0] == 2
    assert "column must be given for a CSV file" in refused[2]


def test_what_may_be_noise_is_dim_and_explained() -> None:
    line = {"rank": 1, "item": "tea", "estimate": 9, "low": 1, "high": 19, "rank_change": 0}
    answer = {"scheme": "pfr", "epoch": 0, "reports": 99, "window": None, "covered": 99}
    for error, since, dim in ((5.0, 9, True), (2.25, 9, True), (2.24, 9, False), (2.24, 0, True), (None, 9, False)):
        table = top_command.table_of({**answer, "top": [{**line, "standard_error": error, "since": since}]})
        screen = io.StringIO()
        Console(file=screen, force_terminal=True, width=100, highlight=False).print(table)
        shown = screen.getvalue()
        (row,) = (each for each in shown.splitlines() if "tea" in each)
        assert ("\x1b[2m" in row) is dim
        assert ("may be noise" in shown) is dim


def test_a_hot_list_of_a_collector_says_that_it_started_cold() -> None:
    line = {"rank": 1, "item": "tea", "estimate": 9, "low": 1, "high": 19, "rank_change": 0}
    line |= {"standard_error": 1.0, "since": 9}
    for scheme, cold in (("bgr", True), ("dsr", True), ("bdr", True), ("cnr", True), ("pfr", False)):
        answer = {"scheme": scheme, "epoch": 0, "reports": 99, "covered": 99, "window": None, "top": [line]}
        screen = io.StringIO()
        Console(file=screen, width=100).print(top_command.table_of(answer))
        assert ("Started cold: estimates of survivors are too high" in screen.getvalue()) is cold


def test_a_client_sends_nothing_above_its_ceilings(
    service: Service, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = create(service, capsys, "--epoch-seconds", "3600")
    events = tmp_path / "events.txt"
    events.write_text("7\n" * 20, encoding="utf-8")
    sent = ("report", str(events), "--url", service.url, "--task", made["id"], "--key", made["write_key"])
    code, out, err = run(capsys, *sent, "--max-epsilon", "3.9", "--folder", str(tmp_path / "one"))
    assert (code, out) == (2, "")
    assert "ceiling 3.9" in err
    code, out, err = run(
        capsys, *sent, "--max-epsilon", "4", "--reports-per-day", "5", "--folder", str(tmp_path / "two")
    )
    assert code == 2
    assert "the day's limit of reports" in err
    assert service.http.get(f"/v1/tasks/{made['id']}", headers=service.admin).json()["reports"] <= 5


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ("task show", "ID must be given"),
        (f"task list {NOBODY}", "ID must be given"),
        ("task list --k 5", "--k must be left to hgldp task create"),
        ("task show xyz", "task must be named by its id"),
        (f"task show {NOBODY}", "the collector answered 404: There is no such task"),
        (f"task show {NOBODY} --token wrong", "admin token (give it with --token, or set HGLDP_TOKEN)"),
        ("task create --name x --epsilon 1 --range 0 3 --k 5", "k must be at most the 3 items of the domain, got 5"),
        ("task create --name x", "--epsilon must be given"),
        ("task create --name x --scheme pfr --epsilon 1 --k 5", "must be given once, for the domain, got 0"),
        ("task create --name x --scheme pfr --epsilon 1 --k 5 --strings 9 --range 0 5", "for the domain, got 2"),
        ("task create --name x --scheme pfr --epsilon 99 --k 5 --strings 9", "epsilon must be at most 10"),
        ("task create --name x --scheme pfr --epsilon nan --k 5 --strings 9", "must be JSON"),
        ("task create --name x --scheme pfr --epsilon one --k 5 --strings 9", "epsilon must be a number"),
        ("task create --name x --scheme pfr --epsilon 1 --k 5 --words none.txt", "words must be a readable file"),
        (f"top --task {NOBODY}", "the collector answered 404"),
        (f"top --task {NOBODY} --watch --json", "--watch must be left out for machines"),
        (f"export --task {NOBODY}", "the collector answered 404"),
        (f"export --task {NOBODY} --output /nowhere/at/all.csv", "output must be a file that can be written"),
        (f"export --task {NOBODY} --output /nowhere/at/all.csv", "got /nowhere/at/all.csv (No such file"),
        (f"export --task {NOBODY} --format csv --output a.parquet", "must not end in .parquet with --format csv"),
        (f"export --task {NOBODY} --output README.md/r.csv", "README.md/r.csv (Not a directory)"),
        (f"report none.txt --task {NOBODY} --max-epsilon 1", "--key must be given"),
        (f"report none.txt --task {NOBODY} --max-epsilon 1 --key k", "the collector answered 404"),
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


@pytest.mark.parametrize(
    "url", ["", "127.0.0.1", "ftp://x", "http://", "http://x/path", "http://x:port", "http://[", "http://é"]
)
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


def test_a_number_that_is_none_names_its_line_and_not_itself(
    service: Service, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = create(service, capsys, "--epoch-seconds", "60")
    events = tmp_path / "events.txt"
    events.write_text("7\nsecret\n", encoding="utf-8")
    words = ("--url", service.url, "--task", made["id"], "--key", made["write_key"], "--max-epsilon", "4")
    code, _, err = run(capsys, "report", str(events), *words)
    assert code == 2
    assert "line 2" in err
    assert "secret" not in err


def test_watching_goes_on_while_the_collector_is_away(
    service: Service, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Away at the second look, there at the third, Ctrl-C at the fourth."""
    made, looks = create(service, capsys, "--half-life", "777"), iter(range(100))
    real = Caller.get

    def sometimes(self: Caller, path: str, **query: object) -> object:
        look = next(looks)
        if look == 1:
            raise Unreachable("no collector answers")
        if look == 3:
            raise KeyboardInterrupt
        return real(self, path, **query)

    monkeypatch.setattr(top_command.Service, "get", sometimes)
    code, out, _ = run(capsys, "top", "--url", service.url, "--task", made["id"], "--watch", "--every", "0.01")
    assert code == 130
    assert next(looks) == 4
    assert "Epoch 0, 0 reports" in out


def test_what_was_published_follows_from_the_log_and_a_changed_row_does_not(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "data"
    with live_service(folder) as running:
        made = running.create(**WORDS)
        for seed in range(4):
            running.upload(made, ["tea"] * 70 + ["mate"] * 50, seed)
        code, out, _ = run(capsys, "replay", str(folder), "--json")
        assert (code, json.loads(out)["agrees"]) == (0, True)
    code, out, _ = run(capsys, "replay", str(folder))
    assert code == 0
    assert "follows from the log, bit for bit" in out
    with closing(sqlite3.connect(folder / FILE)) as database:
        database.execute("UPDATE results SET reports = reports + 1 WHERE epoch = 1")
        database.commit()
    code, out, _ = run(capsys, "replay", str(folder))
    assert code == 1
    assert "First difference: entry" in out
    assert made.id in out.replace("\n", "")


def test_a_folder_without_a_log_cannot_be_replayed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = run(capsys, "replay", str(tmp_path))
    assert code == 2
    assert "must hold the data of a collector" in err
