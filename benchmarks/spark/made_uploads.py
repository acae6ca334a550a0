"""Uploads of five epochs in Parquet, and what one plain process makes of them.

A twenty-fifth of the reports answer an earlier bulletin, and every hundredth upload is sent again. Two files are one
micro-batch, so that both sides end an epoch after the same uploads: the next bulletin depends on that.
"""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from pyarrow import parquet

from benchmarks.tallies.writing import ITEMS, chances
from hgldp.model.task import Task
from hgldp.tallies import Accumulator, SealState, Tally, estimate
from hgldp.tallies.reports.layout import UPLOADS, uploads_of
from hgldp.tallies.reports.seen import SeenUploads
from hgldp.wire.upload import ID_BYTES

EPOCHS, BATCHES, FILES = 5, 5, 2
LATE, AGAIN = 25, 100
Ids = NDArray[np.uint8]


def task_for(reports: int) -> Task:
    """An epoch ends with its fifth micro-batch."""
    return Task("pfr", epsilon=2.0, domain=range(ITEMS), k=10, epoch=int(reports / EPOCHS * (1 - 1 / LATE) * 0.95))


def write_uploads(folder: Path, reports: int, in_upload: int) -> SealState:
    """The files, in the order of their times, and the state after the last seal."""
    state, random = SealState.start(task_for(reports), seed=1), np.random.default_rng(1)
    size = reports // (EPOCHS * BATCHES * FILES * in_upload)
    before: pa.Table | None = None
    number, drawn = 0, []
    for _ in range(EPOCHS):
        drawn.append(chances(state.bulletin))
        tables, counted = np.stack(drawn), Tally()
        versions = [each.version for each in state.bulletins]
        for _ in range(BATCHES * FILES):
            codes = np.where(
                random.integers(0, LATE, size) > 0, len(versions) - 1, random.integers(0, len(versions), size)
            )
            places = random.integers(0, 1 << 16, (size, in_upload), np.uint16)
            symbols = tables[codes[:, None], places]
            table = _table(random.bytes(ID_BYTES * size), codes, symbols, versions)
            again = [table, before.slice(0, size // AGAIN)] if before is not None else [table]
            counting = Accumulator()
            counting.add(versions, np.repeat(codes, in_upload), symbols.ravel())
            counted += counting.tally()
            _write(again, folder, number)
            before, number = table, number + 1
        state = estimate(state, counted).state
    return state


def _table(ids: bytes, codes: NDArray[np.int64], symbols: NDArray[np.uint32], versions: Sequence[str]) -> pa.Table:
    uploads, in_upload = symbols.shape
    starts = pa.array(np.arange(uploads + 1, dtype=np.int32) * in_upload)
    fixed = pa.FixedSizeBinaryArray.from_buffers(pa.binary(ID_BYTES), uploads, [None, pa.py_buffer(ids)])
    bulletins = pa.DictionaryArray.from_arrays(pa.array(codes.astype(np.int32)), pa.array(versions))
    lists = pa.ListArray.from_arrays(starts, pa.array(symbols.ravel()), type=UPLOADS.types[2])
    return pa.Table.from_arrays([fixed, bulletins, lists], schema=UPLOADS)


def _write(tables: Sequence[pa.Table], folder: Path, number: int) -> None:
    path = folder / f"{number:04}.parquet"
    parquet.write_table(pa.concat_tables(tables).unify_dictionaries(), path)
    os.utime(path, (1_000 * number, 1_000 * number))


def plain(folder: Path, state: SealState) -> tuple[SealState, list[Tally]]:
    """One process, file by file: every upload once, and the epoch ends when it is full after a micro-batch."""
    files = sorted(folder.glob("*.parquet"))
    seen = SeenUploads(sum(parquet.read_metadata(each).num_rows for each in files))
    sealed, counting = [], Accumulator()
    for number, file in enumerate(files, start=1):
        for batch in _batches(file):
            uploads = uploads_of(batch)
            counting.add(*uploads.only(seen.first(uploads.ids)))
        if number % FILES == 0 and counting.tally().answering(state.bulletin.version) >= state.epoch_length:
            sealed.append(counting.tally())
            state, counting = estimate(state, sealed[-1]).state, Accumulator()
    return state, sealed


def _batches(file: Path) -> Iterator[pa.RecordBatch]:
    with parquet.ParquetFile(file, read_dictionary=["bulletin"]) as opened:
        yield from opened.iter_batches(1 << 18)
