"""`hgldp ask`: any items of a task, as people see them and as programs read them."""

import csv
import io
import json
from pathlib import Path

import pytest
from rich.console import Console

from hgldp.cli.commands.ask import run as ask_command
from tests.cli.conftest import run
from tests.collector.live_service import NUMBERS, WORDS, Made, Service

pytestmark = pytest.mark.usefixtures("tokens")


@pytest.fixture(scope="module")
def words(service: Service) -> Made:
    made = service.create(**{**WORDS, "name": "Asked drinks"})
    service.upload(made, ["tea"] * 250 + ["mate"] * 50)
    return made


@pytest.fixture(scope="module")
def numbers(service: Service) -> Made:
    made = service.create(**{**NUMBERS, "name": "Asked pages"})
    for seed in range(3):
        service.upload(made, [7] * 150 + [-5] * 50, seed)
    return made


@pytest.fixture
def asked(service: Service, capsys: pytest.CaptureFixture[str]) -> object:
    return lambda *words: run(capsys, "ask", "--url", service.url, *words)


def test_a_table_says_what_is_known(asked, words: Made, numbers: Made) -> None:  # type: ignore[no-untyped-def]
    code, out, err = asked(words.id, "tea", "water")
    assert (code, err) == (0, "")
    assert "300 reports" in out
    assert "No warm-up: what came before" in out
    assert "95 % interval" in out
    code, out, _ = asked("--task", "Asked pages", "--", "-5", "7", "60")
    assert code == 0
    assert "No warm-up: what came before" not in out
    lines = {words[0]: words[1:] for words in (line.split() for line in out.splitlines()) if words}
    assert [item for item in lines if item in ("-5", "7", "60")] == ["-5", "7", "60"]
    assert lines["60"][-1] == "maybe"
    assert "maybe" not in lines["7"]
    assert "maybe: it does not stand out from an ordinary item" in out
    assert "brought it here" not in out
    assert 350 < int(lines["7"][0]) < 550


@pytest.mark.parametrize(
    "line",
    [
        "TASK -- -5 7",
        "TASK --window 100 -- -5 7",
        "TASK -5 --window 100 7",
        "--window 100 TASK -5 7",
        "--task TASK -- -5 7",
        "--task TASK -5 --window 100 7",
        "-5 7 --task TASK",
    ],
)
def test_the_task_is_the_first_word_or_comes_after_its_option(asked, numbers: Made, line: str) -> None:  # type: ignore[no-untyped-def]
    code, out, err = asked("--json", *line.replace("TASK", numbers.id).split())
    assert (code, err) == (0, "")
    assert [one["item"] for one in json.loads(out)["items"]] == [-5, 7]


def test_a_question_without_a_task_or_an_item_says_what_is_missing(asked) -> None:  # type: ignore[no-untyped-def]
    assert "TASK must be given to hgldp ask" in asked()[2]
    assert "ITEM must be given 1 to 1,000 times" in asked("tea")[2]


LINE = {
    "item": "tea", "estimate": 9.0, "standard_error": 1.0, "low": 7.0, "high": 11.0, "tracked_count": 9.0,
    "tracked_error": 1.0, "since": 99, "may_be_noise": False, "since_low": 7.0, "since_high": 11.0, "warmup": 0,
}  # fmt: skip
ANSWER = {"scheme": "pfr", "epoch": 1, "reports": 99, "window": None, "covered": 99, "warmup_raw_items": 0}


def shown(*lines: dict[str, object], **over: object) -> str:
    screen = io.StringIO()
    Console(file=screen, width=120, highlight=False).print(ask_command.table_of({**ANSWER, "items": lines, **over}))
    return screen.getvalue()


def test_the_legend_explains_what_is_shown_and_nothing_else() -> None:
    alone = {**LINE, "since": 0, "since_low": None, "since_high": None}
    shared = {**LINE, "estimate": 0.0, "since_low": 1e-15, "since_high": 80.0, "may_be_noise": True}
    by_itself = "since  how many of the last reports counted it by itself"
    together = "since   for a string that was not found: how many counted it together with others that begin like it"
    assert by_itself in shown(LINE)
    assert "not found" not in shown(LINE)
    assert "since" not in shown(alone)
    assert together in shown(shared)
    assert "by itself" not in shown(shared)
    both = " ".join(shown(LINE, shared).split())
    assert "counted it by itself; for a string that was not found" in both
    assert both.count("since how many") == 1


def test_what_may_be_none_or_all_is_unknown() -> None:
    nothing = {**LINE, "estimate": 0.0, "low": 0.0, "high": 99.0, "may_be_noise": True}
    told = shown(nothing, {**nothing, "high": 98.0})
    assert [line.split()[-1] for line in told.splitlines() if "tea" in line] == ["unknown", "maybe"]
    assert "unknown: nothing is known about it yet" in told
    assert "unknown" not in shown(LINE)


def test_a_half_life_is_said() -> None:
    told = shown(LINE, half_life=2_000)
    assert told.startswith("Epoch 1, 99 reports, the recent ones counting most\n")
    assert "one counts half after 2,000 more (half-life)" in " ".join(told.split())
    assert "recent" not in shown(LINE, half_life=0)


def test_raw_items_are_told_apart() -> None:
    told = shown({**LINE, "warmup": 5}, LINE, warmup_raw_items=36)
    assert [line.split()[:3] for line in told.splitlines() if "tea" in line] == [["tea", "9", "5"], ["tea", "9", "0"]]
    assert "raw    of the estimate, from the warm-up: items that nobody randomised" in told
    assert "Started from a warm-up of 36 raw items, which nobody randomised." in told
    assert "raw" not in shown(LINE)


def test_before_any_report_the_warm_up_answers_and_says_that_it_is_alone() -> None:
    told = shown({**LINE, "warmup": 9}, reports=0, covered=0, warmup_raw_items=36)
    assert "No reports yet: this is the warm-up alone, 36 raw items that nobody randomised." in told
    assert "tea" in told
    assert "tea" not in shown(LINE, reports=0, covered=0)


def test_a_narrow_terminal_drops_columns(asked, words: Made, monkeypatch: pytest.MonkeyPatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setenv("COLUMNS", "60")
    code, out, _ = asked("--task", words.id, *WORDS["domain"]["words"])  # type: ignore[index]
    assert code == 0
    assert "No room for since" in out
    assert "95 % interval" in out
    assert all(len(line) <= 60 for line in out.splitlines())


def test_programs_get_json_and_csv(asked, numbers: Made) -> None:  # type: ignore[no-untyped-def]
    code, out, _ = asked(numbers.id, "7", "8", "--json")
    found = json.loads(out)
    assert (code, found["covered"]) == (0, 600)
    assert [line["item"] for line in found["items"]] == [7, 8]
    code, out, _ = asked("--task", numbers.id, "7", "8", "--csv")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert (code, [row["item"] for row in rows]) == (0, ["7", "8"])
    assert float(rows[0]["estimate"]) == found["items"][0]["estimate"]
    tracked = next(line for line in found["items"] if line["since"])
    assert tracked["since_low"] < tracked["tracked_count"] < tracked["since_high"]
    assert float(rows[found["items"].index(tracked)]["since_high"]) == tracked["since_high"]
    code, out, _ = asked(numbers.id, "7", "--window", "1")
    assert "No whole epoch fits into this window" in out


def test_a_file_and_standard_input_ask_for_many(  # type: ignore[no-untyped-def]
    asked, words: Made, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "items.txt"
    file.write_text("mate\n\n=coffee\n", encoding="utf-8")
    code, out, _ = asked("--task", words.id, "tea", "--file", str(file), "--json")
    assert (code, [line["item"] for line in json.loads(out)["items"]]) == (0, ["tea", "mate", "=coffee"])
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"juice\n"), encoding="utf-8"))
    code, out, _ = asked(words.id, "--file", "-", "--json")
    assert (code, [line["item"] for line in json.loads(out)["items"]]) == (0, ["juice"])


def test_refusals_are_one_line_without_an_item(asked, words: Made, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    many, table = tmp_path / "many.txt", tmp_path / "items.csv"
    many.write_text("tea\n" * 1_001, encoding="utf-8")
    table.write_text("tea\n", encoding="utf-8")
    for given, told in (
        (
            ("tea", "a secret"),
            "item 2 of those asked for is outside the domain (6 words, other); the item is withheld",
        ),
        ((), "ITEM must be given 1 to 1,000 times, or in a --file, got none"),
        (("--file", str(many)), "ITEM must be given 1 to 1,000 times, or in a --file, got more"),
        (("--file", str(tmp_path / "none")), "--file must be a readable file or '-'"),
        (("--file", str(table)), "--file must have one item per line, and not be CSV"),
        (("tea", "--window", "0"), "--window must be at least 1, got 0"),
        (("tea", "--window", "9"), "--window works with pfr only"),
        (("tea", "--json", "--csv"), "--csv"),
    ):
        code, out, err = asked("--task", words.id, *given)
        assert (code, out, err.count("\n")) == (2, "", 1), err
        assert told in err
        assert "secret" not in err


def test_no_reports_is_an_answer(service: Service, asked) -> None:  # type: ignore[no-untyped-def]
    made = service.create(**{**NUMBERS, "name": "Nothing yet", "epoch": 250})
    code, out, _ = asked(made.id, "7")
    assert code == 0
    assert "No reports yet." in out
