"""Checks of a row group before Arrow decodes it: a few bytes can stand for gigabytes."""

from collections.abc import Collection
from typing import Any, BinaryIO

from hgldp.errors import InvalidField
from hgldp.tallies.reports.page_headers import Page, pages_of
from hgldp.wire.upload import MOST_REPORTS

ROWS_AT_ONCE, UPLOADS_AT_ONCE, SYMBOLS_AT_ONCE = 1 << 18, 1 << 14, 1 << 20
PAGE_BYTES, DICTIONARY_BYTES, SYMBOLS_OF_GROUP = 1 << 26, 1 << 24, 1 << 26
TEXT_BYTES, SPARE_BYTES, LEAST_BYTES = 256, 1 << 10, 4
PLAIN, CODES = 0, (2, 8)
BYTES = ("BYTE_ARRAY", "FIXED_LEN_BYTE_ARRAY")


def rows_at_once(file: BinaryIO, group: Any, columns: Collection[str]) -> int:
    """How many rows of a group to decode at a time: fewer if they are long uploads. Refuses what would take too much.

    Arrow decodes a whole page, and a whole row, whatever it is asked for.
    """
    symbols = check_pages(file, group, columns)
    if "symbols" not in columns:
        return ROWS_AT_ONCE
    if symbols > MOST_REPORTS * group.num_rows:
        rule = f"must be at most {MOST_REPORTS:,} in an upload"
        raise InvalidField("symbols", rule, f"{symbols:,} in {group.num_rows:,}")
    if symbols > SYMBOLS_OF_GROUP:
        rule, hint = f"must be at most {SYMBOLS_OF_GROUP:,} in a row group", ": write smaller row groups"
        raise InvalidField("symbols", rule, f"{symbols:,}", hint)
    return int(min(UPLOADS_AT_ONCE, max(1, SYMBOLS_AT_ONCE * group.num_rows // max(1, symbols))))


def check_pages(file: BinaryIO, group: Any, columns: Collection[str]) -> int:
    """Refuse pages that are too large. Returns how many values the column `symbols` has."""
    symbols = 0
    for column in (group.column(number) for number in range(group.num_columns)):
        name = column.path_in_schema.partition(".")[0]
        if name in columns:
            for page in pages_of(file, column):
                _check(name, page, holds_bytes=column.physical_type in BYTES)
                symbols += page.values if name == "symbols" and not page.is_dictionary else 0
    return symbols


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
