"""All published results as CSV, JSON or Parquet, one row for each line of each epoch, a few epochs at a time."""

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from hgldp.collector.answers import strict
from hgldp.collector.problems import Problem, Refused
from hgldp.collector.views import Line, PublishedEpoch

Row = Mapping[str, Any]
OF_AN_EPOCH = ("epoch", "bulletin", "published", "reports")
OF_A_LINE = ("rank", "item", "estimate", "standard_error", "low", "high", "tracked_count", "tracked_error", "since")
COLUMNS = (*OF_AN_EPOCH, *OF_A_LINE)
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "'", "＝", "＋", "－", "＠")
MEDIA_TYPES = {
    "csv": "text/csv; charset=utf-8",
    "json": "application/json",
    "parquet": "application/vnd.apache.parquet",
}


def in_utc(seconds: float) -> str:
    """A moment as people and programs read it.

    >>> in_utc(0.0)
    '1970-01-01T00:00:00.000Z'
    """
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def line_fields(rank: int, line: Line) -> dict[str, Any]:
    """One line of an answer, by name."""
    return {"rank": rank, **{name: getattr(line, name) for name in OF_A_LINE[1:]}}


def epoch_rows(epochs: Iterable[PublishedEpoch]) -> Iterator[dict[str, Any]]:
    """One row for each line of each epoch."""
    for each in epochs:
        head = {"epoch": each.epoch, "bulletin": each.bulletin, "published": in_utc(each.published)}
        for rank, line in enumerate(each.lines, start=1):
            yield {**head, "reports": each.reports, **line_fields(rank, line)}


def safe_cell(value: object) -> object:
    """A text that a spreadsheet would run as a formula gets an apostrophe before it; all else stays verbatim.

    >>> [safe_cell(each) for each in ("tea", "=1+1", "'", -5)]
    ['tea', "'=1+1", "''", -5]
    """
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULA) else value


def csv_lines(rows: Iterable[Row], columns: Sequence[str] = COLUMNS) -> Iterator[str]:
    """A header and one line a row, as RFC 4180 has it."""
    text = io.StringIO()
    writer = csv.DictWriter(text, fieldnames=list(columns), extrasaction="ignore")
    writer.writeheader()
    for row in rows:
        writer.writerow({name: safe_cell(strict(value)) for name, value in row.items()})
        if text.tell() > 1 << 16:
            yield text.getvalue()
            text.seek(0)
            text.truncate()
    yield text.getvalue()


def json_lines(rows: Iterable[Row]) -> Iterator[str]:
    """One JSON list, written row by row."""
    before = "["
    for row in rows:
        yield before + json.dumps(strict(row), ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        before = ",\n"
    yield "[]\n" if before == "[" else "]\n"


def parquet_bytes(rows: Iterable[Row], *, texts: bool) -> Iterator[bytes]:
    """A Parquet file; items are strings, or whole numbers where the domain is a range."""
    try:
        import pyarrow  # noqa: PLC0415 - an extra of its own
        from pyarrow import parquet  # noqa: PLC0415
    except ImportError:
        reason = "Parquet needs the extra 'parquet' on the server: pip install 'hgldp[parquet]'"
        raise Refused(Problem.FORMAT_NOT_AVAILABLE, reason) from None
    whole, number, text = pyarrow.int64(), pyarrow.float64(), pyarrow.string()
    kinds = dict.fromkeys(COLUMNS, number) | dict.fromkeys(("epoch", "reports", "rank", "since"), whole)
    kinds |= {"bulletin": text, "published": text, "item": text if texts else whole}
    target, schema = io.BytesIO(), pyarrow.schema(list(kinds.items()))
    with parquet.ParquetWriter(target, schema, compression="zstd") as writer:
        for some in _batches(rows, 1 << 14):
            writer.write_table(pyarrow.Table.from_pylist(some, schema=schema))
    yield target.getvalue()


def _batches(rows: Iterable[Row], size: int) -> Iterator[list[Row]]:
    some: list[Row] = []
    for row in rows:
        some.append(row)
        if len(some) == size:
            yield some
            some = []
    yield some


WRITERS: dict[str, Callable[..., Iterator[str] | Iterator[bytes]]] = {
    "csv": lambda rows, **_: csv_lines(rows),
    "json": lambda rows, **_: json_lines(rows),
    "parquet": parquet_bytes,
}
