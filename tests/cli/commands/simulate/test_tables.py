"""What is said under a comparison."""

import re
import time

import numpy as np
import pytest

from hgldp.cli import main
from hgldp.cli.commands.simulate.tables import BY_ESTIMATE, CORRECTED, NO_ROOM
from hgldp.model.estimate import STARTED_COLD
from hgldp.simulation.metrics import exact_top
from hgldp.simulation.run import Plan, run
from hgldp.sources.find import find_source
from hgldp.stores.frontier import Frontier

SMALL = "normal:n=3000,d=60,sigma=3"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("--scheme dsr --k 5 --cells 5 --warmup 0", True),
        ("--scheme grr,cnr --k 5 --cells 5 --warmup 0", True),
        ("--scheme dsr --k 5 --cells 6 --warmup 0", False),
        ("--scheme dsr --k 5 --cells 5 --warmup 0.1", False),
        ("--scheme grr --k 5 --cells 5 --warmup 0", False),
        ("--scheme heavyguardian --k 5 --cells 5 --warmup 0", False),
        ("--scheme dsr --k 5 --cells 5 --warmup 0 --variant paper", False),
    ],
)
def test_a_list_that_can_never_change_is_remarked_upon(
    arguments: str, said: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["simulate", SMALL, *arguments.split()]) == 0
    assert capsys.readouterr().out.splitlines().count(NO_ROOM) == said


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("--scheme dsr --warmup 0", True),
        ("--scheme grr,bgr --warmup 0", True),
        ("--scheme dsr", True),
        ("--scheme dsr --warmup 0.01", False),
        ("--scheme grr,heavyguardian --warmup 0", False),
        ("--scheme dsr --warmup 0 --variant paper", False),
        ("--scheme dsr --warmup 0 --cells 5", False),
    ],
)
def test_a_cold_start_is_remarked_upon(arguments: str, said: bool, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", SMALL, "--k", "5", *arguments.split()]) == 0
    assert capsys.readouterr().out.splitlines().count(f"{STARTED_COLD} (docs/estimates.md)") == said


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        ("--level user --events 10", "ε covers all of a person's events, at most 10: 0.1, 0.2 per report."),
        ("--level window --events 4", "ε covers any 4 consecutive events of a person: 0.25, 0.5 per report."),
        ("", None),
    ],
)
def test_a_level_says_what_a_report_spends(arguments: str, line: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", SMALL, "--k", "5", "--scheme", "grr", "--epsilon", "1,2", *arguments.split()]) == 0
    said = [each for each in capsys.readouterr().out.splitlines() if each.startswith("ε covers")]
    assert said == ([line] if line else [])


@pytest.mark.parametrize(("scheme", "why"), [("dsr", CORRECTED), ("pfr", CORRECTED), ("grr", BY_ESTIMATE)])
def test_an_answer_says_how_it_is_ranked(scheme: str, why: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", SMALL, "--k", "5", "--scheme", scheme]) == 0
    assert re.search(rf"^rank +{why}$", capsys.readouterr().out, re.MULTILINE)


def test_heavyguardian_has_certain_bounds_and_no_standard_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", "zipf:n=20000,d=900,s=0.6", "--k", "5", "--scheme", "heavyguardian"]) == 0
    answer = capsys.readouterr().out.partition("The answer of heavyguardian")[2]
    assert "±" not in answer
    rows = re.findall(r"^ *\d+ +\d+ +([\d,]+) +([\d,]+) … ([\d,]+) +([\d,]+)", answer, re.MULTILINE)
    numbers = [[int(number.replace(",", "")) for number in row] for row in rows]
    assert len(numbers) == 5
    assert all(low == count and low <= true <= high for count, low, high, true in numbers)
    assert any(low < high for _, low, high, _ in numbers)


@pytest.mark.parametrize(
    ("columns", "gone"), [(100, None), (60, "fetched, sent"), (40, "fetched, sent, M/s, state, AAE")]
)
def test_a_narrow_terminal_costs_columns_but_never_the_scheme(
    columns: int, gone: str | None, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    assert main(["simulate", SMALL, "--k", "5", "--scheme", "dsr,heavyguardian"]) == 0
    shown = capsys.readouterr().out
    assert all(re.search(rf"^{name} +[\w.]+ +[01]\.\d{{3}} ", shown, re.MULTILINE) for name in ("dsr", "heavyguardian"))
    assert re.findall(r"No room for (.*?)\. ", " ".join(shown.split())) == ([gone] if gone else [])
    explained = re.findall(r"^(NDCG|AAE|state|sent|fetched|M/s)  ", shown, re.MULTILINE)
    assert not {*explained} & {*(gone or "").split(", ")}
    assert len(explained) + len((gone or "").split(", ") if gone else ()) == 6


@pytest.mark.parametrize("scheme", ["bgr", "dsr", "bdr", "cnr"])
def test_the_remark_is_true(scheme: str) -> None:
    items = find_source("normal:n=20000,d=200,sigma=3").stream(1).items
    lists = [
        {line.item for line in run(Plan(scheme, 3.0, k=5, cells=cells), items[:length], 200, 0, 1).estimates}
        for cells, length in ((5, 1), (5, 20000), (10, 20000))
    ]
    assert lists[0] == lists[1]
    assert len(lists[2] & set(exact_top(np.bincount(items, minlength=200), 5))) >= 4


@pytest.mark.parametrize(
    ("variant", "warm"),
    [("default", ["bgr", "dsr", "bdr", "cnr", "pfr"]), ("paper", ["bgr paper", "dsr paper", "bdr paper", "cnr paper"])],
)
def test_exactly_the_rows_that_got_raw_items_are_marked(
    variant: str, warm: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["simulate", SMALL, "--k", "5", "--epsilon", "2", "--warmup", "60", "--variant", variant]) == 0
    shown = capsys.readouterr().out
    assert re.findall(r"^(.+) † +2 ", shown, re.MULTILINE) == warm
    assert re.search(r"^† +given the first 60 items raw$", shown, re.MULTILINE)


def test_a_warmup_that_no_scheme_can_use_is_not_said_to_be_used(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", SMALL, "--k", "5", "--scheme", "grr", "--warmup", "60"]) == 0
    shown = capsys.readouterr().out
    assert "None of these schemes can use the first 60 items (2 %) as a warm-up" in shown
    assert "†" not in shown


def test_a_scheme_without_privacy_is_not_said_to_randomise(capsys: pytest.CaptureFixture[str]) -> None:
    for schemes, title, start in (
        ("heavyguardian", "found in raw items", "Nothing is randomised: heavyguardian sees every item as it is."),
        ("grr", "found by randomised reports", "No warm-up: every item is randomised."),
        ("grr,heavyguardian", "found by randomised reports", "every item is randomised, except for heavyguardian."),
    ):
        assert main(["simulate", SMALL, "--scheme", schemes, "--k", "5", "--no-progress"]) == 0
        out = capsys.readouterr().out
        assert f"Top 5 of a stream, {title}\n" in out
        assert f"{start}\n" in out


def test_one_item_is_one_item(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", "zipf:n=1,d=20,s=1", "--scheme", "grr", "--k", "5", "--no-progress"]) == 0
    assert "zipf:n=1,d=20,s=1: 1 item, out of 20 possible ones." in capsys.readouterr().out


def test_what_reads_an_epoch_is_compiled_before_the_clock_starts(monkeypatch: pytest.MonkeyPatch) -> None:
    happened: list[str] = []
    seal, clock = Frontier.seal, time.process_time
    monkeypatch.setattr(Frontier, "seal", lambda store: happened.append("seal") or seal(store))
    monkeypatch.setattr(time, "process_time", lambda: happened.append("clock") or clock())
    assert main(["simulate", SMALL, "--scheme", "pfr", "--k", "5", "--no-progress"]) == 0
    assert happened[: happened.index("clock")].count("seal") > 3, "several epochs are read together"
