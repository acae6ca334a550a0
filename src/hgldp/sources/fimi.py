"""FIMI text: one basket, session or user a line, its items as whole numbers with spaces between them."""

from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from hgldp.errors import MalformedLine

BLOCK = 1 << 22
MAX_DIGITS = 18
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_BLANKS = np.frombuffer(b" \t\r\n", dtype=np.uint8)
_POWERS = 10 ** np.arange(MAX_DIGITS, dtype=np.int64)

Numbers = NDArray[np.integer[Any]]


def read_numbers(file: BinaryIO, source: str) -> Numbers:
    """Every number of a file, in order; the first line that holds anything else is refused by its number.

    The file is read in blocks that end between two numbers, and each block is decoded by whole-array arithmetic.

    >>> from io import BytesIO
    >>> read_numbers(BytesIO(b"3 1 4\\n\\n159 2\\n"), "pi.dat").tolist()
    [3, 1, 4, 159, 2]
    """
    parts: list[Numbers] = []
    line, rest = 1, b""
    while block := file.read(BLOCK):
        if not parts and line == 1 and not rest:
            block = block.removeprefix(BYTE_ORDER_MARK)
        text = rest + block
        end = max(text.rfind(b" "), text.rfind(b"\n"), text.rfind(b"\t"), text.rfind(b"\r")) + 1
        if not end and len(text) > BLOCK:
            raise MalformedLine(source, line, _RULE, withheld=True)
        if end:
            parts.append(_decode(text[:end], source, line))
            line += text.count(b"\n", 0, end)
        rest = text[end:]
    if rest:
        parts.append(_decode(rest + b"\n", source, line))
    return np.concatenate(parts) if parts else np.empty(0, dtype=np.int64)


_RULE = (
    f"every item must be a whole number of at most {MAX_DIGITS} digits and not negative, with spaces between the items"
)


def _decode(text: bytes, source: str, line: int) -> Numbers:
    """The numbers of a block that ends with a blank; in four bytes each if all of them fit."""
    letters = np.frombuffer(text, dtype=np.uint8)
    digits = letters - np.uint8(ord("0"))
    inside = digits <= 9
    wrong = np.flatnonzero(~inside & ~np.isin(letters, _BLANKS))
    if wrong.size:
        raise MalformedLine(source, line + text.count(b"\n", 0, int(wrong[0])), _RULE, withheld=True)
    last = np.flatnonzero(inside[:-1] & ~inside[1:])
    first = np.flatnonzero(inside & ~np.concatenate(([False], inside[:-1])))
    length = last - first + 1
    if length.size and length.max() > MAX_DIGITS:
        bad = int(first[np.argmax(length > MAX_DIGITS)])
        raise MalformedLine(source, line + text.count(b"\n", 0, bad), _RULE, withheld=True)
    numbers = np.zeros(first.size, dtype=np.int64)
    for place in range(int(length.max(initial=0))):
        some = np.flatnonzero(length > place)
        numbers[some] += digits[last[some] - place] * _POWERS[place]
    return numbers if numbers.max(initial=0) > np.iinfo(np.int32).max else numbers.astype(np.int32)
