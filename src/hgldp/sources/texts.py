"""Texts of a file: a column of CSV or one string a line, numbered as they arrive."""

import csv
from array import array
from io import TextIOWrapper
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from hgldp.errors import MalformedLine
from hgldp.sources.columns import find_column
from hgldp.sources.fimi import BYTE_ORDER_MARK


class Distinct:
    """Every text once, and the stream as places among them.

    >>> texts = Distinct()
    >>> for text in ("tea", "coffee", "tea"):
    ...     texts.add(text)
    >>> items, labels = texts.numbered()
    >>> items.tolist(), labels
    ([1, 0, 1], ['coffee', 'tea'])
    """

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._items = array("i")

    def __contains__(self, text: str) -> bool:
        return text in self._numbers

    def add(self, text: str) -> None:
        """One more event."""
        self._items.append(self._numbers.setdefault(text, len(self._numbers)))

    def numbered(self) -> tuple[NDArray[np.int32], list[str]]:
        """The events as indices into the sorted distinct texts, and those texts."""
        labels = sorted(self._numbers)
        order = np.empty(len(labels), dtype=np.int32)
        order[[self._numbers[label] for label in labels]] = np.arange(len(labels), dtype=np.int32)
        return order[np.frombuffer(self._items, np.int32)] if self._items else np.empty(0, np.int32), labels


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
        place = find_column(rows, column, source)
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


MOST_LINE_BYTES = 1 << 20


def read_lines(file: BinaryIO, source: str) -> tuple[NDArray[np.int32], list[str]]:
    """The lines as indices into their sorted distinct texts, and those texts. Empty lines are no events.

    Blanks within a line belong to its string. Bytes that are no UTF-8 become lone surrogates: a string without a code.

    >>> from io import BytesIO
    >>> items, labels = read_lines(BytesIO(b"green tea\\n\\ncoffee\\r\\ngreen tea"), "drinks.txt")
    >>> items.tolist(), labels
    ([1, 0, 1], ['coffee', 'green tea'])
    """
    texts = Distinct()
    number = 0
    while line := file.readline(MOST_LINE_BYTES + 1):
        number += 1
        if len(line) > MOST_LINE_BYTES:
            raise MalformedLine(source, number, f"a string must have at most {MOST_LINE_BYTES} bytes")
        if number == 1:
            line = line.removeprefix(BYTE_ORDER_MARK)
        if text := line.removesuffix(b"\n").removesuffix(b"\r"):
            texts.add(text.decode(errors="surrogateescape"))
    return texts.numbered()
