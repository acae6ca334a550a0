"""`hgldp task create --warmup`: what files it reads, what it refuses, and that it is shown as raw."""

import gzip
import json
from pathlib import Path

import pytest

from hgldp.cli.commands.task import warmup
from hgldp.model.estimate import STARTED_COLD
from tests.cli.conftest import run
from tests.collector.live_service import Service

pytestmark = pytest.mark.usefixtures("tokens")
DRINKS = ["tea", "coffee", "mate", "water"]


def words(tmp_path: Path, service: Service, epoch: int) -> tuple[str, ...]:
    listed = tmp_path / "drinks.txt"
    listed.write_text("\n".join(DRINKS), encoding="utf-8")
    settings = ("--scheme", "dsr", "--epsilon", "4", "--words", str(listed), "--k", "1", "--cells", "2")
    return (
        "task",
        "create",
        "Drinks",
        "--url",
        service.url,
        "--results",
        "public",
        "--level",
        "event",
        "--epoch",
        str(epoch),
        *settings,
    )


def test_lines_and_columns_plain_or_packed_count_the_same(tmp_path: Path) -> None:
    (tmp_path / "lines.txt").write_text("mate\ntea\n\nmate\r\n", encoding="utf-8")
    rows = "who,drink\n1,mate\n2,tea\n3,mate\n"
    (tmp_path / "table.csv").write_text(rows, encoding="utf-8")
    (tmp_path / "table.csv.gz").write_bytes(gzip.compress(rows.encode()))
    (tmp_path / "numbers.txt").write_text("12\n10\n12\n", encoding="utf-8")
    domain = {"words": DRINKS}
    for name, column in (("lines.txt", None), ("table.csv", "drink"), ("table.csv.gz", "drink")):
        assert warmup.read_warmup(str(tmp_path / name), column, domain) == [["tea", 1], ["mate", 2]]
    assert warmup.read_warmup(str(tmp_path / "numbers.txt"), None, {"range": [10, 5]}) == [[10, 1], [12, 2]]


def test_a_task_starts_from_the_file_and_says_so(
    tmp_path: Path, service: Service, capsys: pytest.CaptureFixture[str]
) -> None:
    raw = tmp_path / "survey.txt"
    raw.write_text("mate\n" * 30 + "tea\n" * 6, encoding="utf-8")
    code, out, err = run(capsys, *words(tmp_path, service, 50), "--warmup", str(raw), "--json")
    assert (code, err) == (0, "")
    made, url = json.loads(out), ("--url", service.url)
    assert made["warmup_raw_items"] == 36
    out = run(capsys, *words(tmp_path, service, 49), "--warmup", str(raw))[1]
    assert "It starts from 36 raw items, which nobody randomised." in out
    for command, more in (("top", ("--k", "2")), ("ask", ("tea", "mate"))):
        told = run(capsys, command, "--task", made["id"], *url, *more)[1]
        assert "No reports yet: this is the warm-up alone, 36 raw items that nobody randomised." in told
        (mate,) = (line.split() for line in told.splitlines() if " mate " in f" {line}")
        assert mate[mate.index("mate") + 1 :][:2] == ["30", "30"]
    shown = run(capsys, "task", "show", made["id"], *url)[1]
    assert any(line.split() == ["warmup", "raw", "items", "36"] for line in shown.splitlines())
    assert json.loads(run(capsys, "task", "show", made["id"], *url, "--json")[1])["warmup_raw_items"] == 36
    (tmp_path / "events.txt").write_text("tea\n" * 20, encoding="utf-8")
    sending = ("--task", made["id"], "--key", made["write_key"], "--max-epsilon", "4")
    assert run(capsys, "report", str(tmp_path / "events.txt"), *url, *sending)[0] == 0
    top = run(capsys, "top", made["id"], *url, "--k", "2")[1]
    assert "Started from a warm-up of 36 raw items, which nobody randomised." in top
    assert STARTED_COLD not in top
    heading, tea = top.splitlines()[2], next(line for line in top.splitlines() if " tea " in line)
    assert [word for word in heading.split() if word != "likely"][:4] == ["rank", "item", "estimate", "raw"]
    assert tea.split("tea")[1].split()[1] == "6"
    cold = run(capsys, *words(tmp_path, service, 51), "--json")[1]
    sending = ("--task", json.loads(cold)["id"], "--key", json.loads(cold)["write_key"], "--max-epsilon", "4")
    assert run(capsys, "report", str(tmp_path / "events.txt"), *url, *sending)[0] == 0
    top = run(capsys, "top", json.loads(cold)["id"], *url, "--k", "2")[1]
    assert "raw" not in top
    assert STARTED_COLD in top


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("tea\nmate\na secret\n", "line 3: must be an item of the task's domain; the text is withheld"),
        ("", "--warmup must hold at least one item, got none in"),
        ("\n\n", "--warmup must hold at least one item, got none in"),
        (b"tea\n\xff\n", "--warmup must be UTF-8 text, got"),
        (None, "--warmup must be a readable file or '-', got"),
    ],
)
def test_a_wrong_file_creates_nothing_and_is_not_repeated(
    content: str | bytes | None, complaint: str, tmp_path: Path, service: Service, capsys: pytest.CaptureFixture[str]
) -> None:
    raw, before = tmp_path / "survey.txt", len(service.collector.tasks())
    if content is not None:
        raw.write_bytes(content.encode() if isinstance(content, str) else content)
    code, out, err = run(capsys, *words(tmp_path, service, 60), "--warmup", str(raw))
    assert (code, out) == (2, "")
    assert complaint in err
    assert "secret" not in err
    assert len(service.collector.tasks()) == before


def test_more_than_the_limit_is_refused_before_it_is_sent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    raw = tmp_path / "numbers.txt"
    raw.write_text("".join(f"{number}\n" for number in range(12)), encoding="utf-8")
    for name in ("MOST_ITEMS", "MOST_DIFFERENT"):
        with monkeypatch.context() as patch:
            patch.setattr(warmup, name, 11)
            with pytest.raises(ValueError, match=r"--warmup must hold at most .* a sample will do"):
                warmup.read_warmup(str(raw), None, {"range": [0, 20]})
    assert len(warmup.read_warmup(str(raw), None, {"range": [0, 20]})) == 12


def test_options_that_do_not_go_together_are_refused(
    tmp_path: Path, service: Service, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "--column works with --warmup only, got 2" in run(capsys, *words(tmp_path, service, 70), "--column", "2")[2]
    assert "--warmup works with hgldp task create only" in run(capsys, "task", "list", "--warmup", "x")[2]
    (tmp_path / "raw.txt").write_text("tea\n", encoding="utf-8")
    strings = ("task", "create", "S", "--url", service.url, "--epsilon", "4", "--strings", "8", "--k", "1")
    refused = run(capsys, *strings, "--warmup", str(tmp_path / "raw.txt"))
    assert refused[2].endswith("--warmup must be left out for strings that nobody listed, got a file\n")
    (tmp_path / "raw.csv").write_text("tea\n", encoding="utf-8")
    assert "--column must" in run(capsys, *words(tmp_path, service, 80), "--warmup", str(tmp_path / "raw.csv"))[2]
