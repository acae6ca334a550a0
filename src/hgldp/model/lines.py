"""The lines of a text, found by number and by what they say, in eight bytes a line beside the text."""

from array import array
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import cached_property
from io import BytesIO
from itertools import accumulate
from typing import overload
from zlib import crc32

BITS_OF_A_HEAP = 5


class Lines(Sequence[str]):
    """The lines of UTF-8 text, of which every one ends with a line feed.

    To find a line, its checksum names a heap of about forty, and the lines of a heap are sorted. Whoever makes lines
    with the same checksum makes a large heap, but a search in it is still one by halves.

    >>> lines = Lines("tea\\nmaté\\n".encode())
    >>> lines[1], lines.find("maté".encode()), lines.find(b"mat"), list(lines)
    ('maté', 1, None, ['tea', 'maté'])
    >>> Lines(b"tea\\nmate\\ntea\\nmate\\n").repeated
    (2, 0)
    """

    def __init__(self, content: bytes) -> None:
        self._content = content
        self._starts = array("I", accumulate(map(len, BytesIO(content)), initial=0))
        self._mask = (1 << max(0, len(self).bit_length() - BITS_OF_A_HEAP)) - 1
        heaps = [array("I") for _ in range(self._mask + 1)]
        for number, line in enumerate(BytesIO(content)):
            heaps[crc32(line) & self._mask].append(number)
        self._heaps = array("I", accumulate(map(len, heaps), initial=0))
        self._sorted, self.repeated = array("I"), None
        for heap in heaps:
            self._sort(heap)

    repeated: tuple[int, int] | None
    """The first line that is not the first of its kind, and that first one."""

    def _sort(self, heap: "array[int]") -> None:
        places = {self.line(number): number for number in reversed(heap)}
        if len(places) == len(heap):
            self._sorted.extend(map(places.__getitem__, sorted(places)))
            return
        again = next(number for number in heap if places[self.line(number)] != number)
        if self.repeated is None or again < self.repeated[0]:
            self.repeated = again, places[self.line(again)]
        self._sorted.extend(sorted(heap, key=self.line))

    def line(self, number: int) -> bytes:
        """The bytes of a line without its end."""
        return self._content[self._starts[number] : self._starts[number + 1] - 1]

    def find(self, line: bytes) -> int | None:
        """The number of a line, or None."""
        heap = crc32(line + b"\n") & self._mask
        first, last = self._heaps[heap : heap + 2]
        place = bisect_left(self._sorted, line, first, last, key=self.line)
        found = self._sorted[place] if place < last else None
        return found if found is not None and self.line(found) == line else None

    @cached_property
    def longest(self) -> int:
        """How many bytes the longest line has."""
        return max(map(len, BytesIO(self._content))) - 1

    def __len__(self) -> int:
        return len(self._starts) - 1

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[str, ...]: ...
    def __getitem__(self, place: int | slice) -> str | tuple[str, ...]:
        numbers = range(len(self))[place]
        return tuple(map(self._text, numbers)) if isinstance(numbers, range) else self._text(numbers)

    def _text(self, number: int) -> str:
        return self.line(number).decode()

    def __iter__(self) -> Iterator[str]:
        return (line[:-1].decode() for line in BytesIO(self._content))

    def __contains__(self, line: object) -> bool:
        return isinstance(line, str) and self.find(line.encode("utf-8", "surrogatepass")) is not None
