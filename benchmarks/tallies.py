"""`hgldp tally` over many reports in Parquet: rate, memory, and how it compares with DuckDB's own GROUP BY.

Both read the same files in the same run, each in a process of its own on as many cores, and must write the same bytes.
The reports are those of simulated clients: symbols of real bulletins of pfr, drawn as a Zipf stream would have them.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
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
from hgldp.tallies.reports.layout import REPORTS

ITEMS, EPOCHS, LATE = 100_000, 4, 26
IN_FILE, IN_GROUP = 50_000_000, 1 << 20
CORES, MOST_BYTES = 2, 1 << 30
TASK = Task("pfr", epsilon=2.0, domain=range(ITEMS), k=10)
DUCKDB = """
import duckdb, sys
duckdb.execute(f"SET threads = {CORES}")
duckdb.execute(f"COPY (SELECT bulletin, symbol, count(*) AS count FROM read_parquet('{sys.argv[1]}/*.parquet') "
    "GROUP BY bulletin, symbol ORDER BY bulletin, symbol) TO '" + sys.argv[2] + "' (HEADER)")
""".replace("CORES", str(CORES))


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


def write_reports(piece: tuple[str, int, int]) -> int:
    """One file: nine reports in ten answer the bulletin in force, the others one of those before it."""
    name, reports, seed = piece
    state, words = aged_state(), np.random.default_rng(seed)
    tables = np.stack([chances(each) for each in state.bulletins])
    versions = pa.array([each.version for each in state.bulletins])
    late = np.full(256, EPOCHS - 1, np.int32)
    late[:LATE] = np.arange(LATE) % (EPOCHS - 1)
    with parquet.ParquetWriter(name, REPORTS) as writer:
        for start in range(0, reports, IN_GROUP):
            size = min(IN_GROUP, reports - start)
            codes = late[words.integers(0, 256, size, np.uint8)]
            symbols = tables[codes, words.integers(0, 1 << 16, size, np.uint16)]
            column = pa.DictionaryArray.from_arrays(pa.array(codes), versions)
            writer.write_batch(pa.record_batch([column, pa.array(symbols)], REPORTS))
    return reports


def measure(command: list[str]) -> Measured:
    """Run it alone; what it prints is dropped."""
    began = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    if status:
        raise SystemExit(f"{command[:4]} ended with status {status}")
    return Measured(time.perf_counter() - began, used.ru_utime + used.ru_stime, used.ru_maxrss * 1024)


def main() -> None:
    """Write the reports, count them twice, compare, and clear up."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--reports", type=int, default=1_000_000_000)
    parser.add_argument("--folder", help="where the files go for a while (the system's folder for temporary ones)")
    chosen = parser.parse_args()
    if chosen.reports < 1:
        raise SystemExit(f"--reports must be at least 1, got {chosen.reports}")
    with tempfile.TemporaryDirectory(prefix="hgldp-tallies-", dir=chosen.folder) as made:
        folder = Path(made) / "reports"
        folder.mkdir()
        starts = range(0, chosen.reports, IN_FILE)
        pieces = [
            (str(folder / f"{seed:04}.parquet"), min(IN_FILE, chosen.reports - start), seed)
            for seed, start in enumerate(starts)
        ]
        for _ in spread(write_reports, pieces, CORES, "writing reports"):
            pass
        size = sum(each.stat().st_size for each in folder.iterdir())
        ours, theirs = Path(made) / "ours.csv", Path(made) / "theirs.csv"
        runs = {"hgldp tally": measure([sys.executable, "-m", "hgldp", "tally", str(folder), "--output", str(ours)])}
        if find_spec("duckdb") is not None:
            runs["DuckDB, GROUP BY"] = measure([sys.executable, "-c", DUCKDB, str(folder), str(theirs)])
            if ours.read_bytes() != theirs.read_bytes():
                raise SystemExit("The two tallies differ.")
        else:
            print("duckdb is not installed: nothing to compare with.")
    show(runs, chosen.reports, size)
    if runs["hgldp tally"].most_bytes > MOST_BYTES:
        raise SystemExit("hgldp tally took more than a gibibyte.")


def show(runs: dict[str, Measured], reports: int, size: int) -> None:
    """A row for each; the ratio is that of processor time, since other processes may have slowed one of them."""
    table = Table("", "seconds", "M reports/s", "processor s", "ratio", "memory at most")
    most = max(each.processor for each in runs.values())
    for name, each in runs.items():
        rate, ratio = reports / each.seconds / 1e6, most / each.processor
        cells = f"{each.seconds:.1f}", f"{rate:.0f}", f"{each.processor:.1f}", f"{ratio:.2f}"
        table.add_row(name, *cells, f"{each.most_bytes / 1e6:.0f} MB")
    Console().print(f"{reports:,} reports in Parquet, {size / 1e6:,.0f} MB, on {os.cpu_count()} cores", table)


if __name__ == "__main__":
    main()
