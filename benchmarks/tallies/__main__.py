"""`hgldp tally` over many reports in Parquet: rate, memory, and how it compares with DuckDB's own GROUP BY.

Both read the same files in the same run, each in a process of its own on the same cores, and must write the same bytes.
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

from rich.console import Console
from rich.table import Table

from benchmarks.processes import spread
from benchmarks.tallies.writing import IN_UPLOAD, ToWrite, write_reports, write_uploads

IN_FILE = 50_000_000
CORES, MOST_BYTES = 2, 1 << 30
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


@dataclass(frozen=True)
class Measured:
    """One process from its start to its end."""

    seconds: float
    processor: float
    most_bytes: int


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
    if hasattr(os, "sched_setaffinity"):  # both are to have as many cores, wherever this runs
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:CORES])
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


def compare(write: Callable[[ToWrite], int], reports: int, source: str, how: str, place: str | None) -> int:
    """Files of so many reports, counted by both; the most memory that `hgldp tally` took."""
    with tempfile.TemporaryDirectory(prefix="hgldp-tallies-", dir=place) as made:
        folder = Path(made) / "reports"
        folder.mkdir()
        files = [
            ToWrite(str(folder / f"{seed:04}.parquet"), min(IN_FILE, reports - start), seed)
            for seed, start in enumerate(range(0, reports, IN_FILE))
        ]
        for _ in spread(write, files, CORES, f"writing {how}"):
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
    show(runs, reports, f"{reports:,} reports in Parquet, {how}, {size / 1e6:,.0f} MB, on {CORES} cores")
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
