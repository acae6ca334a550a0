"""What a few bytes stand for is known before Arrow unpacks them, whatever the footer says."""

import gzip
import json
import os
import subprocess
import sys
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

from hgldp.errors import InvalidField
from hgldp.tallies.reports import row_group
from hgldp.tallies.reports.counting import count_files
from hgldp.tallies.reports.files import HEADINGS_BYTES
from hgldp.tallies.reports.layout import UPLOADS
from hgldp.tallies.reports.page_headers import pages_of
from hgldp.wire.upload import MOST_REPORTS
from tests.patience import PATIENCE
from tests.tallies.reports.test_counting import A, reports, tally_of, tally_of_uploads, uploads

LONG, MOST_MEGABYTES = 1 << 24, 150
MEASURED = """
import json, resource, sys
from pathlib import Path
from hgldp.errors import InvalidField
from hgldp.tallies.reports.counting import count_files
peak = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
before, said = peak(), {}
for path in map(Path, sys.argv[1:]):
    try:
        count_files([path])
    except InvalidField as wrong:
        said[path.name] = [str(wrong), (peak() - before) // 1024]
print(json.dumps(said))
"""


def long_row() -> bytes:
    """One upload with millions of times the same symbol: less than two kilobytes."""
    offsets, zeros = pa.array([0, LONG], pa.int32()), pa.array(np.zeros(LONG, np.uint32))
    lists = pa.ListArray.from_arrays(offsets, zeros, type=UPLOADS.types[2])
    columns = [pa.array([b"a" * 16], pa.binary(16)), pa.array([A]).cast(UPLOADS.types[1]), lists]
    file = BytesIO()
    parquet.write_table(pa.table(columns, schema=UPLOADS), file)
    return file.getvalue()


def with_footer_that_lies(data: bytes) -> bytes:
    """The footer says that the list has one value, in as many bytes."""
    place = len(data) - 8 - int.from_bytes(data[-8:-4], "little")
    true, false = b"\x80\x80\x80\x10", b"\x82\x80\x80\x00"
    assert data[place:].count(true) >= 1
    return data[:place] + data[place:].replace(true, false)


def with_levels_that_lie() -> bytes:
    """The schema says that a cell may not be empty, and the column counts those that might be."""
    file = BytesIO()
    parquet.write_table(pa.table({"bulletin": [A], "symbol": [1]}), file, store_schema=False)
    optional, required = b"\x25\x02\x18\x08bulletin", b"\x25\x00\x18\x08bulletin"
    assert file.getvalue().count(optional) == 1
    return file.getvalue().replace(optional, required)


def long_ids() -> bytes:
    """Every upload has the same id of a megabyte, which is there once, beside many short ones that no upload has."""
    known = [b"a" * (1 << 20), *(b"%d" % number for number in range(5000))]
    ids = pa.DictionaryArray.from_arrays(pa.array([0] * 600, pa.int32()), pa.array(known))
    columns = {"upload": ids, "bulletin": [A] * 600, "symbols": [[1]] * 600}
    file = BytesIO()
    parquet.write_table(pa.table(columns), file, dictionary_pagesize_limit=1 << 24, store_schema=False)
    return file.getvalue()


def many_columns() -> bytes:
    return gzip.compress(b"bulletin,symbol" + b",x" * (1 << 20) + b"\n")


HOSTILE: dict[str, tuple[Callable[[], bytes], str]] = {
    "list.parquet": (long_row, "symbols must be at most 65,522 in an upload"),
    "lie.parquet": (lambda: with_footer_that_lies(long_row()), "symbols must be at most 65,522 in an upload"),
    "levels.parquet": (with_levels_that_lie, "must be whole Parquet or CSV files"),
    "ids.parquet": (long_ids, "upload must be ids of 16 bytes"),
    "columns.csv.gz": (many_columns, f"headings must be one line of at most {HEADINGS_BYTES:,} bytes"),
}


def test_small_files_take_little_memory(tmp_path: Path) -> None:
    """Before: 17 bytes for each symbol, 600 MB for the ids, gigabytes for the columns; the levels ended the process."""
    for name, (made, _) in HOSTILE.items():
        (tmp_path / name).write_bytes(made())
        assert (tmp_path / name).stat().st_size < 100_000
    words = [sys.executable, "-c", MEASURED, *(str(tmp_path / name) for name in HOSTILE)]
    done = subprocess.run(words, env=os.environ, capture_output=True, text=True, check=True, timeout=PATIENCE)
    found = json.loads(done.stdout)
    assert found.keys() == HOSTILE.keys()
    for name, (_, rule) in HOSTILE.items():
        said, megabytes = found[name]
        assert rule in said
        assert megabytes < MOST_MEGABYTES, (name, found)


@pytest.mark.parametrize("version", ["1.0", "2.0"])
@pytest.mark.parametrize("packed", ["none", "snappy", "gzip", "zstd", "brotli", "lz4"])
@pytest.mark.parametrize("coded", [True, False])
def test_the_pages_of_an_honest_file_hold_what_its_footer_says(
    tmp_path: Path, version: str, packed: str, coded: bool
) -> None:
    path, table = tmp_path / "a.parquet", uploads(3000)
    terms = {"compression": packed, "use_dictionary": coded, "data_page_version": version, "data_page_size": 2000}
    parquet.write_table(table, path, row_group_size=2000, **terms)
    groups = parquet.ParquetFile(path).metadata
    with path.open("rb") as file:
        for column in (groups.row_group(group).column(number) for group in range(2) for number in range(3)):
            pages = list(pages_of(file, column))
            assert sum(page.values for page in pages if not page.is_dictionary) == column.num_values
            assert any(page.is_dictionary for page in pages) == column.has_dictionary_page
    assert count_files([path]).tally == tally_of_uploads(table)


def test_uploads_in_very_large_row_groups_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A row that is too long may hide among short ones."""
    monkeypatch.setattr(row_group, "SYMBOLS_OF_GROUP", 500)
    parquet.write_table(uploads(300), tmp_path / "a.parquet")
    with pytest.raises(InvalidField, match=r"a.parquet: symbols must be at most 500 .*: write smaller row groups"):
        count_files([tmp_path / "a.parquet"])
    parquet.write_table(uploads(300), tmp_path / "a.parquet", row_group_size=50)
    assert count_files([tmp_path / "a.parquet"]).tally == tally_of_uploads(uploads(300))


@pytest.mark.parametrize(
    ("table", "terms", "said"),
    [
        (
            pa.table({"bulletin": ["a" * 1000] * 50, "symbol": [1] * 50}),
            {"use_dictionary": False},
            "256 bytes on average",
        ),
        (
            pa.table({"bulletin": ["a" * ((1 << 24) + 1)], "symbol": [1]}),
            {"dictionary_pagesize_limit": 1 << 25},
            "at most 16,777,216 bytes in a dictionary, got 16,777,221",
        ),
        (
            pa.table({"bulletin": [A], "symbol": [1]}),
            {"use_dictionary": False, "column_encoding": {"bulletin": "DELTA_BYTE_ARRAY"}},
            "got one of Parquet's delta encodings",
        ),
        (
            pa.table([[b"a" * 16], pa.array([A]).cast(UPLOADS.types[1]), [[1]]], schema=UPLOADS),
            {"use_dictionary": False, "column_encoding": {"upload": "DELTA_BYTE_ARRAY"}},
            "upload must be written .*, got one of Parquet's delta encodings",
        ),
        (pa.table({"bulletin": [A], "symbol": [[1]]}), {}, "symbol must be whole numbers, got list"),
    ],
)
def test_what_could_grow_is_refused(tmp_path: Path, table: pa.Table, terms: dict[str, object], said: str) -> None:
    parquet.write_table(table, tmp_path / "a.parquet", **terms)
    with pytest.raises(InvalidField, match=f"a.parquet: .*{said}"):
        count_files([tmp_path / "a.parquet"], only=[])


def test_a_column_that_gives_itself_another_name_is_checked_too(tmp_path: Path) -> None:
    """Arrow goes by the schema."""
    path = tmp_path / "a.parquet"
    table = pa.table({"bulletin": ["a" * 1000] * 50, "symbol": [1] * 50})
    parquet.write_table(table, path, use_dictionary=False, store_schema=False)
    front, name, end = path.read_bytes().rpartition(b"\x18\x08bulletin")
    path.write_bytes(front + name.replace(b"bulletin", b"somewhat") + end)
    assert parquet.read_table(path) == table
    with pytest.raises(InvalidField, match="bulletin must have at most 256 bytes on average"):
        count_files([path], only=[])


def test_ids_with_a_dictionary_are_read(tmp_path: Path) -> None:
    """Half of them have one and the rest has none, as where a dictionary grew too large."""
    table = uploads(3000)
    ids = table.column("upload").cast(pa.binary())
    parquet.write_table(table.set_column(0, "upload", ids), tmp_path / "a.parquet", dictionary_pagesize_limit=20_000)
    assert count_files([tmp_path / "a.parquet"]).tally == tally_of_uploads(table)


def test_headings_may_have_other_ends_and_a_mark(tmp_path: Path) -> None:
    rows = reports(20).to_pylist()
    for first, end in ((b"\xef\xbb\xbf", b"\r\n"), (b"", b"\r"), (b"\n\n", b"\n")):
        lines = [b"bulletin,symbol", *(f"{row['bulletin']},{row['symbol']}".encode() for row in rows)]
        (tmp_path / "a.csv").write_bytes(first + end.join(lines))
        assert count_files([tmp_path / "a.csv"]).tally == tally_of(reports(20))


def test_the_longest_upload_is_read(tmp_path: Path) -> None:
    table = pa.table({"upload": [b"a" * 16], "bulletin": [A], "symbols": [[1] * MOST_REPORTS]})
    parquet.write_table(table.cast(UPLOADS), tmp_path / "a.parquet")
    assert count_files([tmp_path / "a.parquet"]).tally.reports == MOST_REPORTS
