"""The share of intervals that hold the truth is told as it is."""

import json
import sys
from pathlib import Path

import pytest

from benchmarks.coverage.__main__ import main, measure, tables
from benchmarks.coverage.answers import COLD, KINDS, WARM, Case, Piece
from benchmarks.coverage.row import HEADINGS, Row
from benchmarks.coverage.truth import Judged

GOOD, HIGH, LOW = Judged(0.5, 0), Judged(3.0, 1), Judged(-3.0, -1)
NOISE = Judged(3.5, 1, may_be_noise=True)
RANKED, MISRANKED = Judged(0.0, 0, rank_held=True), Judged(0.0, 0, rank_held=False)


def row(*runs: list[Judged]) -> Row:
    return Row("pfr", "zipf", COLD, 2.0, KINDS[0], dict(enumerate(runs)))


def test_a_row_is_means_and_shares() -> None:
    made = row([GOOD, HIGH], [GOOD, NOISE])
    assert (made.covered, made.clear_covered) == (0.5, pytest.approx(2 / 3))
    assert (made.too_high, made.too_low) == (0.5, 0.0)
    assert made.mean_error == pytest.approx(1.875)
    assert made.groups_covered == 0.0
    assert made.ranks_covered is None


def test_a_group_is_the_first_ten_lines_and_every_one_counts() -> None:
    assert row([GOOD] * 10 + [LOW], [GOOD] * 9 + [HIGH] + [GOOD], []).groups_covered == 0.5
    assert row([GOOD] * 3, [LOW]).groups_covered == 0.5


def test_ranks_are_counted_only_where_there_are_any() -> None:
    assert row([RANKED, RANKED, MISRANKED, GOOD]).ranks_covered == pytest.approx(2 / 3)


@pytest.mark.parametrize(("held", "word"), [(91, "low"), (92, ""), (95, ""), (98, ""), (99, "high")])
def test_a_row_outside_92_to_98_percent_is_marked(held: int, word: str) -> None:
    assert row([GOOD] * held + [HIGH] * (100 - held)).outside == word


def test_a_row_without_a_line_says_nothing() -> None:
    empty = row([], [])
    assert empty.outside == ""
    assert empty.cells[3:] == ("–", "", "0", "–", "–", "–", "–", "–", "–")
    assert len(empty.cells) == len(HEADINGS)
    assert empty.to_dict()["covered"] is None


def test_rows_come_in_the_order_of_what_was_asked() -> None:
    cases = tuple(
        Case(scheme, start, epsilon) for scheme in ("dsr", "bgr") for start in (WARM, COLD) for epsilon in (4.0, 1.0)
    )
    streams = ("zipf:n=3000,d=50,s=1.2", "uniform:n=3000,d=50")
    rows = measure([Piece(stream, seed, cases) for seed in (1, 2) for stream in streams], 1)
    assert len(rows) == 2 * 2 * 2 * 2 * 2
    assert [one.scheme for one in rows] == ["dsr"] * 16 + ["bgr"] * 16
    assert [one.stream for one in rows[:9]] == [streams[0]] * 8 + [streams[1]]
    assert [one.epsilon for one in rows[:4]] == [1.0, 4.0, 1.0, 4.0]
    assert all(len(one.runs) == 2 for one in rows)
    assert len(tables(rows)) == 8


def test_the_command_prints_tables_and_writes_every_row(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    options = "--repeats 1 --processes 1 --scheme pfr --epsilon 4 --stream zipf:n=3000,d=50,s=1.2 --stream nowhere"
    monkeypatch.setattr(sys, "argv", ["coverage", *options.split(), "--json", str(tmp_path / "rows.json")])
    main()
    printed = capsys.readouterr().out
    assert "nowhere: not found, left out; give their folder with --data" in printed
    assert "of 14 rows between 92% and 98%" in printed
    rows = json.loads((tmp_path / "rows.json").read_text())["rows"]
    assert {one["kind"] for one in rows} == set(KINDS)
    assert all(0 <= one["covered"] <= 1 and one["runs"] == 1 for one in rows if one["lines"])
