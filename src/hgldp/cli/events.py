"""Events of a file or of standard input, one at a time, as they come."""

import csv
import gzip
import sys
from collections.abc import Iterator
from io import TextIOWrapper
from pathlib import Path
from typing import BinaryIO, cast

from hgldp.cli.values import COLUMN_RULE
from hgldp.errors import InvalidField, MalformedLine
from hgldp.sources.columns import check_column, find_column
from hgldp.sources.numbers import DAMAGES, damaged

STANDARD_INPUT = "-"


def read_events(path: str, column: str | None, *, numbers: bool) -> Iterator[str | int]:
    """One event per line, or of a CSV column; whole numbers if the domain is a range. Empty lines are skipped.

    What is no number stays a text: a client reports it as *other*, as it does with any item that is not listed.
    """
    for _, event in numbered_events(path, column, numbers=False):
        try:
            yield int(event) if numbers else event
        except ValueError:
            yield event


def numbered_events(
    path: str, column: str | None, *, numbers: bool, field: str = "events"
) -> Iterator[tuple[int, str | int]]:
    """The same, each with the number of its line. `field` is what the file is called where it cannot be read."""
    name = "standard input" if path == STANDARD_INPUT else path
    if column is None and path.lower().removesuffix(".gz").endswith(".csv"):
        raise InvalidField("--column", COLUMN_RULE, "none")
    try:
        with open_input(path, field) as raw:
            text = TextIOWrapper(raw, encoding="utf-8-sig", errors="strict", newline="")
            for line, event in _cells(text, check_column(column), name) if column else _lines(text):
                if event:
                    yield line, _number(event, name, line) if numbers else event
    except UnicodeDecodeError:
        raise InvalidField(field, "must be UTF-8 text", name) from None
    except DAMAGES:
        raise damaged(field, name) from None
    except OSError as failure:
        reason = getattr(failure, "strerror", None) or "unreadable"
        raise InvalidField(field, "must be a readable file or '-'", f"{name} ({reason})") from None


def read_lines(path: str, option: str, what: str) -> list[str]:
    """The lines of a file, or of standard input for '-', without empty ones."""
    try:
        with open_input(path, option) as file:
            lines = file.read().decode("utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError, *DAMAGES) as failure:
        wrong = "not UTF-8 text" if isinstance(failure, UnicodeDecodeError) else "unreadable"
        reason = getattr(failure, "strerror", None) or wrong
        raise InvalidField(option, f"must be a readable file with one {what} per line", f"{path} ({reason})") from None
    return [line for line in lines if line]


def open_input(path: str, field: str) -> BinaryIO:
    """A file, unpacked if its name ends in .gz, or standard input for '-'."""
    if path == STANDARD_INPUT:
        if sys.stdin is None:
            raise InvalidField(field, "must be a readable file or '-'", "a closed standard input")
        return sys.stdin.buffer
    return cast(BinaryIO, gzip.open(path, "rb")) if path.endswith(".gz") else Path(path).open("rb")


def _lines(text: TextIOWrapper) -> Iterator[tuple[int, str]]:
    for line, event in enumerate(text, start=1):
        yield line, event.rstrip("\r\n")


def _cells(text: TextIOWrapper, column: str, name: str) -> Iterator[tuple[int, str]]:
    rows = csv.reader(text, strict=True)
    try:
        place = find_column(rows, column, name, withheld=True)
        for row in rows:
            if row:
                yield rows.line_num, row[place]
    except IndexError:
        raise MalformedLine(name, rows.line_num, f"there must be a column {place + 1}") from None
    except csv.Error:
        raise MalformedLine(name, rows.line_num, "must be CSV: commas between fields, quotes closed") from None


def _number(event: str, name: str, line: int) -> int:
    try:
        return int(event)
    except ValueError:
        rule = "must be a whole number: the task's domain is a range"
        raise MalformedLine(name, line, rule, withheld=True) from None
