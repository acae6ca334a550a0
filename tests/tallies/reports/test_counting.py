"""Files of reports, in every form in which engines write them, give the tally of their reports."""

import gzip
import os
import tracemalloc
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import compute as pc
from pyarrow import csv, parquet

from hgldp.errors import InvalidField
from hgldp.tallies import Tally, accumulate
from hgldp.tallies.reports import seen
from hgldp.tallies.reports.counting import count_files
from hgldp.tallies.reports.files import BLOCK_BYTES, files_in, pieces_of
from hgldp.tallies.reports.layout import REPORTS, UPLOADS, Uploads
from hgldp.tallies.reports.refusals import naming
from hgldp.tallies.reports.row_group import SYMBOLS_AT_ONCE
from hgldp.wire.upload import MOST_REPORTS

A, B, C = "0a" * 32, "1b" * 32, "2c" * 32
VERSIONS = [A, B, C]


def reports(count: int = 5000, seed: int = 1) -> pa.Table:
    draw = np.random.default_rng(seed)
    codes, symbols = draw.integers(0, 3, count), draw.integers(0, 1057, count)
    return pa.table({"bulletin": [VERSIONS[code] for code in codes], "symbol": symbols}).cast(REPORTS)


def tally_of(table: pa.Table) -> Tally:
    return accumulate(table.column("bulletin").to_pylist(), np.array(table.column("symbol").to_pylist()))


def uploads(count: int = 300, seed: int = 1) -> pa.Table:
    draw = np.random.default_rng(seed)
    lists = [draw.integers(0, 1057, draw.integers(1, 9)).tolist() for _ in range(count)]
    names = [VERSIONS[code] for code in draw.integers(0, 3, count)]
    return pa.table({"upload": [draw.bytes(16) for _ in range(count)], "bulletin": names, "symbols": lists}).cast(
        UPLOADS
    )


def tally_of_uploads(table: pa.Table) -> Tally:
    once = {row["upload"]: row for row in reversed(table.to_pylist())}
    pairs = [(row["bulletin"], symbol) for row in once.values() for symbol in row["symbols"]]
    return accumulate([version for version, _ in pairs], np.array([symbol for _, symbol in pairs]))


@pytest.mark.parametrize("kind", ["layout", "plain", "large", "wide", "other codes"])
def test_every_type_that_engines_write_is_read(tmp_path: Path, kind: str) -> None:
    table, other = reports(), pa.dictionary(pa.int8(), pa.large_string())
    names = {"layout": REPORTS.types[0], "plain": pa.string(), "large": pa.large_string(), "other codes": other}
    numbers = {"wide": pa.int64(), "plain": pa.int16(), "large": pa.uint64()}
    fields = [("bulletin", names.get(kind, pa.string())), ("symbol", numbers.get(kind, pa.uint32()))]
    parquet.write_table(table.cast(pa.schema(fields)), tmp_path / "a.parquet", row_group_size=700)
    found = count_files([tmp_path / "a.parquet"])
    assert (found.tally, found.left_out, found.repeated) == (tally_of(table), 0, 0)


def test_folders_of_parquet_and_csv_are_read_with_what_engines_put_beside_left_out(tmp_path: Path) -> None:
    folder = tmp_path / "lake" / "day=1"
    folder.mkdir(parents=True)
    tables = [reports(seed=seed) for seed in range(3)]
    parquet.write_table(tables[0].append_column("more", pa.nulls(5000)), folder / "part-0.parquet")
    csv.write_csv(tables[1].cast(pa.schema([("bulletin", pa.string()), ("symbol", pa.uint32())])), folder / "b.csv")
    text = (folder / "b.csv").read_bytes()
    (folder / "c.csv.gz").write_bytes(gzip.compress(text))
    for name in ("_SUCCESS", ".part-0.parquet.crc", "_metadata.parquet", "notes.txt"):
        (folder / name).write_text("x")
    for name in ("_temporary/0", ".spark-staging-1/day=1"):  # what a job has not finished, or never will
        (folder / name).mkdir(parents=True)
        parquet.write_table(tables[2], folder / name / "part-7.parquet")
    told: list[tuple[int, int]] = []
    found = count_files(files_in([str(tmp_path / "lake")]), advance=lambda *part: told.append(part))
    assert found.tally == tally_of(pa.concat_tables([tables[0], tables[1], tables[1]]))
    assert told == sorted(told)
    assert told[-1][0] <= told[-1][1]
    with pytest.raises(InvalidField, match="must name each file once"):
        files_in([str(folder / "b.csv"), str(folder)])
    with pytest.raises(InvalidField, match=r"got .*nolake \(No such file or directory\)"):
        files_in([str(tmp_path / "nolake")])
    (tmp_path / "empty").mkdir()
    with pytest.raises(InvalidField, match=r"must hold files that end in \.parquet"):
        files_in([str(tmp_path / "empty")])


def test_no_file_is_left_out_in_silence_and_none_counts_twice(tmp_path: Path) -> None:
    """Not for capital letters in its name, nor behind a link, nor because it has a second name."""
    away, lake = tmp_path / "away", tmp_path / "lake"
    away.mkdir()
    lake.mkdir()
    parquet.write_table(reports(seed=1), away / "a.parquet")
    parquet.write_table(reports(seed=2), lake / "B.PARQUET")
    plain = reports(seed=3).cast(pa.schema([("bulletin", pa.string()), ("symbol", pa.uint32())]))
    csv.write_csv(plain, away / "c.csv")
    (lake / "C.CSV.GZ").write_bytes(gzip.compress((away / "c.csv").read_bytes()))
    (away / "c.csv").unlink()
    (lake / "month").symlink_to(away, target_is_directory=True)
    wanted = [reports(seed=seed) for seed in (1, 2, 3)]
    assert count_files(files_in([str(lake)])).tally == tally_of(pa.concat_tables(wanted))
    (lake / "again").symlink_to(away, target_is_directory=True)
    with pytest.raises(InvalidField, match=f"once, got {lake}/month, which is {lake}/again under another name"):
        files_in([str(lake)])
    (lake / "again").unlink()
    (away / "back").symlink_to(lake, target_is_directory=True)
    with pytest.raises(InvalidField, match="must name each folder once"):
        files_in([str(lake)])
    (away / "back").unlink()
    (lake / "second.parquet").hardlink_to(away / "a.parquet")
    with pytest.raises(InvalidField, match=f"second.parquet, which is {lake}/month/a.parquet under another name"):
        files_in([str(lake)])
    (lake / "second.parquet").unlink()
    os.mkfifo(lake / "pipe.parquet")
    with pytest.raises(InvalidField, match=r"must be files and folders, got .*pipe\.parquet, which is neither"):
        files_in([str(lake)])
    (lake / "pipe.parquet").unlink()
    for name in ("gone.parquet", "a month that is not mounted"):
        (lake / name).symlink_to(tmp_path / "nothing")
        with pytest.raises(InvalidField, match=f"must be files and folders that can be read.*{name}"):
            files_in([str(lake)])
        (lake / name).unlink()


def test_reports_of_other_bulletins_are_left_out_and_counted(tmp_path: Path) -> None:
    table = reports()
    parquet.write_table(table, tmp_path / "a.parquet", row_group_size=1000)
    found = count_files([tmp_path / "a.parquet"], only=[A, "ff" * 32])
    whole = tally_of(table)
    assert found.tally == Tally({A: whole.counts[A]})
    assert found.left_out == whole.answering(B) + whole.answering(C)
    assert found.others == {B: whole.answering(B), C: whole.answering(C)}
    chosen = uploads()
    parquet.write_table(chosen, tmp_path / "b.parquet", row_group_size=100)
    by_upload = count_files([tmp_path / "b.parquet"], only=[A])
    assert by_upload.others == {version: tally_of_uploads(chosen).answering(version) for version in (B, C)}


@pytest.mark.parametrize("kind", ["csv", "parquet", "uploads"])
def test_a_version_in_capital_letters_is_the_same(tmp_path: Path, kind: str) -> None:
    table = uploads() if kind == "uploads" else reports()
    names = table.column("bulletin").to_pylist()
    mixed = pa.array([name.upper() if number % 2 else name for number, name in enumerate(names)])
    shouted, path = table.set_column(table.schema.names.index("bulletin"), "bulletin", mixed), tmp_path / f"a.{kind}"
    if kind == "csv":
        csv.write_csv(shouted, path)
    else:
        path = path.with_suffix(".parquet")
        parquet.write_table(shouted, path)
    found = count_files([path], only=[A, B])
    right = tally_of_uploads(table) if kind == "uploads" else tally_of(table)
    assert found.tally == Tally({version: right.counts[version] for version in (A, B)})
    assert found.left_out == right.answering(C)


@pytest.mark.parametrize("passes", [1, 5])
def test_an_upload_that_comes_again_counts_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, passes: int) -> None:
    table = uploads()
    again = pa.concat_tables([table, table.slice(10, 200), table.slice(100)])
    kinds = pa.schema([("upload", pa.binary()), ("bulletin", pa.string()), ("symbols", pa.large_list(pa.int64()))])
    parquet.write_table(again, tmp_path / "a.parquet", row_group_size=90)
    parquet.write_table(table.slice(0, 50).cast(kinds), tmp_path / "b.parquet")
    monkeypatch.setattr(seen, "AT_ONCE", -(-(again.num_rows + 50) // passes))
    found = count_files(files_in([str(tmp_path)]))
    assert found.tally == tally_of_uploads(table)
    assert found.repeated == 450
    chosen = count_files(files_in([str(tmp_path)]), only=[B])
    assert chosen.tally == Tally({B: found.tally.counts[B]})


def test_of_different_uploads_under_one_id_the_first_counts(tmp_path: Path) -> None:
    table = uploads(40)
    forged = uploads(40, seed=2).set_column(0, UPLOADS.field(0), table.column("upload"))
    parquet.write_table(table, tmp_path / "a.parquet")
    parquet.write_table(forged, tmp_path / "b.parquet")
    assert count_files(files_in([str(tmp_path)])).tally == tally_of_uploads(table)


def test_planted_a_count_without_memory_of_uploads_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = uploads()
    parquet.write_table(pa.concat_tables([table, table]), tmp_path / "a.parquet")
    honest = Uploads.only
    monkeypatch.setattr(Uploads, "only", lambda self, first: honest(self, np.ones_like(first)))
    assert count_files([tmp_path / "a.parquet"]).tally != tally_of_uploads(table)


@pytest.mark.parametrize(
    ("table", "said"),
    [
        (
            pa.table(
                {"bulletin": [A], "symbol": [None]}, pa.schema([("bulletin", pa.string()), ("symbol", pa.int32())])
            ),
            "a.parquet: symbol must be there in every row, got an empty cell",
        ),
        (pa.table({"bulletin": [None, A], "symbol": [1, 1]}), "a.parquet: bulletin must be there in every row"),
        (pa.table({"bulletin": [A], "symbol": ["7"]}), "a.parquet: symbol must be whole numbers, got string"),
        (pa.table({"bulletin": [A], "symbol": [7.0]}), "symbol must be whole numbers, got double"),
        (pa.table({"bulletin": [7], "symbol": [7]}), "bulletin must be texts"),
        (pa.table({"bulletin": ["tea"], "symbol": [7]}), "64 hexadecimal digits of a bulletin's version, got 3"),
        (pa.table({"bulletin": [A], "symbol": [-7]}), "symbol must be at least 0"),
        (pa.table({"bulletin": [A], "symbol": [1 << 16]}), "a.parquet: symbol must lie in 0 … 65535"),
        (pa.table({"bulletin": [A], "item": [7]}), "a.parquet: reports must have .* got the columns bulletin, item"),
        (pa.table({"event": ["tea"], "item": [7]}), "got the columns event, item"),
        (pa.table({"upload": [b"x"], "bulletin": [A], "symbols": [[1]]}), "a.parquet: upload must be ids of 16 bytes"),
        (pa.table({"upload": [b"x" * 16], "bulletin": [A], "symbols": [1]}), "must be lists of whole numbers"),
        (pa.table({"upload": [b"x" * 16], "bulletin": [A], "symbols": [["a"]]}), "symbols must be whole numbers"),
        (pa.table({"upload": [b"x" * 16], "bulletin": [A], "symbols": [[1]], "symbol": [1]}), "and not both"),
    ],
)
def test_a_table_that_holds_no_reports_is_refused(tmp_path: Path, table: pa.Table, said: str) -> None:
    parquet.write_table(table, tmp_path / "a.parquet")
    with pytest.raises(InvalidField, match=said):
        count_files([tmp_path / "a.parquet"])


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("a.parquet", b"PAR1", r"must be whole Parquet or CSV files, got .*a.parquet \(empty, damaged, or"),
        ("a.csv", b"", r"must be whole Parquet or CSV files, got .*a.csv \(empty, damaged, or"),
        ("a.csv", b"bulletin,symbol\n0a,1\n0a,secret\n", r"a.csv: row 3, symbol must be a whole number in 0 … 65535"),
        ("a.csv", b"bulletin,symbol\n0a,-1\n", "a.csv: row 2, symbol must be"),
        ("a.csv", b"more,bulletin,symbol\nx,secret,3.0\n", "a.csv: row 2, symbol must be"),
        ("a.csv", b"bulletin,symbol\n0a,1\nsecret\n", "a.csv: row 3 must have 2 cells, as the first row has, got 1"),
        ("a.csv", b"bulletin,symbol\n0a,\n", "a.csv: symbol must be there in every row"),
        ("a.csv", b"bulletin,symbol\n\xff\xfe,1\n", "a.csv: row 2, bulletin must be text"),
        ("a.csv", b"bulletin,item\n0a,1\n", "a.csv: reports must have .* got the columns bulletin, item"),
        ("a.csv", b"secret,7\nsecret,8\n", r"a.csv: .* none of these names \(withheld\)"),
        ("a.csv", b"upload,bulletin,symbols\n", "must be Parquet where a row is an upload"),
        ("a.txt", b"bulletin,symbol\n", r"must end in \.parquet"),
    ],
)
def test_a_file_of_another_kind_is_refused_and_its_rows_are_not_repeated(
    tmp_path: Path, name: str, data: bytes, said: str
) -> None:
    (tmp_path / name).write_bytes(data)
    with pytest.raises(InvalidField, match=said) as refused:
        count_files([tmp_path / name])
    assert "secret" not in str(refused.value)


def test_a_tally_is_not_counted_as_reports(tmp_path: Path) -> None:
    """Before: each of its rows was a report, and one tally in a lake spoilt the count of the lake."""
    parquet.write_table(reports().append_column("count", [[1] * 5000]), tmp_path / "tally.parquet")
    (tmp_path / "tally.csv").write_bytes(tally_of(reports()).to_csv())
    for name in ("tally.parquet", "tally.csv"):
        with pytest.raises(InvalidField, match=f"{name}.* must have a row for each report, got a column count"):
            count_files([tmp_path / name])


def test_uploads_may_say_how_many_reports_they_have(tmp_path: Path) -> None:
    table = uploads()
    parquet.write_table(table.append_column("count", pc.list_value_length(table["symbols"])), tmp_path / "0.parquet")
    assert count_files([tmp_path / "0.parquet"]).tally == tally_of_uploads(table)


def test_long_uploads_are_read_few_at_a_time(tmp_path: Path) -> None:
    """Before: 16,384 at a time, however long; two thousand full uploads took 3 GB."""
    symbols = [np.arange(MOST_REPORTS, dtype=np.uint32) % 1057] * 40
    table = pa.table(
        {"upload": [bytes([each]) * 16 for each in range(40)], "bulletin": VERSIONS[:1] * 40, "symbols": symbols}
    )
    parquet.write_table(table.cast(UPLOADS), tmp_path / "0.parquet")
    (piece,) = pieces_of(tmp_path / "0.parquet")
    assert max(batch.num_rows for batch in piece.batches()) <= SYMBOLS_AT_ONCE // MOST_REPORTS
    assert count_files([tmp_path / "0.parquet"]).tally.reports == 40 * MOST_REPORTS


def test_an_upload_longer_than_any_is_refused(tmp_path: Path) -> None:
    table = pa.table({"upload": [b"a" * 16], "bulletin": VERSIONS[:1], "symbols": [[0] * (MOST_REPORTS + 1)]})
    parquet.write_table(table.cast(UPLOADS), tmp_path / "0.parquet")
    with pytest.raises(InvalidField, match=r"0\.parquet: symbols must be at most 65,522 in an upload, got 65,523"):
        count_files([tmp_path / "0.parquet"])


def test_a_lack_of_memory_is_not_taken_for_damage() -> None:
    with pytest.raises(InvalidField, match="must fit into memory"), naming("large.parquet"):
        raise pa.ArrowMemoryError("malloc of size 64 failed")


def test_parquet_by_another_name_is_named(tmp_path: Path) -> None:
    parquet.write_table(reports(), tmp_path / "reports.csv")
    with pytest.raises(InvalidField, match=r"got Parquet: give it a name that ends in \.parquet"):
        count_files([tmp_path / "reports.csv"])


def test_a_row_far_down_a_large_file_is_named(tmp_path: Path) -> None:
    """Arrow reads a file in blocks, of which each begins to count anew."""
    rows = b"0a,7\n" * (2 * BLOCK_BYTES // 5)
    for last, said in ((b"0a,tea\n", "symbol must be a whole number"), (b"0a\n", "must have 2 cells")):
        (tmp_path / "a.csv").write_bytes(b"bulletin,symbol\n" + rows + last)
        with pytest.raises(InvalidField, match=f"a.csv: row {rows.count(10) + 2},? {said}"):
            count_files([tmp_path / "a.csv"], only=[])


def test_a_damaged_row_group_refuses_everything(tmp_path: Path) -> None:
    parquet.write_table(reports(20_000), tmp_path / "a.parquet", row_group_size=1000)
    data = bytearray((tmp_path / "a.parquet").read_bytes())
    data[4:3000] = bytes(2996)
    (tmp_path / "a.parquet").write_bytes(data)
    with pytest.raises(InvalidField, match=r"must be whole Parquet or CSV files, got .*a.parquet"):
        count_files([tmp_path / "a.parquet"])


def test_both_layouts_at_once_are_refused(tmp_path: Path) -> None:
    parquet.write_table(reports(), tmp_path / "a.parquet")
    parquet.write_table(uploads(), tmp_path / "b.parquet")
    with pytest.raises(InvalidField, match="files of both kinds"):
        count_files(files_in([str(tmp_path)]))


def test_memory_does_not_grow_with_the_reports(tmp_path: Path) -> None:
    """Arrow's own pool and NumPy's: eight times as many reports take no more of either."""
    used = []
    for number, groups in enumerate((4, 32)):
        path = tmp_path / f"{number}.parquet"
        with parquet.ParquetWriter(path, REPORTS) as writer:
            table = reports(1000)
            for _ in range(groups):
                writer.write_table(pa.concat_tables([table] * 200), row_group_size=200_000)
        pool = pa.system_memory_pool()
        before = pa.default_memory_pool()
        pa.set_memory_pool(pool)
        tracemalloc.start()
        try:
            base = pool.max_memory() or 0
            found = count_files([path])
            used.append((pool.max_memory() or 0) - base + tracemalloc.get_traced_memory()[1])
        finally:
            tracemalloc.stop()
            pa.set_memory_pool(before)
        assert found.tally.reports == groups * 200_000
    assert used[1] < 1.5 * used[0]
