"""From files of reports to one tally, in bounded memory: several threads where each row is a report of its own."""

import os
import threading
from collections import Counter, deque
from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hgldp.errors import InvalidField
from hgldp.tallies.accumulate import Accumulator
from hgldp.tallies.reports.files import Piece, pieces_of
from hgldp.tallies.reports.layout import UPLOADS, columns_of, uploads_of
from hgldp.tallies.reports.refusals import naming
from hgldp.tallies.reports.seen import Passes
from hgldp.tallies.tally import Tally, combine

MOST_THREADS, ROW_OF_CSV = 4, 70
Advance = Callable[[int, int], None]


@dataclass(frozen=True)
class Counted:
    """A tally, and what is not in it: reports of other bulletins, and uploads that came again.

    `others` has the reports of other bulletins by bulletin, but of very many bulletins only the first.
    """

    tally: Tally
    left_out: int = 0
    others: Counter[str] = field(default_factory=Counter)
    repeated: int = 0


def count_files(files: Sequence[Path], only: Collection[str] | None = None, advance: Advance | None = None) -> Counted:
    """Accumulate all reports of some files; with `only`, those that answer one of these bulletins.

    `advance` is told how many bytes are read, of how many.
    """
    pieces = [piece for path in files for piece in pieces_of(path)]
    kinds = {each.layout is UPLOADS for each in pieces}
    if len(kinds) > 1:
        raise InvalidField("reports", "must all have one row a report, or all one row an upload", "files of both kinds")
    count = _count_uploads if kinds == {True} else _count_reports
    return count(pieces, only, advance or (lambda *_: None))


def _count_reports(pieces: list[Piece], only: Collection[str] | None, advance: Advance) -> Counted:
    """Every thread counts into a table of its own; which piece goes to which does not matter."""
    waiting, told, ended = deque(pieces), _Told(pieces, advance), threading.Event()

    def work() -> Accumulator:
        counting = Accumulator(only)
        try:
            while (piece := _next(waiting)) is not None:
                for batch in piece.batches():
                    if ended.is_set():
                        return counting
                    with naming(piece.name):
                        counting.add(*columns_of(batch))
                    told.about(piece, batch.num_rows)
        except BaseException:
            ended.set()
            raise
        return counting

    threads = min(MOST_THREADS, os.cpu_count() or 1, max(1, len(pieces)))
    with ThreadPoolExecutor(threads) as pool:
        working = [pool.submit(work) for _ in range(threads)]
        try:
            done = [each.result() for each in working]
        finally:
            ended.set()
    left_out, others = sum(each.left_out for each in done), sum((each.others for each in done), Counter[str]())
    return Counted(combine(each.tally() for each in done), left_out, others)


def _count_uploads(pieces: list[Piece], only: Collection[str] | None, advance: Advance) -> Counted:
    """In order: of several uploads with one id the first counts. Another thread reads ahead."""
    counting, rows, taken = Accumulator(only), sum(piece.rows for piece in pieces), 0
    each_part = Passes(rows)
    told = _Told(pieces * len(each_part), advance)
    for seen in each_part:
        for piece, batch in _read_ahead(pieces):
            with naming(piece.name):
                uploads = uploads_of(batch)
                first = seen.first(uploads.ids)
                taken += int(first.sum())
                counting.add(*uploads.only(first))
            told.about(piece, batch.num_rows)
    return Counted(counting.tally(), counting.left_out, counting.others, rows - taken)


def _next(waiting: deque[Piece]) -> Piece | None:
    try:
        return waiting.popleft()
    except IndexError:
        return None


def _read_ahead(pieces: Sequence[Piece]) -> Iterator[tuple[Piece, Any]]:
    batches = ((piece, batch) for piece in pieces for batch in piece.batches())
    with ThreadPoolExecutor(1) as reader:
        coming = reader.submit(next, batches, None)
        while (found := coming.result()) is not None:
            coming = reader.submit(next, batches, None)
            yield found


class _Told:
    """How far the work is, in bytes of the files. Of a CSV file nobody knows how many rows it has."""

    def __init__(self, pieces: Sequence[Piece], advance: Advance) -> None:
        self._total, self._done = sum(each.weight for each in pieces), 0.0
        self._advance, self._lock = advance, threading.Lock()

    def about(self, piece: Piece, rows: int) -> None:
        """So many rows of a piece were counted."""
        with self._lock:
            self._done += piece.weight * rows / piece.rows if piece.rows else rows * ROW_OF_CSV
            self._advance(int(min(self._done, self._total)), int(self._total))
