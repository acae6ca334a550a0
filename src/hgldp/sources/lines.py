"""One string a line: nobody lists them beforehand."""

from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from hgldp.errors import MalformedLine
from hgldp.sources.distinct import Distinct
from hgldp.sources.fimi import BYTE_ORDER_MARK

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
