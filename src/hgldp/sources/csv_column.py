"""One column of a CSV file: its items are any text."""

import csv
from io import TextIOWrapper
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from hgldp.errors import InvalidField, MalformedLine
from hgldp.sources.distinct import Distinct

MOST_DIGITS = 9


def read_column(file: BinaryIO, column: str, source: str) -> tuple[NDArray[np.int32], list[str]]:
    """The column's items as indices into their sorted distinct texts, and those texts.

    A name means that the first line is a header; a number, counted from 1, that every line is data.

    >>> from io import BytesIO
    >>> items, labels = read_column(BytesIO(b"who,drink\\n1,tea\\n2,coffee\\n3,tea\\n"), "drink", "drinks.csv")
    >>> items.tolist(), labels
    ([1, 0, 1], ['coffee', 'tea'])
    """
    text = TextIOWrapper(file, encoding="utf-8-sig", errors="surrogateescape", newline="")
    rows = csv.reader(text, strict=True)
    texts = Distinct()
    try:
        place = int(column) - 1 if column.isdecimal() else _named_place(next(rows, []), column)
        for row in rows:
            if not row:
                continue
            item = row[place]
            if item not in texts:
                item.encode()
            texts.add(item)
    except IndexError:
        raise MalformedLine(source, rows.line_num, f"there must be a column {place + 1}") from None
    except UnicodeEncodeError:
        raise MalformedLine(source, rows.line_num, "must be UTF-8 text") from None
    except csv.Error:
        raise MalformedLine(source, rows.line_num, "must be CSV: commas between fields, quotes closed") from None
    finally:
        text.detach()
    return texts.numbered()


def check_column(column: str) -> str:
    """The column itself, if it can name one."""
    rule = "must be a name of the header or a number from 1"
    if column.isdecimal() and len(column) > MOST_DIGITS:
        raise InvalidField("column", f"{rule}, of at most {MOST_DIGITS} digits", f"{len(column)} digits")
    if not column or (column.isdecimal() and int(column) < 1):
        raise InvalidField("column", rule, column or "nothing")
    return column


def _named_place(header: list[str], column: str) -> int:
    names = [name.strip() for name in header]
    if column not in names:
        raise InvalidField("column", f"must be one of the {len(names)} names in the first line", column)
    return names.index(column)
