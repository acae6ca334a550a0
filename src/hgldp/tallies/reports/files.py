"""Files of reports, read as a stream of record batches: Parquet by its row groups, CSV by blocks."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa
from pyarrow import csv, parquet

from hgldp.errors import InvalidField
from hgldp.tallies.reports.layout import BULLETIN, REPORTS, UPLOADS, layout_of
from hgldp.tallies.reports.refusals import check_rows, naming

PARQUET, TEXT = (".parquet", ".pq"), (".csv", ".csv.gz")
TYPES = {"bulletin": BULLETIN, "symbol": pa.uint32()}
ROWS_AT_ONCE, UPLOADS_AT_ONCE, BLOCK_BYTES, BUFFER_BYTES = 1 << 18, 1 << 14, 1 << 23, 1 << 20


@dataclass(frozen=True)
class Piece:
    """A part of a file that one thread reads by itself. `weight` is its share of all work, in bytes."""

    name: str
    layout: Any
    rows: int
    weight: float
    read: Any

    def batches(self) -> Iterator[Any]:
        """Its rows, some at a time."""
        with naming(self.name):
            yield from self.read()


def files_in(paths: Sequence[str]) -> list[Path]:
    """Files as given, and those of each folder in the order of their names, subfolders included."""
    found: list[Path] = []
    for each in map(Path, paths):
        if not each.exists():
            raise InvalidField("reports", "must be files or folders", f"{each} (no such file or folder)")
        inside = sorted(file for file in each.rglob("*") if _is_data(file)) if each.is_dir() else [each]
        if not inside:
            raise InvalidField("reports", f"must hold files that end in {', '.join(PARQUET + TEXT)}", str(each))
        found += inside
    names = [each.resolve() for each in found]
    for name in names:
        if names.count(name) > 1:
            raise InvalidField("reports", "must name each file once", str(name))
    return found


def _is_data(file: Path) -> bool:
    """Engines put other files beside theirs, such as _SUCCESS and .crc, whose names begin so or end otherwise."""
    return file.name.endswith(PARQUET + TEXT) and file.name[0] not in "._" and file.is_file()


def pieces_of(path: Path) -> list[Piece]:
    """The parts of a file, in their order."""
    if not path.name.endswith(PARQUET + TEXT):
        raise InvalidField("reports", f"must end in {', '.join(PARQUET + TEXT)}", str(path))
    with naming(str(path)):
        return _parquet_pieces(path) if path.name.endswith(PARQUET) else _csv_pieces(path)


def _parquet_pieces(path: Path) -> list[Piece]:
    size = path.stat().st_size
    with parquet.ParquetFile(path) as file:
        metadata, layout = file.metadata, layout_of(file.schema_arrow.names, sure=True)
    rows = [metadata.row_group(group).num_rows for group in range(metadata.num_row_groups)]
    return [
        Piece(
            str(path),
            layout,
            count,
            size * count / max(1, sum(rows)),
            partial(_row_group, path, metadata, group, layout),
        )
        for group, count in enumerate(rows)
    ]


def _row_group(path: Path, metadata: Any, group: int, layout: Any) -> Iterator[Any]:
    terms = {"read_dictionary": ["bulletin"], "buffer_size": BUFFER_BYTES, "pre_buffer": False}
    some = UPLOADS_AT_ONCE if layout is UPLOADS else ROWS_AT_ONCE
    with parquet.ParquetFile(path, metadata=metadata, **terms) as file:
        yield from file.iter_batches(some, [group], layout.names, use_threads=False)


def _csv_pieces(path: Path) -> list[Piece]:
    with _checked(path, []), _open_csv(path) as reader:
        names = reader.schema.names
    layout = layout_of(names)
    if layout is UPLOADS:
        raise InvalidField("reports", "must be Parquet where a row is an upload", "CSV")
    return [Piece(str(path), layout, 0, path.stat().st_size, partial(_rows_of_csv, path, names))]


def _rows_of_csv(path: Path, names: list[str]) -> Iterator[Any]:
    with _checked(path, names), _open_csv(path, TYPES) as reader:
        yield from reader


@contextmanager
def _checked(path: Path, names: list[str]) -> Iterator[None]:
    try:
        yield
    except pa.ArrowInvalid:
        check_rows(names, partial(_open_csv, path, TYPES if names else None, use_threads=False))
        raise


def _open_csv(path: Path, types: Any = None, *, use_threads: bool = True) -> Any:
    """Columns of text, or those of the layout alone in their types."""
    chosen = csv.ConvertOptions(column_types=types, include_columns=REPORTS.names if types else None)
    read = csv.ReadOptions(block_size=BLOCK_BYTES, use_threads=use_threads)
    return csv.open_csv(path, read, convert_options=chosen)
