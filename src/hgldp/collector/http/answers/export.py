"""Rows as CSV, JSON or Parquet, written as the rows come: none of them holds more than a few thousand rows."""

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from hgldp.collector.http.documents.results import EXPORTED
from hgldp.collector.http.documents.schema import type_of
from hgldp.collector.problems import Problem, Refused
from hgldp.wire import api
from hgldp.wire.csv_cell import safe_cell
from hgldp.wire.strict_json import strict

Row = Mapping[str, Any]
COLUMNS = EXPORTED.names
ROWS_IN_A_GROUP, PART_CHARACTERS = 4_096, 1 << 14
MEDIA_TYPES = {
    "csv": f"{api.CSV}; charset=utf-8",
    "json": api.JSON,
    "parquet": api.PARQUET,
}


def csv_parts(rows: Iterable[Row], columns: Sequence[str] = COLUMNS) -> Iterator[str]:
    """A header and one line per row, as in RFC 4180."""
    text = io.StringIO()
    writer = csv.DictWriter(text, fieldnames=list(columns), extrasaction="ignore")
    writer.writeheader()
    for row in rows:
        writer.writerow({name: safe_cell(strict(value)) for name, value in row.items()})
        if text.tell() > PART_CHARACTERS:
            yield text.getvalue()
            text.seek(0)
            text.truncate()
    yield text.getvalue()


def json_parts(rows: Iterable[Row]) -> Iterator[str]:
    """One JSON list, written row by row."""
    before = "["
    for row in rows:
        yield before + json.dumps(strict(row), ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        before = ",\n"
    yield "[]\n" if before == "[" else "]\n"


def parquet_parts(rows: Iterable[Row], *, texts: bool) -> Iterator[bytes]:
    """A Parquet file, group by group of rows; items are whole numbers where all of them are, otherwise strings."""
    try:
        import pyarrow  # noqa: PLC0415 - an extra of its own
        from pyarrow import parquet  # noqa: PLC0415
    except ImportError:
        reason = "the server lacks the extra 'parquet': pip install '.[parquet]' in its checkout of hgldp"
        raise Refused(Problem.FORMAT_NOT_AVAILABLE, reason) from None
    of_a_type = {
        "integer": pyarrow.int64(),
        "string": pyarrow.string(),
        "number": pyarrow.float64(),
        "boolean": pyarrow.bool_(),
    }
    kinds = {each.name: of_a_type[type_of(each.schema)] for each in EXPORTED.fields if each.name != "item"}
    kinds["item"] = of_a_type["string" if texts else "integer"]
    written, schema = _Written(), pyarrow.schema([(name, kinds[name]) for name in COLUMNS])
    with parquet.ParquetWriter(written, schema, compression="zstd") as writer:
        for some in _batches(rows, ROWS_IN_A_GROUP):
            rows_of_texts = [{**row, "item": str(row["item"])} for row in some] if texts else some
            writer.write_table(pyarrow.Table.from_pylist(rows_of_texts, schema=schema))
            yield written.take()
    yield written.take()


class _Written(io.RawIOBase):
    """What was written since it was last taken: a Parquet file is written from the first byte to the last."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []

    def writable(self) -> bool:
        """It is for writing."""
        return True

    def write(self, data: Any) -> int:
        """Keep it."""
        self._parts.append(bytes(data))
        return len(self._parts[-1])

    def take(self) -> bytes:
        """All of it."""
        found, self._parts = b"".join(self._parts), []
        return found


def _batches(rows: Iterable[Row], size: int) -> Iterator[list[Row]]:
    some: list[Row] = []
    for row in rows:
        some.append(row)
        if len(some) == size:
            yield some
            some = []
    yield some
