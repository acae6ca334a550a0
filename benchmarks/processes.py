"""Independent pieces of a benchmark in one or two processes, with a bar on standard error."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from typing import TypeVar

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

MOST_PROCESSES = 2
WHAT = 44
Piece = TypeVar("Piece")
Found = TypeVar("Found")


def spread(
    work: Callable[[Piece], Found], pieces: Sequence[Piece], processes: int, title: str
) -> Iterator[tuple[Piece, Found]]:
    """Every piece with what came out, in the order in which they end. A failure ends everything.

    `work` must be a function of a module, and take nothing but its piece: it runs in a fresh process.
    """
    columns = (TextColumn(f"{title[:WHAT]:<{WHAT}}"), BarColumn(), TextColumn("{task.completed}/{task.total}"))
    clocks = TimeElapsedColumn(), TimeRemainingColumn()
    with Progress(*columns, *clocks, console=Console(stderr=True), transient=True) as progress:
        bar = progress.add_task(title, total=len(pieces))
        for found in _one_by_one(work, pieces) if processes == 1 else _at_once(work, pieces, processes):
            progress.advance(bar)
            yield found


def _one_by_one(work: Callable[[Piece], Found], pieces: Sequence[Piece]) -> Iterator[tuple[Piece, Found]]:
    return ((piece, work(piece)) for piece in pieces)


def _at_once(work: Callable[[Piece], Found], pieces: Sequence[Piece], processes: int) -> Iterator[tuple[Piece, Found]]:
    with ProcessPoolExecutor(min(processes, MOST_PROCESSES), mp_context=get_context("spawn")) as pool:
        waiting = {pool.submit(work, piece): piece for piece in pieces}
        try:
            for done in as_completed(waiting):
                yield waiting[done], done.result()
        finally:
            pool.shutdown(cancel_futures=True)
