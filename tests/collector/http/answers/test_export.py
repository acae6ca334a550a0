"""Three formats, one content; no cell of a CSV file is a formula; strings come back as they were."""

import csv
import io
import json
import sys
from dataclasses import replace
from math import inf
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hgldp.collector.http.answers.export import COLUMNS, csv_parts, json_parts, parquet_parts
from hgldp.collector.http.documents.results import EPOCH, ITEM_NOW, epoch_document, export_rows
from hgldp.collector.problems import Problem, Refused
from hgldp.collector.views import PublishedEpoch, RankedItem
from hgldp.model.estimate import Z95
from hgldp.wire.csv_cell import safe_cell

STRANGE = [
    "tea",
    "=1+1",
    "+1",
    "-1",
    "@SUM(A1)",
    "\tx",
    "\rx",
    "'quoted",
    'a "b", c',
    "two\nlines",
    "日本茶",
    "\u202ex",
    "",
    "🍵",
]


VIEW: Any = SimpleNamespace(half_life=lambda _=None: 0, task=SimpleNamespace(weighs="people"))
NOW = ("rank", "item", "estimate", "standard_error", "low", "high", "tracked_count", "tracked_error", "since")
LATER = ("rank_low", "rank_high", "may_be_noise", "since_low", "since_high")


def epochs(items: list[Any]) -> list[PublishedEpoch]:
    """Of each epoch, the first line is clear, the second may be noise, and the third was published without saying."""
    said = [(1, 2, False), (2, 40, True), *[(None, None, None)] * len(items)]
    lines = tuple(
        RankedItem(item, 100.5 - n, inf if n == 1 else 2.5, 95.0, 106.0, 50.0, 1.5, 70 if n else 0, None, *said[n])
        for n, item in enumerate(items)
    )
    return [PublishedEpoch(epoch, 1e9 + epoch, 100 * epoch, "ab" * 32, lines) for epoch in (0, 1)]


def test_a_column_of_measurements_has_one_type() -> None:
    (epoch,) = (replace(each, top=(replace(each.top[0], low=1398, high=1615.0),)) for each in epochs(["tea"])[:1])
    (row,) = export_rows(VIEW, [epoch])
    assert (type(row["low"]), type(row["high"]), type(row["since"])) == (float, float, int)


def test_csv_holds_every_line_of_every_epoch() -> None:
    text = "".join(csv_parts(export_rows(VIEW, epochs(STRANGE))))
    rows = list(csv.DictReader(io.StringIO(text, newline="")))
    assert text.endswith("\r\n")
    assert [row["item"] for row in rows] == [safe_cell(item) for item in STRANGE] * 2
    assert tuple(rows[0]) == COLUMNS
    assert (rows[0]["published"], rows[0]["rank"], rows[0]["estimate"]) == ("2001-09-09T01:46:40.000Z", "1", "100.5")
    assert rows[1]["standard_error"] == ""


def test_columns_keep_their_places_and_new_ones_come_last() -> None:
    assert ("epoch", "bulletin", "published", "reports", *NOW, *LATER, "warmup", "half_life", "weighs") == COLUMNS
    assert ITEM_NOW.names == (*NOW, "rank_change", *LATER, "warmup")


def test_every_format_says_how_far_a_line_can_be_trusted() -> None:
    """No since-interval where nothing was counted, and null where it was not written down."""
    low, high = 50.0 - Z95 * 1.5, 50.0 + Z95 * 1.5
    said = [(1, 2, False, None, None), (2, 40, True, low, high), (None, None, None, low, high)]
    found = epochs(["tea", "mate", "milk"])
    written = json.loads("".join(json_parts(export_rows(VIEW, found))))
    assert [tuple(row[name] for name in LATER) for row in written] == said * 2
    rows = csv.DictReader(io.StringIO("".join(csv_parts(export_rows(VIEW, found))), newline=""))
    texts = [("1", "2", "false", "", ""), ("2", "40", "true", str(low), str(high)), ("", "", "", str(low), str(high))]
    assert [tuple(row[name] for name in LATER) for row in rows] == texts * 2


def test_parquet_knows_truth_from_numbers() -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    for found in (epochs(["tea", "mate", "milk"]), []):
        table = parquet.read_table(io.BytesIO(b"".join(parquet_parts(export_rows(VIEW, found), texts=True))))
        types = {name: str(table.schema.field(name).type) for name in COLUMNS}
        assert [types[name] for name in LATER] == ["int64", "int64", "bool", "double", "double"]
        assert (types["rank"], types["estimate"], types["since"], types["item"]) == (
            "int64",
            "double",
            "int64",
            "string",
        )
        assert table["may_be_noise"].to_pylist() == [False, True, None] * (2 if found else 0)


def test_a_top_is_clear_if_a_line_of_it_is() -> None:
    clear, noise, unsaid = epochs(["tea", "mate", "milk"])[0].top
    tops = [(clear, noise), (noise,), (), (noise, unsaid), (clear, unsaid)]
    documents = [epoch_document(PublishedEpoch(0, 1e9, 9, "ab" * 32, top)) for top in tops]
    assert [each["clear_top"] for each in documents] == [True, False, False, None, True]
    assert list(documents[0]) == list(EPOCH.names)


@given(st.text(max_size=20))
def test_no_cell_starts_a_formula_and_the_text_can_be_had_back(text: str) -> None:
    cell = safe_cell(text)
    assert isinstance(cell, str)
    assert not cell.lstrip().startswith(("=", "+", "-", "@"))
    assert not cell.startswith(("\t", "\r", "\n"))
    assert (cell.removeprefix("'") if cell.startswith("'") else cell) == text


def test_numbers_stay_numbers() -> None:
    rows = list(csv.DictReader(io.StringIO("".join(csv_parts(export_rows(VIEW, epochs([-5, 7])))), newline="")))
    assert [row["item"] for row in rows] == ["-5", "7"] * 2


def test_json_is_strict_and_verbatim() -> None:
    text = "".join(json_parts(export_rows(VIEW, epochs(STRANGE))))
    rows = json.loads(text, parse_constant=lambda _: pytest.fail("not strict"))
    assert [row["item"] for row in rows] == STRANGE * 2
    assert rows[1]["standard_error"] is None
    assert json.loads("".join(json_parts([]))) == []


@pytest.mark.parametrize(("items", "texts"), [(STRANGE, True), ([-5, 7], False)])
def test_parquet_is_verbatim(items: list[Any], texts: bool) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    data = b"".join(parquet_parts(export_rows(VIEW, epochs(items)), texts=texts))
    table = parquet.read_table(io.BytesIO(data)).to_pylist()
    assert [row["item"] for row in table] == items * 2
    assert tuple(table[0]) == COLUMNS
    assert table[1]["epoch"] == 0


def test_parquet_of_nothing_is_a_file_too() -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    assert parquet.read_table(io.BytesIO(b"".join(parquet_parts([], texts=True)))).num_rows == 0


def test_without_the_extra_parquet_is_a_problem_with_the_way_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(Refused) as refused:
        b"".join(parquet_parts([], texts=True))
    assert refused.value.problem is Problem.FORMAT_NOT_AVAILABLE
    assert "pip install '.[parquet]'" in refused.value.detail


def test_a_long_export_comes_in_pieces() -> None:
    many = epochs([f"item {number}" for number in range(2000)])
    assert len(list(csv_parts(export_rows(VIEW, many)))) > 2
