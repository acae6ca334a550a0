"""Which uploads were counted already: a fingerprint of each id, for as long as the upload could come again.

An id becomes 64 bits under the folder's secret key. With sixteen million ids remembered, a new upload is taken for an
old one with a chance of one in 10^12; nobody can aim for it without the key. In return an id takes ten bytes of memory
and eight on disk, a look-up is one probe of one array for each million ids, and nothing is ever merged while uploads
wait. A general store on disk (a log-structured tree) was measured at 51 ms for each commit of 4,096 uploads with seven
million ids; this takes 2 to 3 ms.
"""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from hgldp.collector.log.storage import IdPiece, Transaction
from hgldp.kernels.fingerprints import EMPTY, fingerprints, mark_held, put, slots_of, table_for
from hgldp.wire.upload import ID_BYTES

PIECE, SAVED = 1 << 20, 1 << 17
FULLEST, SMALLEST = 0.8, 1 << 10
NO_EPOCH = -1
Words = NDArray[np.uint64]


class UploadIds:
    """The ids of one task. The newest lie in an open piece that grows; a piece that has a million is closed.

    The oldest closed piece is dropped when the collector needs room, and any piece when no bulletin that its uploads
    answered is accepted any more. `forgotten` is the latest epoch of which ids had to go early: uploads that answer
    its bulletin are refused from then on, unless that bulletin is still in force.
    """

    def __init__(self, task: int, key: bytes) -> None:
        self._task, self._key = task, np.frombuffer(key, "<u8").astype(np.uint64)
        self._closed: list[_Piece] = []
        self._open = _OpenPieces()
        self._next = 1
        self.forgotten = NO_EPOCH

    def __len__(self) -> int:
        return sum(each.count for each in self._closed) + self._open.count

    def known(self, ids: Sequence[bytes]) -> set[bytes]:
        """Those of the ids that were counted."""
        words = self._fingerprints(b"".join(ids))
        held = np.zeros(words.size, np.bool_)
        for table in (self._open.table, *(each.table for each in self._closed)):
            mark_held(table, words, held)
        return {ids[place] for place in np.flatnonzero(held).tolist()} if held.any() else set()

    def add(self, ids: bytes, epoch: int) -> None:
        """Remember ids that are durable, given end to end. Their uploads answered the bulletin of this epoch."""
        self._open.add(self._fingerprints(ids), epoch)

    def _fingerprints(self, ids: bytes) -> Words:
        return fingerprints(np.frombuffer(ids, "<u8").reshape(-1, ID_BYTES // 8), self._key)

    def load(self, pieces: Iterable[IdPiece]) -> None:
        """What was saved, oldest first."""
        parts: list[tuple[int, Words, int]] = []
        for each in pieces:
            if not each.number:
                self.forgotten = each.epoch
                continue
            parts.append((each.number, np.frombuffer(each.data, "<u8").astype(np.uint64), each.epoch))
            self._next = each.number + 1
            if sum(words.size for _, words, _ in parts) >= PIECE:
                numbers, words, epochs = zip(*parts, strict=True)
                self._closed.append(_Piece(_in_order(np.concatenate(words)), list(numbers), max(epochs)))
                parts = []
        for part in parts:
            self._open.add_saved(*part)

    def save(self, changes: Transaction) -> None:
        """Write down what is new. A small piece is joined with the small ones before it: there are never many."""
        for number in self._open.join():
            changes.id_pieces[self._task, number] = None
        if self._open.is_unsaved:
            data, epoch = self._open.number_last(self._next)
            changes.id_pieces[self._task, self._next] = IdPiece(
                self._task, self._next, epoch, data.astype("<u8").tobytes()
            )
            self._next += 1
        if self._open.count >= PIECE:
            self._close()

    def _close(self) -> None:
        if self._open.count:
            self._closed.append(self._open.closed())
            self._open = _OpenPieces()

    def keep_from(self, epoch: int, changes: Transaction) -> None:
        """Drop pieces whose uploads all answered bulletins before that of this epoch: they are refused anyway."""
        while self._closed and self._closed[0].epoch < epoch:
            self._drop(self._closed.pop(0), changes)
        if self._open.count and self._open.epoch < epoch:
            self._drop(self._open.closed(), changes)
            self._open = _OpenPieces()

    def drop_oldest(self, changes: Transaction) -> None:
        """Make room: forget the oldest closed piece. Only saved ids are closed."""
        if not self._closed and not self._open.is_unsaved:
            self._close()
        if self._closed:
            oldest = self._closed.pop(0)
            self._drop(oldest, changes)
            self.forgotten = max(self.forgotten, oldest.epoch)
            changes.id_pieces[self._task, 0] = IdPiece(self._task, 0, self.forgotten, b"")

    def _drop(self, piece: "_Piece", changes: Transaction) -> None:
        for number in piece.numbers:
            changes.id_pieces[self._task, number] = None


class _Piece:
    """Closed: a table that is as full as it may be, and the numbers under which its ids were saved."""

    def __init__(self, words: Words, numbers: list[int], epoch: int) -> None:
        self.table = table_for(max(SMALLEST, int(words.size / FULLEST) + 1))
        put(self.table, words)
        self.count, self.numbers, self.epoch = words.size, numbers, epoch


class _OpenPieces:
    """One table for the newest ids, and the same ids in order of arrival, as they were saved or will be."""

    def __init__(self) -> None:
        self.table = table_for(SMALLEST)
        self.count, self.epoch = 0, NO_EPOCH
        self._parts: list[tuple[int, Words, int]] = []
        self._fresh: list[Words] = []
        self._fresh_epoch = NO_EPOCH

    @property
    def is_unsaved(self) -> bool:
        return bool(self._fresh)

    def add(self, words: Words, epoch: int) -> None:
        self._fresh.append(words)
        self._fresh_epoch = max(self._fresh_epoch, epoch)
        self._put(words, epoch)

    def add_saved(self, number: int, words: Words, epoch: int) -> None:
        self._parts.append((number, words, epoch))
        self._put(words, epoch)

    def _put(self, words: Words, epoch: int) -> None:
        self.count, self.epoch = self.count + words.size, max(self.epoch, epoch)
        if self.count > slots_of(self.table) * FULLEST:
            grown = table_for(2 * self.count)
            put(grown, self._held())
            self.table = grown
        put(self.table, words)

    def join(self) -> list[int]:
        """Take saved parts that are no larger than what is new back among the new; returns their numbers.

        Not beyond `SAVED` ids: a million at once made a commit take a fifth of a second.
        """
        taken = []
        size = sum(each.size for each in self._fresh)
        while size and self._parts and self._parts[-1][1].size <= min(size, SAVED - size):
            number, words, epoch = self._parts.pop()
            self._fresh.insert(0, words)
            self._fresh_epoch = max(self._fresh_epoch, epoch)
            size += words.size
            taken.append(number)
        return taken

    def number_last(self, number: int) -> tuple[Words, int]:
        """The new ids become a saved part."""
        words, epoch = np.concatenate(self._fresh), self._fresh_epoch
        self._parts.append((number, words, epoch))
        self._fresh, self._fresh_epoch = [], NO_EPOCH
        return words, epoch

    def closed(self) -> _Piece:
        """All ids in a table of the right size."""
        return _Piece(self._held(), [number for number, _, _ in self._parts], self.epoch)

    def _held(self) -> Words:
        held: Words = self.table[self.table != EMPTY]
        return held


def _in_order(words: Words) -> Words:
    """As they lie in a table. The table is twice as large as it must be: filling one that is nearly full is slow."""
    table = table_for(2 * words.size)
    put(table, words)
    found: Words = table[table != EMPTY]
    return found
