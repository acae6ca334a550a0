"""Tallies and states as files: CSV and JSON with the standard library alone, Parquet with the extra of that name."""

from io import BytesIO
from pathlib import Path
from typing import Any

from hgldp.cli.whole_files import read_whole
from hgldp.errors import InvalidField, MalformedBytes, MalformedState, MissingExtra
from hgldp.tallies.state import MOST_BYTES as MOST_STATE_BYTES
from hgldp.tallies.state import SealState
from hgldp.tallies.tally import COLUMNS, MOST_ROWS, Tally, check_columns

ENDINGS = (".csv", ".parquet")
MOST_BYTES = 1 << 30


def check_ending(path: Path) -> str:
    """The ending, if it says what the file is."""
    if path.suffix not in ENDINGS:
        raise InvalidField("tally", f"must be a file that ends in {' or '.join(ENDINGS)}", str(path))
    return path.suffix


def tally_bytes(tally: Tally, path: Path) -> bytes:
    """As the ending of the file's name says."""
    if check_ending(path) == ".csv":
        return tally.to_csv()
    pyarrow, parquet = _arrow()
    bulletins, symbols, counts = tally.to_columns()
    columns = pyarrow.array(bulletins, pyarrow.string()), pyarrow.array(symbols), pyarrow.array(counts)
    file = BytesIO()
    parquet.write_table(pyarrow.table(dict(zip(COLUMNS, columns, strict=True))), file)
    return file.getvalue()


def read_tally(path: Path) -> Tally:
    """Whatever engine wrote it."""
    data, ending = read_whole("tally", path, MOST_BYTES), check_ending(path)
    try:
        return Tally.from_csv(data) if ending == ".csv" else _from_parquet(data)
    except InvalidField as wrong:
        raise InvalidField(f"{path}: {wrong.field}", wrong.rule, wrong.value, wrong.hint) from None
    except MalformedBytes as wrong:
        raise MalformedBytes(f"{path}: {wrong}") from None


def read_state(path: Path) -> SealState:
    """What `hgldp seal` wrote."""
    data = read_whole("state", path, MOST_STATE_BYTES)
    try:
        return SealState.read(data)
    except MalformedState as wrong:
        raise MalformedState(f"{path}: {wrong}") from None


def _from_parquet(data: bytes) -> Tally:
    pyarrow, parquet = _arrow()
    from hgldp.tallies.reports.row_group import check_pages  # noqa: PLC0415 - needs pyarrow

    try:
        with parquet.ParquetFile(BytesIO(data), thrift_container_size_limit=max(1, len(data))) as file:
            check_columns(file.schema_arrow.names, sure=True)
            if any(pyarrow.types.is_nested(kind) for kind in file.schema_arrow.types):
                raise InvalidField("tally", "must have one value in each cell", "lists or structures")
            if file.metadata.num_rows > MOST_ROWS:
                raise InvalidField("tally", f"must have at most {MOST_ROWS:,} rows", f"{file.metadata.num_rows:,}")
            for number in range(file.metadata.num_row_groups):
                check_pages(BytesIO(data), file.metadata, number, COLUMNS)
            table = file.read()
        if any(table.column(name).null_count for name in COLUMNS):
            raise InvalidField("tally", "must have no empty cells", "some")
        return Tally.from_arrow(table)
    except (pyarrow.ArrowException, OSError, UnicodeDecodeError) as wrong:
        found = "a file that is damaged, or no Parquet: CSV needs a name that ends in .csv"
        raise InvalidField("tally", "must be a whole Parquet file", found) from wrong


def _arrow() -> tuple[Any, Any]:
    try:
        import pyarrow  # noqa: PLC0415 - an extra of its own
        from pyarrow import parquet  # noqa: PLC0415
    except ModuleNotFoundError as missing:
        raise MissingExtra("parquet", str(missing.name)) from missing
    return pyarrow, parquet
