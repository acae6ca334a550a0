"""Files of reports that simulated clients made, a row for each, or in uploads of which some come twice.

The symbols are those of real bulletins of pfr, drawn as a Zipf stream would have them.
"""

from typing import NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from pyarrow import parquet

from hgldp.kernels.frontier import find_cells
from hgldp.model.bulletins import AnyBulletin
from hgldp.model.task import Task
from hgldp.schemes.pfr import PFR
from hgldp.tallies import SealState, Tally, estimate
from hgldp.tallies.reports.layout import REPORTS, UPLOADS
from hgldp.wire.upload import ID_BYTES

ITEMS, EPOCHS, LATE_IN_256 = 100_000, 4, 26
IN_GROUP, IN_UPLOAD, ONE_AGAIN_IN = 1 << 20, 5, 100
TASK = Task("pfr", epsilon=2.0, domain=range(ITEMS), k=10)


class ToWrite(NamedTuple):
    """A file with so many reports."""

    path: str
    reports: int
    seed: int


def aged_state() -> SealState:
    """A task whose last few bulletins are all still answered."""
    state = SealState.start(TASK, seed=1)
    for _ in range(EPOCHS - 1):
        limit = state.symbol_limits[state.bulletin.version]
        counts = np.bincount(drawn(state.bulletin, 200_000, seed=state.bulletin.epoch), minlength=limit)
        state = estimate(state, Tally({state.bulletin.version: counts})).state
    return state


def chances(bulletin: AnyBulletin) -> NDArray[np.uint32]:
    """65,536 symbols, each as often as a Zipf stream's clients would send it, to a rounding: drawing is one look-up."""
    scheme = PFR.of(TASK)
    answered = scheme.checked(bulletin)
    mechanism = scheme.mechanism_over(answered.cells)
    found = np.empty(ITEMS, np.int64)
    find_cells(np.uint64(answered.key), np.uint64(answered.search_cells), np.arange(ITEMS), found)
    found += len(answered.leaves)
    found[list(answered.leaves)] = np.arange(len(answered.leaves))
    cells = np.bincount(found, 1 / np.arange(1, ITEMS + 1), minlength=answered.cells)
    weights = np.full(mechanism.modulus, float(mechanism.scale))
    weights[list(mechanism.members)] = mechanism.truth
    residues = np.arange(mechanism.modulus)
    sums = np.cumsum(weights[(np.arange(cells.size) - residues[:, None]) % mechanism.modulus] @ cells)
    return np.asarray(np.searchsorted(sums, (np.arange(1 << 16) + 0.5) / (1 << 16) * sums[-1]), np.uint32)


def drawn(bulletin: AnyBulletin, reports: int, seed: int) -> NDArray[np.uint32]:
    """The symbols of so many reports."""
    places = np.random.default_rng(seed).integers(0, 1 << 16, reports, np.uint16)
    return np.asarray(chances(bulletin)[places])


def write_reports(file: ToWrite) -> int:
    """One file: nine reports in ten answer the bulletin in force, the others one of those before it."""
    drawing = Drawing(file.seed)
    with parquet.ParquetWriter(file.path, REPORTS) as writer:
        for start in range(0, file.reports, IN_GROUP):
            codes, symbols = drawing.rows(min(IN_GROUP, file.reports - start), 1)
            writer.write_batch(pa.record_batch([drawing.bulletins(codes), pa.array(symbols)], REPORTS))
    return file.reports


def write_uploads(file: ToWrite) -> int:
    """The same in uploads. The first hundredth of each group of rows comes again right after it."""
    drawing, all_in_all, most = Drawing(file.seed), file.reports // IN_UPLOAD, IN_GROUP // IN_UPLOAD
    with parquet.ParquetWriter(file.path, UPLOADS) as writer:
        for start in range(0, all_in_all, most):
            size = min(most, all_in_all - start)
            codes, symbols = drawing.rows(size, IN_UPLOAD)
            ids = pa.py_buffer(drawing.random.bytes(ID_BYTES * size))
            uploads = pa.FixedSizeBinaryArray.from_buffers(pa.binary(ID_BYTES), size, [None, ids])
            starts = pa.array(np.arange(size + 1, dtype=np.int32) * IN_UPLOAD)
            lists = pa.ListArray.from_arrays(starts, pa.array(symbols), type=UPLOADS.types[2])
            batch = pa.record_batch([uploads, drawing.bulletins(codes), lists], UPLOADS)
            writer.write_table(pa.Table.from_batches([batch, batch.slice(0, size // ONE_AGAIN_IN)]))
    return file.reports


class Drawing:
    """Draws rows that answer the last few bulletins of a task."""

    def __init__(self, seed: int) -> None:
        bulletins = aged_state().bulletins
        self.random = np.random.default_rng(seed)
        self._tables = np.stack([chances(each) for each in bulletins])
        self._versions = pa.array([each.version for each in bulletins])
        self._late = np.full(256, EPOCHS - 1, np.int32)
        self._late[:LATE_IN_256] = np.arange(LATE_IN_256) % (EPOCHS - 1)

    def rows(self, size: int, reports: int) -> tuple[NDArray[np.int32], NDArray[np.uint32]]:
        """Which bulletin each row answers, and the symbols of all rows, so many in each."""
        codes = self._late[self.random.integers(0, 256, size, np.uint8)]
        places = self.random.integers(0, 1 << 16, size * reports, np.uint16)
        return codes, self._tables[np.repeat(codes, reports), places]

    def bulletins(self, codes: NDArray[np.int32]) -> pa.DictionaryArray:
        """The column."""
        return pa.DictionaryArray.from_arrays(pa.array(codes), self._versions)
