"""`hgldp tally` over many reports in Parquet: rate, memory, and how it compares with DuckDB's own GROUP BY.

Both read the same files in the same run, each in a process of its own on as many cores, and must write the same bytes.
The reports are those of simulated clients: symbols of real bulletins of pfr, drawn as a Zipf stream would have them.
First each report has a row. Then a tenth of them come in uploads, of which some come twice and must count once.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from pyarrow import parquet
from rich.console import Console
from rich.table import Table

from benchmarks.processes import spread
from hgldp.kernels.frontier import find_cells
from hgldp.model.bulletins import AnyBulletin
from hgldp.model.task import Task
from hgldp.schemes.pfr import PFR
from hgldp.tallies import SealState, Tally, estimate
from hgldp.tallies.reports.layout import REPORTS, UPLOADS
from hgldp.wire.upload import ID_BYTES

ITEMS, EPOCHS, LATE = 100_000, 4, 26
IN_FILE, IN_GROUP = 50_000_000, 1 << 20
IN_UPLOAD, AGAIN = 5, 100
CORES, MOST_BYTES = 2, 1 << 30
TASK = Task("pfr", epsilon=2.0, domain=range(ITEMS), k=10)
DUCKDB = """
import duckdb, sys
rows = sys.argv[3].format(files=sys.argv[1] + "/*.parquet")
duckdb.execute("SET threads = CORES")
duckdb.execute(f"COPY (SELECT bulletin, symbol, count(*) AS count FROM {rows} GROUP BY bulletin, symbol "
    "ORDER BY bulletin, symbol) TO '" + sys.argv[2] + "' (HEADER)")
""".replace("CORES", str(CORES))
EACH = "read_parquet('{files}')"
ONCE = """(SELECT bulletin, unnest(symbols) AS symbol FROM
    (SELECT DISTINCT ON (upload) upload, bulletin, symbols FROM read_parquet('{files}')))"""


Piece = tuple[str, int, int]


@dataclass(frozen=True)
class Measured:
    """One process from its start to its end."""

    seconds: float
    processor: float
    most_bytes: int


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
    """So many reports."""
    places = np.random.default_rng(seed).integers(0, 1 << 16, reports, np.uint16)
    return np.asarray(chances(bulletin)[places])


def write_reports(piece: Piece) -> int:
    """One file: nine reports in ten answer the bulletin in force, the others one of those before it."""
    name, reports, seed = piece
    making = Making(seed)
    with parquet.ParquetWriter(name, REPORTS) as writer:
        for start in range(0, reports, IN_GROUP):
            codes, symbols = making.rows(min(IN_GROUP, reports - start), 1)
            writer.write_batch(pa.record_batch([making.bulletins(codes), pa.array(symbols)], REPORTS))
    return reports


def write_uploads(piece: Piece) -> int:
    """The same in uploads, every hundredth of which comes again."""
    name, reports, seed = piece
    making, most = Making(seed), IN_GROUP // IN_UPLOAD
    with parquet.ParquetWriter(name, UPLOADS) as writer:
        for start in range(0, reports // IN_UPLOAD, most):
            size = min(most, reports // IN_UPLOAD - start)
            codes, symbols = making.rows(size, IN_UPLOAD)
            ids = pa.py_buffer(making.random.bytes(ID_BYTES * size))
            uploads = pa.FixedSizeBinaryArray.from_buffers(pa.binary(ID_BYTES), size, [None, ids])
            starts = pa.array(np.arange(size + 1, dtype=np.int32) * IN_UPLOAD)
            lists = pa.ListArray.from_arrays(starts, pa.array(symbols), type=UPLOADS.types[2])
            batch = pa.record_batch([uploads, making.bulletins(codes), lists], UPLOADS)
            writer.write_table(pa.Table.from_batches([batch, batch.slice(0, size // AGAIN)]))
    return reports


class Making:
    """Draws rows that answer the last few bulletins of a task."""

    def __init__(self, seed: int) -> None:
        bulletins = aged_state().bulletins
        self.random = np.random.default_rng(seed)
        self._tables = np.stack([chances(each) for each in bulletins])
        self._versions = pa.array([each.version for each in bulletins])
        self._late = np.full(256, EPOCHS - 1, np.int32)
        self._late[:LATE] = np.arange(LATE) % (EPOCHS - 1)

    def rows(self, size: int, reports: int) -> tuple[NDArray[np.int32], NDArray[np.uint32]]:
        """Which bulletin each row answers, and the symbols of all rows, so many in each."""
        codes = self._late[self.random.integers(0, 256, size, np.uint8)]
        places = self.random.integers(0, 1 << 16, size * reports, np.uint16)
        return codes, self._tables[np.repeat(codes, reports), places]

    def bulletins(self, codes: NDArray[np.int32]) -> pa.DictionaryArray:
        """The column."""
        return pa.DictionaryArray.from_arrays(pa.array(codes), self._versions)


def measure(command: list[str]) -> Measured:
    """Run it alone; what it prints is dropped."""
    began = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{command[:4]} ended with {process.returncode}")
    return Measured(time.perf_counter() - began, used.ru_utime + used.ru_stime, used.ru_maxrss * 1024)


def main() -> None:
    """Write the reports, count them twice, compare, and clear up."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--reports", type=int, default=1_000_000_000)
    parser.add_argument("--folder", help="where the files go for a while (the system's folder for temporary ones)")
    chosen = parser.parse_args()
    if chosen.reports < 1:
        raise SystemExit(f"--reports must be at least 1, got {chosen.reports}")
    rows = compare(write_reports, chosen.reports, EACH, "a row for each report", chosen.folder)
    uploads = compare(
        write_uploads,
        max(1, chosen.reports // 10 // IN_UPLOAD) * IN_UPLOAD,
        ONCE,
        f"uploads of {IN_UPLOAD}",
        chosen.folder,
    )
    if max(rows, uploads) > MOST_BYTES:
        raise SystemExit("hgldp tally took more than a gibibyte.")


def compare(write: Callable[[Piece], int], reports: int, source: str, how: str, place: str | None) -> int:
    """Files of so many reports, counted by both; the most memory that `hgldp tally` took."""
    with tempfile.TemporaryDirectory(prefix="hgldp-tallies-", dir=place) as made:
        folder = Path(made) / "reports"
        folder.mkdir()
        pieces = [
            (str(folder / f"{seed:04}.parquet"), min(IN_FILE, reports - start), seed)
            for seed, start in enumerate(range(0, reports, IN_FILE))
        ]
        for _ in spread(write, pieces, CORES, f"writing {how}"):
            pass
        size = sum(each.stat().st_size for each in folder.iterdir())
        ours, theirs = Path(made) / "ours.csv", Path(made) / "theirs.csv"
        runs = {"hgldp tally": measure([sys.executable, "-m", "hgldp", "tally", str(folder), "--output", str(ours)])}
        if find_spec("duckdb") is not None:
            runs["DuckDB"] = measure([sys.executable, "-c", DUCKDB, str(folder), str(theirs), source])
            if ours.read_bytes() != theirs.read_bytes():
                raise SystemExit("The two tallies differ.")
        else:
            print("duckdb is not installed: nothing to compare with.")
    show(runs, reports, f"{reports:,} reports in Parquet, {how}, {size / 1e6:,.0f} MB, on {os.cpu_count()} cores")
    return runs["hgldp tally"].most_bytes


def show(runs: dict[str, Measured], reports: int, title: str) -> None:
    """A row for each; the ratio is that of processor time, since other processes may have slowed one of them."""
    table = Table("", "seconds", "M reports/s", "processor s", "ratio", "memory at most")
    most = max(each.processor for each in runs.values())
    for name, each in runs.items():
        rate, ratio = reports / each.seconds / 1e6, most / each.processor
        cells = f"{each.seconds:.1f}", f"{rate:.0f}", f"{each.processor:.1f}", f"{ratio:.2f}"
        table.add_row(name, *cells, f"{each.most_bytes / 1e6:.0f} MB")
    Console().print(title, table)


if __name__ == "__main__":
    main()
