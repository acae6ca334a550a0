"""Counting symbols under the bulletins that they answer: one pass over two columns of a table of reports."""

import numpy as np
from numpy.typing import NDArray

from hgldp.kernels.compile import kernel
from hgldp.kernels.words import high_product, mix

LEFT_OUT = -1
ZERO, ONE = np.uint64(0), np.uint64(1)


@kernel
def count_symbols(
    rows: NDArray[np.int64],
    codes: NDArray[np.int32],
    symbols: NDArray[np.uint32],
    table: NDArray[np.int64],
    left_out: NDArray[np.int64],
) -> None:
    """Add each symbol to its bulletin's row of the table.

    `codes` says for each report which of the `rows` its bulletin has. Rows of `LEFT_OUT` are not counted there, but in
    `left_out`, by their code. Every code has a row, and every symbol a column: whoever calls has looked.
    """
    for place in range(codes.size):
        code = np.uint64(codes[place])
        row = rows[code]
        if row >= 0:
            table[np.uint64(row), np.uint64(symbols[place])] += 1
        else:
            left_out[code] += 1


@kernel
def mark_first(
    ids: NDArray[np.uint64],
    words: NDArray[np.uint64],
    part: np.uint64,
    parts: np.uint64,
    table: NDArray[np.uint64],
    first: NDArray[np.bool_],
) -> int:
    """Put ids of two words into a table that has room for all of them, and mark those that were not in it.

    `words` are their fingerprints: they say which part an id belongs to, and where it lies. Ids of other parts are
    neither put nor marked. The last row of the table is for the id that is all zeros, as empty rows are.
    """
    added, last = 0, np.uint64(table.shape[0] - 1)
    for place in range(ids.shape[0]):
        word, high, low = words[place], ids[place, 0], ids[place, 1]
        if high_product(word, parts) != part:
            continue
        at = high_product(mix(word), last)
        if high == ZERO and low == ZERO:
            at, high = last, ONE
        while (table[at, 0] != ZERO or table[at, 1] != ZERO) and (table[at, 0] != high or table[at, 1] != low):
            at = at + ONE if at + ONE < last else ZERO
        if table[at, 0] == ZERO and table[at, 1] == ZERO:
            table[at, 0], table[at, 1] = high, low
            first[place] = True
            added += 1
    return added
