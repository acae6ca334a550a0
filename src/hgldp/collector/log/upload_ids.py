"""Which uploads were counted already, for as long as their bulletin is accepted."""

import tempfile
from collections.abc import Container, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hgldp.collector.settings import Limits
from hgldp.wire.upload import ID_BYTES

MOST_FILES = 8
Words = NDArray[np.uint64]


class UploadIds:
    """The ids of one task's uploads, a set for each bulletin that is still accepted."""

    def __init__(self, folder: Path | None = None, in_memory: int = Limits.remembered_ids) -> None:
        self._folder, self._most = folder, in_memory
        self._sets: dict[bytes, IdSet] = {}

    def known(self, ids: Sequence[bytes]) -> set[bytes]:
        """Those of the ids that were counted, whichever bulletin they answered."""
        return set().union(*(each.known(ids) for each in self._sets.values()))

    def add(self, bulletin: bytes, ids: Sequence[bytes]) -> None:
        """Remember ids that are durable."""
        if bulletin not in self._sets:
            self._sets[bulletin] = IdSet(self._folder, self._most)
        self._sets[bulletin].add(ids)

    def keep(self, bulletins: Container[bytes]) -> None:
        """Forget the ids of all other bulletins: uploads that answer them are refused anyway."""
        for version in [each for each in self._sets if each not in bulletins]:
            del self._sets[version]


class IdSet:
    """A set of ids: the latest in memory, at most `in_memory` of them and one batch more, the others sorted in files.

    The files have no name and need not survive: a restart reads the ids from the log. Without a folder they lie where
    the system keeps its temporary files.
    """

    def __init__(self, folder: Path | None, in_memory: int) -> None:
        self._folder, self._most = folder, in_memory
        self._recent: set[bytes] = set()
        self._sorted: list[Words] = []

    def __len__(self) -> int:
        return len(self._recent) + sum(int(each.shape[1]) for each in self._sorted)

    def known(self, ids: Sequence[bytes]) -> set[bytes]:
        """Those of the ids that are in the set."""
        found = self._recent.intersection(ids)
        if self._sorted:
            wanted = _words(b"".join(ids))
            for each in self._sorted:
                found.update(ids[place] for place in _places(each, wanted))
        return found

    def add(self, ids: Sequence[bytes]) -> None:
        """Remember ids that are durable."""
        self._recent.update(ids)
        if len(self._recent) > self._most:
            parts = [_words(b"".join(self._recent))]
            if len(self._sorted) == MOST_FILES:
                parts, self._sorted = [*parts, *self._sorted], []
            self._sorted.append(self._written(np.concatenate(parts, axis=1)))
            self._recent = set()

    def _written(self, words: Words) -> Words:
        ordered = words[:, np.lexsort((words[1], words[0]))]
        with tempfile.TemporaryFile(dir=self._folder, prefix="ids-") as file:
            file.write(ordered.tobytes())
            file.flush()
            return np.memmap(file, np.uint64, "r", shape=ordered.shape)


def _words(ids: bytes) -> Words:
    """Two rows: the first and the last 8 bytes of every id, as numbers."""
    pairs: NDArray[Any] = np.frombuffer(ids, ">u8").reshape(-1, ID_BYTES // 8)
    return np.ascontiguousarray(pairs.T.astype(np.uint64))


def _places(ordered: Words, wanted: Words) -> list[int]:
    """Which of the wanted ids a sorted table holds."""
    first, last = (np.searchsorted(ordered[0], wanted[0], side) for side in ("left", "right"))
    found = []
    for place in np.flatnonzero(first < last).tolist():
        low = ordered[1, first[place] : last[place]]
        at = int(np.searchsorted(low, wanted[1, place]))
        if at < low.size and low[at] == wanted[1, place]:
            found.append(place)
    return found
