"""`hgldp report` against a real collector: from a file of events to the exported answer."""

import csv
import io
import json
import re
from pathlib import Path

import pytest

from hgldp.client.spending.page import Page
from tests.cli.conftest import create, run
from tests.collector.live_service import ADMIN, Service

pytestmark = pytest.mark.usefixtures("tokens")


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
    assert (told["events"], told["delivered"], told["epsilon_24h"]) == (1501, 1501, 6004)
    assert (told["dropped"], told["as_other"], told["epsilon"], told["next_report"]) == ({}, 1, 6004, None)
    code, out, _ = run(capsys, "top", *url, "--task", made["id"], "--k", "3", "--json")
    assert json.loads(out)["reports"] == 1501
    code, out, _ = run(capsys, "task", "seal", made["id"], *url, "--json")
    assert code == 0
    code, out, _ = run(capsys, "top", *url, "--task", made["id"])
    assert code == 0
    assert "95 % interval" in out
    (best,) = (line.split() for line in out.splitlines() if line.strip().startswith("1 "))
    assert "7" in best[1:4]
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


def test_reports_of_an_earlier_run_are_told_apart(
    service: Service, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made, events = create(service, capsys, "--half-life", "5500", "--results", "public"), tmp_path / "events.txt"
    events.write_text("7\n" * 20, encoding="utf-8")
    words = ("--url", service.url, "--task", made["id"], "--max-epsilon", "4", "--folder", str(tmp_path / "client"))
    code, _, err = run(capsys, "report", str(events), *words, "--key", "k" * 43)
    assert code == 2
    assert "1 upload queued for the next run" in err
    code, out, _ = run(capsys, "report", str(events), *words, "--key", made["write_key"])
    assert code == 0
    told = dict(re.split(r" {2,}", line.strip(), maxsplit=1) for line in out.splitlines() if "  " in line)
    assert (told["events read"], told["reports delivered"], told["from an earlier run"]) == ("20", "21", "1")
    code, out, _ = run(capsys, "report", str(events), *words, "--key", made["write_key"])
    assert code == 0
    assert "earlier" not in out


def test_words_of_a_file_and_strings_from_standard_input(
    service: Service, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    words = tmp_path / "words.txt"
    words.write_text("tea\ncoffee\nmate\njuice\n\nmilk\n", encoding="utf-8")
    url = ("--url", service.url)
    code, out, _ = run(
        capsys, "task", "create", *url, "--json", "--name", "W", "--level", "event", "--scheme", "dsr",
        "--epsilon", "2", "--words", str(words), "--k", "2",
    )  # fmt: skip
    made = json.loads(out)
    monkeypatch.setenv("HGLDP_WRITE_KEY", made["write_key"])
    table = io.TextIOWrapper(io.BytesIO(b"n,drink\r\n1,tea\r\n2,\r\n3,tea\r\n4,wine\r\n"))
    monkeypatch.setattr("sys.stdin", table)
    sent = ("report", "-", "--column", "drink", *url, "--task", made["id"], "--max-epsilon", "2")
    code, out, _ = run(capsys, *sent)
    assert code == 0
    assert "events read" in out
    assert service.http.get(f"/v1/tasks/{made['id']}", headers=service.admin).json()["reports"] == 3
    assert re.search("events that the task does not list +1\n", out)


def test_what_is_no_number_is_an_item_that_the_range_does_not_list(
    service: Service, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A stream must not end at the first stray line, and silence would tell that there was one."""
    made = create(service, capsys, "--half-life", "5600")
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"7\nabc\n\n8\n")))
    words = ("--url", service.url, "--task", made["id"], "--max-epsilon", "4", "--folder", str(tmp_path / "client"))
    code, out, _ = run(capsys, "report", "-", *words, "--key", made["write_key"], "--json")
    told = json.loads(out)
    assert (code, told["events"], told["delivered"], told["as_other"]) == (0, 3, 3, 1)


def test_an_empty_file_is_not_called_sent(service: Service, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made, events = create(service, capsys, "--half-life", "5700"), tmp_path / "events.txt"
    events.write_text("", encoding="utf-8")
    words = ("--url", service.url, "--task", made["id"], "--max-epsilon", "4", "--folder", str(tmp_path / "client"))
    code, out, _ = run(capsys, "report", str(events), *words, "--key", made["write_key"])
    assert code == 0
    assert "There was nothing to send" in out


def test_whoever_sends_strings_hears_how_many_epochs_there_were(
    service: Service, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("--name", "S", "--epsilon", "4", "--strings", "20", "--k", "5", "--epoch", "600")
    made = json.loads(run(capsys, "task", "create", "--url", service.url, "--json", "--level", "event", *words)[1])
    file = tmp_path / "searches.txt"
    file.write_text("tea\n" * 700, encoding="utf-8")
    sent = ("report", str(file), "--url", service.url, "--key", made["write_key"], "--max-epsilon", "4")
    code, out, _ = run(capsys, *sent, "--task", made["id"])
    assert code == 0
    assert re.search(r"epochs so far +[01]; it takes several to spell out a string", out), "the first may be ending"


def test_reports_that_nobody_takes_are_not_called_sent_and_few_are_spent(
    service: Service, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    public, private = ("--results", "public"), create(service, capsys, "--half-life", "53", "--results", "token")
    closed, open_one = (create(service, capsys, "--half-life", life, *public) for life in ("51", "52"))
    assert run(capsys, "task", "close", closed["id"], "--url", service.url)[0] == 0
    inside, outside = tmp_path / "inside.txt", tmp_path / "outside.txt"
    inside.write_text("7\n" * 20, encoding="utf-8")
    outside.write_text("700\n" * 20, encoding="utf-8")
    for number, (file, task, key, token, reason, spent) in enumerate(
        [
            (inside, closed, closed["write_key"], ADMIN, "--task must be open, got a task that was closed at ", 0),
            (inside, closed, closed["write_key"], "", "409: the task is closed; 1 report spent for nothing", 1),
            (
                inside,
                open_one,
                closed["write_key"],
                "",
                "took no report: .*410: .*; 2 reports spent for nothing",
                2,
            ),
            (
                inside,
                private,
                closed["write_key"],
                "",
                "404: there is no such task, or this is not its write key; give its key with --key",
                0,
            ),
            (inside, open_one, "k" * 43, "", "404: no task has this write key; 1 upload queued for the next run", 1),
        ]
    ):
        words = ("--url", service.url, "--task", task["id"], "--key", key, "--max-epsilon", "4", "--token", token)
        folder = tmp_path / f"client {number}"
        code, out, err = run(capsys, "report", str(file), *words, "--folder", str(folder))
        assert (code, out) == (2, "")
        assert re.search(reason, err), err
        ledger = folder / "ledger"
        assert (Page.decode(ledger.read_bytes()).reports if ledger.exists() else 0) == spent


def test_a_csv_file_without_a_column_is_refused_as_in_a_simulation(
    service: Service, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made, file = create(service, capsys, "--half-life", "59"), tmp_path / "orders.csv"
    file.write_text("product\n7\n", encoding="utf-8")
    words = ("--url", service.url, "--task", made["id"], "--key", made["write_key"], "--max-epsilon", "4")
    refused = run(capsys, "report", str(file), *words)
    assert refused == run(capsys, "simulate", str(file))
    assert refused[0] == 2
    assert "column must be given for a CSV file" in refused[2]


def test_a_client_sends_nothing_above_its_ceilings(
    service: Service, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = create(service, capsys, "--epoch-seconds", "3600")
    events = tmp_path / "events.txt"
    events.write_text("7\n" * 20, encoding="utf-8")
    sent = ("report", str(events), "--url", service.url, "--task", made["id"], "--key", made["write_key"])
    code, out, err = run(capsys, *sent, "--max-epsilon", "3.9", "--folder", str(tmp_path / "one"))
    assert (code, out) == (2, "")
    assert "--max-epsilon must be at least the task's ε = 4, got 3.9" in err
    code, out, err = run(
        capsys, *sent, "--max-epsilon", "4", "--reports-per-day", "5", "--folder", str(tmp_path / "two")
    )
    assert code == 2
    assert "the limit of reports in 24 hours" in err
    assert service.http.get(f"/v1/tasks/{made['id']}", headers=service.admin).json()["reports"] <= 5


def test_at_the_level_period_one_event_is_drawn_and_the_rest_is_told(
    service: Service, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = create(service, capsys, "--level", "period", "--period", "week", "--nothing")
    (tmp_path / "events.txt").write_text("7\n8\n77\n", encoding="utf-8")
    words = ("--url", service.url, "--task", made["id"], "--key", made["write_key"], "--max-epsilon", "4")
    sent = ("report", str(tmp_path / "events.txt"), *words, "--folder", str(tmp_path / "client"))
    code, out, err = run(capsys, *sent, "--json")
    told = json.loads(out)
    assert (code, err) == (0, "")
    assert (told["events"], told["delivered"], told["as_other"], told["epsilon"]) == (3, 0, 1, 0)
    assert told["next_report"].endswith("Z")
    code, out, _ = run(capsys, *sent)
    assert out.startswith("Drawn, and not sent yet")
    assert "about one of the events before it" in out
    assert json.loads((tmp_path / "client" / "drawn").read_text(encoding="utf-8"))["open"][1] == 6
