"""The two layouts of a table of reports, and their columns as arrays: nothing is decoded report by report.

One row for each report: `bulletin` and `symbol`. Or one row for each upload: `upload`, `bulletin` and `symbols`; there
the same upload may come several times. Other columns are ignored, but what has bulletin, symbol and `count` is a tally.
"""

from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from hgldp.errors import InvalidField
from hgldp.tallies.headings import columns_found
from hgldp.wire.upload import ID_BYTES, MOST_REPORTS

BULLETIN = pa.dictionary(pa.int32(), pa.string())
REPORTS = pa.schema([pa.field("bulletin", BULLETIN, nullable=False), pa.field("symbol", pa.uint32(), nullable=False)])
UPLOADS = pa.schema(
    [
        pa.field("upload", pa.binary(ID_BYTES), nullable=False),
        pa.field("bulletin", BULLETIN, nullable=False),
        pa.field("symbols", pa.list_(pa.field("item", pa.uint32(), nullable=False)), nullable=False),
    ]
)
LAYOUTS = (REPORTS, UPLOADS)


class Columns(NamedTuple):
    """Some reports: the versions that occur, the place of each report's bulletin among them, and each one's symbol."""

    bulletins: list[str]
    codes: NDArray[np.integer[Any]]
    symbols: NDArray[np.integer[Any]]


class Uploads(NamedTuple):
    """Some uploads: the columns of all their reports, their ids as two words each, and how many reports each has."""

    columns: Columns
    ids: NDArray[np.uint64]
    lengths: NDArray[np.int64]

    def only(self, chosen: NDArray[np.bool_]) -> Columns:
        """The reports of some of the uploads."""
        reports = np.repeat(chosen, self.lengths)
        codes = np.repeat(self.columns.codes[chosen], self.lengths[chosen])
        return Columns(self.columns.bulletins, codes, self.columns.symbols[reports])


def layout_of(names: list[str], *, sure: bool = False) -> Any:
    """The schema that a table has by its columns; whether the names are `sure` to be names, and no row."""
    fitting = [each for each in LAYOUTS if set(each.names) <= set(names)]
    if len(fitting) != 1:
        rule = "must have the columns bulletin and symbol, or upload, bulletin and symbols, and not both"
        raise InvalidField("reports", rule, columns_found(names, sure=sure))
    if fitting[0] is REPORTS and "count" in names:
        hint = ": if this is a tally, give it to hgldp seal, which takes several"
        raise InvalidField("reports", "must have a row for each report", "a column count", hint)
    twice = [each for each in fitting[0].names if names.count(each) > 1]
    if twice:
        raise InvalidField("reports", "must have each column once", f"{twice[0]} twice")
    return fitting[0]


def check_types(schema: Any, layout: Any) -> None:
    """Refuse a table whose columns have other types, before any of its rows is decoded."""
    empty = pa.RecordBatch.from_arrays([pa.array([], schema.field(name).type) for name in layout.names], layout.names)
    if layout is UPLOADS:
        uploads_of(empty)
    else:
        columns_of(empty)


def columns_of(batch: Any) -> Columns:
    """Of a batch with one row for each report."""
    bulletins, codes = _coded(batch.column("bulletin"))
    return Columns(bulletins, codes, _whole(batch.column("symbol"), "symbol"))


def uploads_of(batch: Any) -> Uploads:
    """Of a batch with one row for each upload. The codes are those of the uploads, not of their reports."""
    bulletins, codes = _coded(batch.column("bulletin"))
    lists = _without_gaps(batch.column("symbols"), "symbols")
    if not (pa.types.is_list(lists.type) or pa.types.is_large_list(lists.type)):
        raise InvalidField("symbols", "must be lists of whole numbers", str(lists.type))
    lengths = np.diff(_numbers(lists.offsets)).astype(np.int64)
    if lengths.size and int(lengths.max()) > MOST_REPORTS:
        raise InvalidField("symbols", f"must be at most {MOST_REPORTS:,} in an upload", f"{int(lengths.max()):,}")
    symbols = _whole(lists.flatten(), "symbols")
    return Uploads(Columns(bulletins, codes, symbols), _words(batch.column("upload")), lengths)


def _coded(column: Any) -> tuple[list[str], NDArray[np.integer[Any]]]:
    column = _without_gaps(column, "bulletin")
    if not pa.types.is_dictionary(column.type):
        column = column.dictionary_encode()
    kind = column.type.value_type
    if not (pa.types.is_string(kind) or pa.types.is_large_string(kind)):
        raise InvalidField("bulletin", "must be texts, the 64 hexadecimal digits of a version", str(kind))
    return [each.lower() for each in column.dictionary.to_pylist()], _numbers(column.indices)


def _whole(column: Any, field: str) -> NDArray[np.integer[Any]]:
    if not pa.types.is_integer(column.type):
        raise InvalidField(field, "must be whole numbers", str(column.type))
    return _numbers(_without_gaps(column, field))


def _numbers(column: Any) -> NDArray[np.integer[Any]]:
    """The column's own memory. Its `to_numpy` would import pandas first, which takes two seconds, if that is there."""
    kind = np.dtype(str(column.type))
    values = column.buffers()[1]
    whole = np.zeros(0, kind) if values is None else np.frombuffer(values, kind)
    return whole[column.offset : column.offset + len(column)]


def _words(column: Any) -> NDArray[np.uint64]:
    column = _without_gaps(column, "upload")
    is_coded = pa.types.is_dictionary(column.type)
    ids = column.dictionary if is_coded else column
    try:
        fixed = ids.cast(pa.binary(ID_BYTES))
    except pa.ArrowException:
        raise InvalidField("upload", f"must be ids of {ID_BYTES} bytes", f"others of type {ids.type}") from None
    start, length = fixed.offset * ID_BYTES, len(fixed) * ID_BYTES
    data = np.frombuffer(fixed.buffers()[1] or b"", np.uint8)[start : start + length]
    words = data.view("<u8").reshape(-1, ID_BYTES // 8)
    return words[_numbers(column.indices)] if is_coded else words


def _without_gaps(column: Any, field: str) -> Any:
    if column.null_count:
        raise InvalidField(field, "must be there in every row", "an empty cell")
    return column
