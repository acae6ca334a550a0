"""The table of levels: every level on one crowd, judged by what it weighs, and bars that can be missed."""

import json

import pytest

from benchmarks.people.contest import DIVIDED, EPSILON, EVEN_SPLIT, METRICS, MONTH, Piece, Run, run_piece
from benchmarks.people.rows import Key, Row, gather, missed, to_json
from benchmarks.people.tables import crowd_table, division_table, in_markdown


@pytest.fixture(scope="module")
def rows() -> dict[Key, Row]:
    """A small crowd, twice, and one in which the busiest have a taste of their own."""
    found: dict[Key, Row] = {}
    for piece in (Piece(2000, 1, (EPSILON, 8.0)), Piece(2000, 2, (EPSILON, 8.0)), Piece(2000, 1, apart=0.25)):
        gather(run_piece(piece), found)
    return found


def test_nobody_spends_more_than_epsilon_and_one_report_a_month_beats_the_even_split(rows: dict[Key, Row]) -> None:
    """With 2,000 people: about .45 against .05; the seeds are fixed."""
    assert len(rows) == 27
    assert all(row.mean("spent_most") <= row.epsilon * (1 + 1e-12) for row in rows.values())
    month, even = rows[2000, 0.0, EPSILON, MONTH], rows[2000, 0.0, EPSILON, EVEN_SPLIT]
    assert month.mean("precision") > even.mean("precision") + 0.2
    assert month.mean("reports") < even.mean("reports") / 20


def test_a_level_is_judged_by_what_it_weighs(rows: dict[Key, Row]) -> None:
    month = rows[2000, 0.0, EPSILON, MONTH]
    assert month.weighs == "people"
    assert [month.mean(f"{name}_people") for name in ("precision", "ndcg")] == [
        month.mean(name) for name in ("precision", "ndcg")
    ]


def made(level: str, **values: float) -> dict[Key, Row]:
    usual = dict.fromkeys(METRICS, 1.0) | {"spent_most": 4.0} | values
    found: dict[Key, Row] = {}
    gather([Run(10, 0.0, EPSILON, level, "people", 1, usual)], found)
    return found


def test_a_month_that_finds_too_little_is_missed_and_another_level_is_not() -> None:
    assert missed(made(MONTH, precision=0.90)) == []
    assert missed(made(MONTH, precision=0.89)) == [f"10 people: {MONTH} has 0.890 < 0.9"]
    assert missed(made(EVEN_SPLIT, precision=0.26)) == []


def test_a_level_that_spends_more_than_it_may_is_named() -> None:
    assert missed(made(EVEN_SPLIT, spent_most=4.2)) == [f"10 people: {EVEN_SPLIT} spends 4.200 > 4"]


def test_the_tables_have_a_row_a_level_and_a_column_a_number(rows: dict[Key, Row]) -> None:
    own = [row for row in rows.values() if (row.apart, row.epsilon) == (0.0, EPSILON)]
    title, headings, lines = crowd_table(own)
    assert title.startswith("2,000 people, 2 seeds")
    assert [line[0] for line in lines] == [row.level for row in own]
    assert {len(line) for line in lines} == {len(headings)}
    _, headings, lines = division_table(rows, 2000, [EPSILON, 16.0])
    assert len(lines) == 2 * len(DIVIDED)
    assert {line[2] for line in lines} == {"–"}
    assert in_markdown("", headings, lines).count("\n") == 3 + len(lines)


def test_the_file_has_every_number_of_every_seed(rows: dict[Key, Row]) -> None:
    kept = json.loads(to_json(rows.values(), {"machine": "here"}))
    assert kept["machine"] == "here"
    for one, row in zip(kept["rows"], rows.values(), strict=True):
        assert one["seeds"] == sorted(row.runs)
        assert all(len(one[metric]) == len(row.runs) for metric in METRICS)
