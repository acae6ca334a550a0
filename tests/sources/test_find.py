"""Files, standard input and generators become the same kind of stream; what cannot be read is named by its line."""

import csv
import doctest
import gzip
import sys
import tracemalloc
from io import BufferedReader, BytesIO
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hgldp.errors import InvalidField, MalformedLine
from hgldp.simulation.generators import Synthetic
from hgldp.sources import fimi, find
from hgldp.sources import texts as csv_column
from hgldp.sources.fimi import read_numbers
from hgldp.sources.find import Stream, find_source, read_stream

BASKETS = b"30 31 32\n7\n\n30 7 30 \r\n"
DRINKS = 'who,drink\n1,tea\n2,"coffee, black"\n3,tea\n\n4,maté\n'.encode()
PRIVATE = "98private"


def items_of(stream: Stream) -> list[object]:
    return [stream.labels[index] for index in stream.items]


def write(folder: Path, name: str, data: bytes) -> str:
    (folder / name).write_bytes(gzip.compress(data, mtime=0) if name.endswith(".gz") else data)
    return str(folder / name)


@pytest.mark.parametrize("name", ["baskets.dat", "baskets.dat.gz", "gzipped-without-saying-so"])
def test_fimi_text_is_read_plain_and_gzipped(tmp_path: Path, name: str) -> None:
    data = gzip.compress(BASKETS, mtime=0) if name == "gzipped-without-saying-so" else BASKETS
    stream = read_stream(write(tmp_path, name, data))
    assert items_of(stream) == [30, 31, 32, 7, 30, 7, 30]
    assert list(stream.labels) == [7, 30, 31, 32]
    assert stream.items.dtype == np.int32


@pytest.mark.parametrize("data", [BASKETS, gzip.compress(BASKETS, mtime=0)], ids=["plain", "gzipped"])
def test_standard_input_is_read_plain_and_gzipped(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=BufferedReader(BytesIO(data))))
    stream = read_stream("-")
    assert items_of(stream) == [30, 31, 32, 7, 30, 7, 30]
    assert stream.name == "standard input"


@pytest.mark.parametrize("name", ["drinks.csv", "drinks.csv.gz"])
def test_a_column_is_read_by_the_name_in_the_header(tmp_path: Path, name: str) -> None:
    stream = read_stream(write(tmp_path, name, DRINKS), "drink")
    assert items_of(stream) == ["tea", "coffee, black", "tea", "maté"]
    assert list(stream.labels) == ["coffee, black", "maté", "tea"]


def test_a_column_is_read_by_its_number_where_there_is_no_header(tmp_path: Path) -> None:
    stream = read_stream(write(tmp_path, "drinks.csv", b"1,tea\n2,\n3,tea\n"), "2")
    assert items_of(stream) == ["tea", "", "tea"]


def test_a_byte_order_mark_belongs_to_neither_format(tmp_path: Path) -> None:
    mark = b"\xef\xbb\xbf"
    assert items_of(read_stream(write(tmp_path, "a.dat", mark + b"5 6"))) == [5, 6]
    assert items_of(read_stream(write(tmp_path, "a.csv", mark + b"x,y\n1,2\n3,4\n"), "x")) == ["1", "3"]


def test_ids_too_large_for_a_table_are_sorted_instead(tmp_path: Path) -> None:
    stream = read_stream(write(tmp_path, "a.dat", b"999999999999999999 5 5 0"))
    assert list(stream.labels) == [0, 5, 999999999999999999]
    assert stream.items.tolist() == [2, 1, 1, 0]


def test_one_large_id_does_not_make_a_large_table(tmp_path: Path) -> None:
    path = write(tmp_path, "a.dat", b"1 134217727 2")
    tracemalloc.start()
    try:
        stream = read_stream(path)
        assert tracemalloc.get_traced_memory()[1] < 10_000_000
    finally:
        tracemalloc.stop()
    assert items_of(stream) == [1, 134217727, 2]


@settings(deadline=None, max_examples=60)
@given(items=st.lists(st.integers(0, 40), min_size=2).filter(lambda items: len(set(items)) > 1), far=st.booleans())
def test_table_and_sorting_number_the_items_alike(items: list[int], far: bool) -> None:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(find, "IDS_PER_ITEM", 0 if far else 1000)
        found, labels = find._numbered(np.array(items, dtype=np.int32))
    assert labels == sorted(set(items))
    assert found.dtype == np.int32
    assert [labels[item] for item in found] == items


@settings(deadline=None, max_examples=60)
@given(baskets=st.lists(st.lists(st.integers(0, 10**18 - 1))), block=st.integers(1, 40))
def test_any_baskets_come_back_whatever_the_size_of_a_block(baskets: list[list[int]], block: int) -> None:
    text = "\n".join(" ".join(str(item) for item in basket) for basket in baskets).encode()
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(fimi, "BLOCK", block + fimi.MAX_DIGITS)
        numbers = read_numbers(BytesIO(text), "text")
    assert numbers.tolist() == [item for basket in baskets for item in basket]


@settings(deadline=None, max_examples=60)
@given(lines=st.lists(st.sampled_from([b"1 2", b"", b"33"]), max_size=20), bad=st.sampled_from([b"x", b"1 -2", b"1.5"]))
def test_the_line_of_a_bad_item_is_counted_across_blocks(lines: list[bytes], bad: bytes) -> None:
    file = BytesIO(b"\n".join([*lines, bad, b"4"]))
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(fimi, "BLOCK", 20)
        with pytest.raises(MalformedLine) as refusal:
            read_numbers(file, "text")
    assert refusal.value.line == len(lines) + 1


@settings(deadline=None, max_examples=60)
@given(texts=st.lists(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0")), min_size=1))
def test_any_text_comes_back_from_csv(texts: list[str]) -> None:
    class Utf8(BytesIO):
        def write(self, text: str) -> int:  # type: ignore[override]
            return super().write(text.encode())

    file = Utf8()
    csv.writer(file).writerows([["number", "text"], *([str(number), text] for number, text in enumerate(texts))])
    file.seek(0)
    items, labels = csv_column.read_column(file, "text", "text")
    assert [labels[item] for item in items] == texts
    assert labels == sorted(set(texts))


@pytest.mark.parametrize(
    ("data", "line"),
    [
        (f"1 2\n3 {PRIVATE} 4\n5".encode(), 2),
        (b"1 2\n3\n-4\n", 3),
        (b"1,2\n", 1),
        (b"1 2\n1234567890123456789\n", 2),
        (b"1 2\n\n\n3 \xff\n", 4),
    ],
)
def test_a_malformed_line_is_named_by_its_number_and_never_quoted(tmp_path: Path, data: bytes, line: int) -> None:
    with pytest.raises(MalformedLine) as refusal:
        read_stream(write(tmp_path, "bad.dat", data))
    assert refusal.value.line == line
    assert f"bad.dat, line {line}: " in str(refusal.value)
    assert PRIVATE not in str(refusal.value)


def test_a_line_without_end_is_refused_before_it_fills_the_memory(tmp_path: Path) -> None:
    with pytest.raises(MalformedLine):
        read_numbers(BytesIO(b"7" * (fimi.BLOCK + 1)), "text")


@pytest.mark.parametrize(
    ("data", "column", "line"),
    [
        (b"a,b\n1,2\n3\n", "b", 3),
        (b"1,2\n3\n", "2", 2),
        (b'a,b\n1,"2\n', "b", 2),
        (b'a,b\n1,"2"x\n', "b", 2),
        (b"a,b\n1,2\n3,\xff\n", "b", 3),
    ],
)
def test_a_malformed_row_is_named_by_its_number(tmp_path: Path, data: bytes, column: str, line: int) -> None:
    with pytest.raises(MalformedLine) as refusal:
        read_stream(write(tmp_path, "bad.csv", data), column)
    assert refusal.value.line == line


@pytest.mark.parametrize(
    ("name", "data", "column", "message"),
    [
        ("empty.dat", b"", None, "stream must hold at least one item"),
        ("empty.dat", b"\n \n", None, "stream must hold at least one item"),
        ("empty.csv", b"", "1", "stream must hold at least one item"),
        ("empty.csv", b"a,b\n", "a", "stream must hold at least one item"),
        ("same.dat", b"5 5 5", None, "stream must hold at least two distinct items"),
        ("drinks.csv", DRINKS, None, "column must be given for a CSV file"),
        ("drinks.csv", DRINKS, "price", "column must be a name in the first line (who, drink), got price"),
        ("empty.csv", b"", "price", "column must be a name in the first line, got price; "),
        ("blank.csv", b"\na\n", "price", "column must be a name in the first line (which is empty), got price"),
        ("drinks.csv", DRINKS, "0", "column must be a name of the header or a number from 1, got 0"),
        ("drinks.csv", DRINKS, "", "column must be a name of the header or a number from 1, got nothing"),
        (
            "drinks.csv",
            DRINKS,
            "9" * 5000,
            "column must be a name of the header or a number from 1, of at most 9 digits",
        ),
        ("cut", gzip.compress(BASKETS * 99, mtime=0)[:-20], None, "stream must be whole gzip data"),
        ("broken", gzip.compress(BASKETS, mtime=0)[:12] + b"garbage", None, "stream must be whole gzip data"),
    ],
)
def test_a_file_that_holds_no_stream_is_refused(
    tmp_path: Path, name: str, data: bytes, column: str | None, message: str
) -> None:
    with pytest.raises(InvalidField) as refusal:
        read_stream(write(tmp_path, name, data), column)
    assert str(refusal.value).startswith(message)


def test_a_missing_file_is_refused_with_its_name(tmp_path: Path) -> None:
    with pytest.raises(InvalidField, match=r"stream must be a readable file.*nowhere\.dat \(No such file"):
        read_stream(str(tmp_path / "nowhere.dat"))


def test_a_folder_is_no_stream(tmp_path: Path) -> None:
    with pytest.raises(InvalidField, match="stream must be a readable file"):
        read_stream(str(tmp_path))


def test_a_file_is_the_same_for_every_seed_and_a_generator_is_not(tmp_path: Path) -> None:
    stored = find_source(write(tmp_path, "a.dat", BASKETS))
    assert stored.stream(1) is stored.stream(2)
    drawn = find_source("uniform:n=100,d=10")
    assert np.array_equal(drawn.stream(1).items, drawn.stream(1).items)
    assert not np.array_equal(drawn.stream(1).items, drawn.stream(2).items)
    assert drawn.stream(1).domain_size == 10


@pytest.mark.parametrize("text", ["sudden", "sudden:", "sudden:n=500000", "sudden:d=20000,s=1.1"])
def test_a_kind_that_drifts_has_defaults(text: str) -> None:
    assert find_source(text).synthetic == Synthetic("sudden", 500_000, 20_000, 1.1)


def test_a_file_with_the_name_of_a_kind_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path, "sudden", BASKETS)
    assert find_source("sudden").domain_size == 4


def test_a_generator_has_no_columns() -> None:
    with pytest.raises(InvalidField, match="column must be given for a CSV file only"):
        find_source("uniform:n=100,d=10", "2")


def test_a_million_items_are_read(tmp_path: Path) -> None:
    numbers = np.random.default_rng(1).zipf(1.2, 1_000_000) % 40_000
    path = write(tmp_path, "long.dat", "\n".join(" ".join(map(str, row)) for row in numbers.reshape(-1, 10)).encode())
    stream = read_stream(path)
    assert np.array_equal(np.asarray(stream.labels)[stream.items], numbers)


@pytest.mark.parametrize("module", [fimi, csv_column, find])
def test_the_examples_in_the_docstrings_run(module: object) -> None:
    assert doctest.testmod(module).failed == 0  # type: ignore[arg-type]
