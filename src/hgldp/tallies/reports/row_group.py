"""Checks of a row group before Arrow decodes it: a few bytes can stand for gigabytes."""

from collections.abc import Collection
from contextlib import suppress
from io import SEEK_END, SEEK_SET, BytesIO
from typing import Any, BinaryIO

from pyarrow import parquet

from hgldp.errors import InvalidField
from hgldp.tallies.reports.page_headers import Page, pages_of
from hgldp.wire.upload import MOST_REPORTS

ROWS_AT_ONCE, UPLOADS_AT_ONCE, SYMBOLS_AT_ONCE = 1 << 18, 1 << 14, 1 << 20
PAGE_BYTES, DICTIONARY_BYTES, SYMBOLS_OF_GROUP = 1 << 26, 1 << 24, 1 << 26
TEXT_BYTES, SPARE_BYTES, LEAST_BYTES = 256, 1 << 10, 4
PLAIN, CODES = 0, (2, 8)
BUFFER_BYTES, MOST_LENGTH = 1 << 16, 1 << 62
BYTES = ("BYTE_ARRAY", "FIXED_LEN_BYTE_ARRAY")


def rows_at_once(file: BinaryIO, metadata: Any, number: int, columns: Collection[str]) -> int:
    """How many rows of a group to decode at a time: fewer if they are long uploads. Refuses what would take too much.

    Arrow decodes a whole page, and a whole row, whatever it is asked for.
    """
    symbols, group = check_pages(file, metadata, number, columns), metadata.row_group(number)
    if "symbols" not in columns:
        return ROWS_AT_ONCE
    if symbols > MOST_REPORTS * group.num_rows:
        rule = f"must be at most {MOST_REPORTS:,} in an upload"
        raise InvalidField("symbols", rule, f"{symbols:,} in {group.num_rows:,}")
    if symbols > SYMBOLS_OF_GROUP:
        rule, hint = f"must be at most {SYMBOLS_OF_GROUP:,} in a row group", ": write smaller row groups"
        raise InvalidField("symbols", rule, f"{symbols:,}", hint)
    return int(min(UPLOADS_AT_ONCE, max(1, SYMBOLS_AT_ONCE * group.num_rows // max(1, symbols))))


def check_pages(file: BinaryIO, metadata: Any, number: int, columns: Collection[str]) -> int:
    """Refuse pages that are too large. Returns how many values the column `symbols` has.

    A column says its name and type too, but Arrow goes by the schema.
    """
    _check_columns(metadata, number, columns)
    symbols, group = 0, metadata.row_group(number)
    for place in range(group.num_columns):
        column = metadata.schema.column(place)
        name = column.path.partition(".")[0]
        if name in columns:
            for page in pages_of(file, group.column(place)):
                _check(name, page, holds_bytes=column.physical_type in BYTES)
                symbols += page.values if name == "symbols" and not page.is_dictionary else 0
    return symbols


class _WouldReadError(Exception):
    """Arrow has found nothing wrong before it reads."""


class _Unreadable(BytesIO):
    """A file without data, but with a length."""

    def __init__(self, length: int) -> None:
        super().__init__()
        self._length, self._at = length, 0

    def seek(self, at: int, whence: int = SEEK_SET) -> int:
        self._at = at + (self._length if whence == SEEK_END else 0)
        return self._at

    def tell(self) -> int:
        return self._at

    def read(self, _: int | None = -1) -> bytes:
        raise _WouldReadError


def _check_columns(metadata: Any, number: int, columns: Collection[str]) -> None:
    """Refuse columns whose metadata Arrow cannot understand.

    Only a reader says so: `RowGroupMetaData.column` ends the process with an exception that nothing catches.
    """
    terms = {"metadata": metadata, "buffer_size": BUFFER_BYTES, "pre_buffer": False}
    with suppress(_WouldReadError), parquet.ParquetFile(_Unreadable(MOST_LENGTH), **terms) as reader:
        next(reader.iter_batches(1, [number], list(columns), use_threads=False), None)


def _check(name: str, page: Page, *, holds_bytes: bool) -> None:
    """Texts and ids are short and few. A single one may fill its page, but they must be short on average."""
    most = DICTIONARY_BYTES if page.is_dictionary else PAGE_BYTES
    if page.size > most:
        kind = "dictionary" if page.is_dictionary else "page"
        raise InvalidField(name, f"must have at most {most:,} bytes in a {kind}", f"{page.size:,}")
    if page.is_dictionary and page.values * LEAST_BYTES > page.size:
        raise InvalidField(name, "must have a dictionary that holds what it says", "a shorter one")
    if holds_bytes and not page.is_dictionary and page.encoding != PLAIN and page.encoding not in CODES:
        rule = "must be written as plain values or with a dictionary"
        raise InvalidField(name, rule, "one of Parquet's delta encodings")
    if holds_bytes and page.encoding == PLAIN and page.size > TEXT_BYTES * page.values + SPARE_BYTES:
        raise InvalidField(name, f"must have at most {TEXT_BYTES} bytes on average", "longer texts")
