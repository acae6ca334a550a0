"""`hgldp plan` as it is typed: what it prints, writes and refuses."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import run

QUICK = ("--launches", "1", "--seconds", "300", "--no-progress")
LISTED = ("plan", "--reports", "3000", "--items", "100", "--epsilon", "4", "--k", "3", *QUICK)


def test_a_plan_has_a_row_for_each_stream_after_a_day_a_week_and_a_month(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, *LISTED)
    assert (code, err) == (0, "")
    assert out.startswith("The top 3 of 100 items by pfr, ε = 4, 3,000 reports a day\n")
    shown = " ".join(out.split())
    for told in (
        "a day 3,000 usual",
        "a week 21,000 usual",
        "a month 90,000 usual",
        "flat head",
        "steep",
        "1 launch each",
    ):
        assert told in shown


def test_json_has_every_number(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, *LISTED, "--zipf", "1.2", "--json")
    found = json.loads(out)
    assert code == 0
    assert [row["reports"] for row in found["rows"]] == [3_000, 6_000, 12_000, 21_000, 42_000, 90_000]
    assert found["after"]["month"][0]["precision"]["mean"] == 1.0
    assert set(found["rows"][0]["precision"]) == {"mean", "error", "lowest", "highest", "launches"}
    assert (found["metric"], found["traffic"]) == ("precision", {"count": 3_000, "unit": "reports a day"})


def test_an_interval_ends_at_one_and_one_launch_is_a_wide_one(capsys: pytest.CaptureFixture[str]) -> None:
    out = run(capsys, *LISTED, "--zipf", "1.2")[1]
    assert "precision  95 % interval  one launch" in out
    assert "1.00    0.47 … 1.00           –" in out
    assert "±" not in out


def test_people_send_one_report_a_period(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("plan", "--people", "700", "--period", "week", "--items", "50", "--k", "2", "--zipf", "1", *QUICK)
    found = json.loads(run(capsys, *words, "--json")[1])
    assert [found["after"][name][0]["reports"] for name in ("day", "week", "month")] == [100, 700, 3_000]
    assert (found["level"], found["traffic"]["unit"]) == ("period", "people a week")


def test_a_file_gives_the_shape_and_its_items_are_nowhere_in_the_output(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "drinks.csv"
    file.write_text("drink\n" + "secretea\n" * 60 + "mate\n" * 30 + "milk\n" * 10, encoding="utf-8")
    words = (
        "plan",
        "--reports",
        "2000",
        "--like",
        str(file),
        "--column",
        "drink",
        "--k",
        "2",
        "--epsilon",
        "4",
        *QUICK,
    )
    code, out, err = run(capsys, *words)
    assert (code, err) == (0, "")
    assert "of 3 items" in out
    code, opened, err = run(capsys, *words, "--open", "--json")
    assert (code, err) == (0, "")
    assert json.loads(opened)["metric"] == "f1"
    assert "secretea" not in out + opened
    (tmp_path / "list.txt").write_text("mate\nwater\n", encoding="utf-8")
    code, hinted, err = run(capsys, *words, "--hints", str(tmp_path / "list.txt"))
    assert (code, err) == (0, "")
    assert "strings beside a list of 2 by pfr" in hinted
    assert "secretea" not in hinted


def test_the_least_is_found_on_each_stream(capsys: pytest.CaptureFixture[str]) -> None:
    words = (*LISTED, "--zipf", "1.3", "--wanted", "0.8", "--within", "week")
    out = run(capsys, *words)[1]
    assert "The least for a mean precision of 0.8 within a week" in out
    found = json.loads(run(capsys, *words, "--json")[1])["least"]["Zipf 1.3"]
    assert found["reports a day"]["found"] == pytest.approx(found["reports"]["found"] / 7)
    assert found["epsilon"]["low"] <= found["epsilon"]["found"] <= 4


@pytest.mark.parametrize("kind", ["svg", "png"])
def test_a_plot_is_written(kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / f"plan.{kind}"
    assert run(capsys, *LISTED, "--plot", str(file))[0] == 0
    start = file.read_bytes()[:300]
    assert (b"<svg" in start) if kind == "svg" else start.startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--items", "50"), "people must be given, or reports in its place, got neither"),
        (("--reports", "9", "--people", "9", "--items", "50"), "got both"),
        (("--reports", "9"), "items must be given, or --strings or --like in its place, got none"),
        (("--reports", "9", "--items", "50", "--strings", "50"), "--items must be left out for strings"),
        (("--reports", "9", "--items", "50", "--k", "50"), "--k must be"),
        (("--reports", "9", "--items", "50", "--epsilon", "0"), "epsilon must be"),
        (("--reports", "9", "--items", "50", "--scheme", "grr"), "scheme must be one of pfr, bgr, dsr, bdr, cnr"),
        (("--reports", "9", "--items", "50", "--zipf", "-1"), "--zipf must lie in 0 … 10"),
        (("--reports", "9", "--items", "50", "--column", "a"), "--column works with --like only"),
        (("--reports", "9", "--items", "50", "--spelling", "urls"), "--spelling works with strings"),
        (("--reports", "9", "--items", "50", "--within", "week"), "--within works with --wanted only"),
        (("--reports", "9", "--items", "50", "--wanted", "2"), "--wanted must lie above 0 and below 1"),
        (("--reports", "9", "--items", "50", "--seconds", "0"), "--seconds must be above 0"),
        (("--reports", "9", "--items", "50", "--plot", "plan.pdf"), "--plot must end with .svg or .png"),
        (("--reports", "9", "--items", "50", "--plot", "nowhere/plan.svg"), "--plot must be in a folder that exists"),
        (("--reports", "9", "--strings", "50", "--hints", "list"), "--hints works with --like only"),
        (("--reports", "9", "--items", "50", "--launches", "0"), "--launches must be a whole number"),
        (("--reports", "9", "--open"), "strings must be given with --open"),
        (("--reports", "9", "--strings", "50", "--warmup", "5"), "--warmup must be left out for strings"),
        (("--people", "9", "--items", "50", "--level", "event"), "--people works with the level period only"),
    ],
)
def test_what_cannot_be_planned_is_refused_before_anything_is_simulated(
    words: tuple[str, ...],
    told: str,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    code, out, err = run(capsys, "plan", *words, "--no-progress")
    assert (code, out) == (2, "")
    assert told in err
    assert err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []
