"""A public model of strings: it decides where the server cuts a cell, never what is counted.

Letters weigh as in English text (the textbook percentages of letters), capitals and digits weigh little, other legal
UTF-8 bytes less, and bytes that no UTF-8 string holds next to nothing.
"""

import heapq
from collections.abc import Iterable
from functools import cache
from itertools import accumulate, count

from hgldp.model.bulletins import Cell
from hgldp.model.domain import END

_FREQUENCIES = "8.2 1.5 2.8 4.3 12.7 2.2 2 6.1 7 0.15 0.77 4 2.4 6.7 7.5 1.9 0.1 6 6.3 9.1 2.8 1 2.4 0.15 2 0.1"
_LETTERS = dict(zip("abcdefghijklmnopqrstuvwxyz", map(float, _FREQUENCIES.split()), strict=True))
_IMPOSSIBLE, _RARE, _LEAD, _SIGN, _DIGIT, _END = 1e-6, 0.01, 0.1, 1.0, 0.7, 12.0


def _weight(byte: int) -> float:
    letter = chr(byte)
    if byte == END:
        return _END
    if byte < 32 or byte in (127, 0xC0, 0xC1) or byte > 0xF4:
        return _IMPOSSIBLE
    if letter in _LETTERS:
        return _LETTERS[letter]
    if byte < 128 and letter.lower() in _LETTERS:
        return 0.08 * _LETTERS[letter.lower()]
    if letter.isdigit() and byte < 128:
        return _DIGIT
    return _SIGN if letter in "/.-_?=&:%+#~ '" else _LEAD if byte >= 0xC2 else _RARE


_UP_TO = [0.0, *accumulate(_weight(byte) for byte in range(256))]


def mass(low: int, high: int) -> float:
    """How likely the next byte lies in low … high, unnormalised."""
    return _UP_TO[high + 1] - _UP_TO[low]


@cache
def _middle(low: int, high: int) -> tuple[int, float]:
    """After which byte of low … high about half of the mass is over, and its part of the mass."""
    whole = mass(low, high)
    cut = min(range(low, high), key=lambda last: abs(mass(low, last) - whole / 2))
    return cut, mass(low, cut) / whole


def halves(cell: Cell) -> tuple[tuple[Cell, float], tuple[Cell, float]] | None:
    """Two cells that share a cell's strings, each with its part of the mass; None for a leaf.

    >>> (first, part), (second, _) = halves(Cell(b"te", 97, 98))
    >>> first, second, round(part, 2)
    (Cell(prefix=b'te', low=97, high=97), Cell(prefix=b'te', low=98, high=98), 0.85)
    """
    while cell.low == cell.high:
        if cell.is_leaf:
            return None
        cell = Cell(cell.prefix + bytes([cell.low]), 0, 255)
    prefix, low, high = cell
    cut, part = _middle(low, high)
    return (Cell(prefix, low, cut), part), (Cell(prefix, cut + 1, high), 1 - part)


def expand(seeds: Iterable[tuple[float, Cell]], room: int, most_bytes: int) -> list[Cell]:
    """Cut the cell of the largest priority in two, again and again, until the room is full: lookahead by the model."""
    order = count()
    heap: list[tuple[float, int, Cell]] = []
    done: list[Cell] = []
    for priority, cell in seeds:
        heapq.heappush(heap, (-priority, next(order), cell))
    while heap and len(heap) + len(done) < room:
        priority, _, cell = heapq.heappop(heap)
        parts = halves(cell) if len(cell.prefix) < most_bytes or cell.low < cell.high else None
        if parts is None:
            done.append(cell)
            continue
        for child, share in parts:
            heapq.heappush(heap, (priority * share, next(order), child))
    return ([cell for _, _, cell in sorted(heap)] + done)[:room]
