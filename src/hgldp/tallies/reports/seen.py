"""Which uploads came before: their whole ids, so that none is ever taken for another.

Memory is bounded: if there are too many uploads for one table, the input is read several times, and each time only one
part of all possible ids counts. Which part an id belongs to depends on a secret, so nobody can make one part large.
"""

import os
from collections.abc import Iterator
from math import ceil

import numpy as np
from numpy.typing import NDArray

from hgldp.errors import InvalidField
from hgldp.kernels.fingerprints import fingerprints
from hgldp.kernels.tallies import mark_first

AT_ONCE, MOST_PASSES = 1 << 24, 16
ROOM, SPARE = 1.5, 1 << 12


class SeenUploads:
    """The ids of one part that have come.

    >>> ids = np.array([[1, 2], [3, 4], [1, 2]], np.uint64)
    >>> seen = SeenUploads(uploads=3)
    >>> seen.first(ids).tolist(), seen.first(ids).tolist()
    ([True, True, False], [False, False, False])
    """

    def __init__(self, uploads: int, part: int = 0, parts: int = 1, key: bytes | None = None) -> None:
        self._key = np.frombuffer(os.urandom(16) if key is None else key, "<u8").astype(np.uint64)
        self._part, self._parts = np.uint64(part), np.uint64(parts)
        self._table = np.zeros((int(ROOM * uploads / parts) + SPARE, 2), np.uint64)
        self._room = self._table.shape[0] - 2

    def first(self, ids: NDArray[np.uint64]) -> NDArray[np.bool_]:
        """Which of the ids, two words each, are of this part and come for the first time."""
        found, ids = np.zeros(ids.shape[0], np.bool_), ids.view()
        ids.flags.writeable = False  # as columns of a file are, so that kernels are compiled for these alone
        self._room -= mark_first(ids, fingerprints(ids, self._key), self._part, self._parts, self._table, found)
        if self._room < ids.shape[0] and self._room < SPARE // 2:
            raise InvalidField("uploads", "must not be more than the files said when they were opened", "more")
        return found


class Passes:
    """How often the input is read: each time another part of all ids counts, together every upload once."""

    def __init__(self, uploads: int) -> None:
        self._uploads, self._parts = uploads, max(1, ceil(uploads / AT_ONCE))
        if self._parts > MOST_PASSES:
            rule = (
                f"must be at most {AT_ONCE * MOST_PASSES:,} for one tally, so that none counts twice; make several "
                "tallies, of parts that keep copies together (by bulletin, or by the first byte of the id), or take "
                "each upload once in your engine and give one row a report"
            )
            raise InvalidField("uploads", rule, f"{uploads:,}")

    def __len__(self) -> int:
        return self._parts

    def __iter__(self) -> Iterator[SeenUploads]:
        key = os.urandom(16)
        for part in range(self._parts):
            yield SeenUploads(self._uploads, part, self._parts, key)
