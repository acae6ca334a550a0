"""Files of reports, read as a stream of record batches: Parquet by its row groups, CSV by blocks."""

import os
import re
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

import pyarrow as pa
from pyarrow import csv, parquet

from hgldp.errors import InvalidField
from hgldp.tallies.reports.layout import BULLETIN, REPORTS, UPLOADS, check_types, layout_of
from hgldp.tallies.reports.refusals import check_rows, naming
from hgldp.tallies.reports.row_group import rows_at_once

PARQUET, TEXT, UNFINISHED = (".parquet", ".pq"), (".csv", ".csv.gz"), "._"
TYPES = {"bulletin": BULLETIN, "symbol": pa.uint32()}
MAGIC = b"PAR1"
BLOCK_BYTES, BUFFER_BYTES, HEADINGS_BYTES = 1 << 23, 1 << 20, 1 << 16
BYTE_ORDER_MARK, END_OF_LINE = b"\xef\xbb\xbf", re.compile(rb"[\r\n]")


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
        inside = sorted(_data_in(each)) if stat.S_ISDIR(_seen(each).st_mode) else [each]
        if not inside:
            raise InvalidField("reports", f"must hold files that end in {', '.join(PARQUET + TEXT)}", str(each))
        found += inside
    known: dict[tuple[int, int], Path] = {}
    for each in found:
        if not stat.S_ISREG(_seen(each).st_mode):
            raise InvalidField("reports", "must be files and folders", f"{each}, which is neither")
        _refuse_again("file", each, known)
    return found


def _data_in(folder: Path) -> Iterator[Path]:
    """Files of data below a folder. Engines give names that begin with . or _ to what is no data or not finished."""
    known: dict[tuple[int, int], Path] = {}
    for at, folders, files in os.walk(folder, followlinks=True, onerror=_refuse):
        _refuse_again("folder", Path(at), known)
        folders[:] = sorted(each for each in folders if each[0] not in UNFINISHED)
        for each in (Path(at, name) for name in files if name[0] not in UNFINISHED):
            if _ends_in(each.name, PARQUET + TEXT):
                yield each
            elif each.is_symlink():
                _seen(each)  # a link that leads nowhere may have been one to a folder


def _refuse_again(kind: str, path: Path, known: dict[tuple[int, int], Path]) -> None:
    found = _seen(path)
    first = known.setdefault((found.st_dev, found.st_ino), path)
    if first is not path:
        also = "twice" if first == path else f"which is {first} under another name"
        raise InvalidField("reports", f"must name each {kind} once", f"{path}, {also}", ": leave one of the two out")


def _refuse(wrong: OSError) -> NoReturn:
    raise InvalidField("reports", "must be files and folders that can be read", f"{wrong.filename} ({wrong.strerror})")


def _seen(path: Path) -> os.stat_result:
    try:
        return path.stat()
    except OSError as wrong:
        _refuse(wrong)


def _ends_in(name: str, ends: tuple[str, ...]) -> bool:
    return name.lower().endswith(ends)


def pieces_of(path: Path) -> list[Piece]:
    """The parts of a file, in their order."""
    if not _ends_in(path.name, PARQUET + TEXT):
        raise InvalidField("reports", f"must end in {', '.join(PARQUET + TEXT)}", str(path))
    with naming(str(path)):
        return _parquet_pieces(path) if _ends_in(path.name, PARQUET) else _csv_pieces(path)


def _parquet_pieces(path: Path) -> list[Piece]:
    size = path.stat().st_size
    with parquet.ParquetFile(path, thrift_container_size_limit=max(1, size)) as file:
        metadata, schema = file.metadata, file.schema_arrow
    layout = layout_of(schema.names, sure=True)
    check_types(schema, layout)
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
    with path.open("rb") as raw:
        some = rows_at_once(raw, metadata, group, layout.names)
    texts = [name for name in ("bulletin", "upload") if name in layout.names]
    terms = {"read_dictionary": texts, "buffer_size": BUFFER_BYTES, "pre_buffer": False}
    with parquet.ParquetFile(path, metadata=metadata, **terms) as file:
        yield from file.iter_batches(some, [group], layout.names, use_threads=False)


def _csv_pieces(path: Path) -> list[Piece]:
    with path.open("rb") as file:
        if file.read(len(MAGIC)) == MAGIC:
            hint = f": give it a name that ends in {PARQUET[0]}"
            raise InvalidField("reports", "must be CSV in a file with this name", "Parquet", hint)
    _check_headings(path)
    with _checked(path, []), _open_csv(path) as reader:
        names = reader.schema.names
    layout = layout_of(names)
    if layout is UPLOADS:
        raise InvalidField("reports", "must be Parquet where a row is an upload", "CSV")
    return [Piece(str(path), layout, 0, path.stat().st_size, partial(_rows_of_csv, path, names))]


def _check_headings(path: Path) -> None:
    """Arrow would take gigabytes for millions of columns, which a packed file has in a few kilobytes."""
    with pa.input_stream(str(path), compression=_compression(path)) as file:
        head = file.read(HEADINGS_BYTES)
    first = END_OF_LINE.split(head.removeprefix(BYTE_ORDER_MARK).lstrip(b"\r\n"), maxsplit=1)
    if (len(first) == 1 and len(head) == HEADINGS_BYTES) or first[0].count(b'"') % 2:
        raise InvalidField("headings", f"must be one line of at most {HEADINGS_BYTES:,} bytes", "more")


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
    return csv.open_csv(pa.input_stream(str(path), compression=_compression(path)), read, convert_options=chosen)


def _compression(path: Path) -> str | None:
    return "gzip" if _ends_in(path.name, (".gz",)) else None
