"""`make spark`: a stream over 50 million reports on a standalone cluster, while an executor and the driver are killed.

What it sealed must be what one plain process seals, bit for bit. Then the rates, beside that process and DuckDB.
"""

import argparse
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from importlib.util import find_spec
from pathlib import Path

from benchmarks.spark.cluster import Cluster, end_when_told, environment
from benchmarks.spark.made_uploads import BATCHES, EPOCHS, FILES, plain, task_for, write_uploads
from hgldp.cli.terminal import open_table, page, show
from hgldp.spark import EpochFolder
from hgldp.tallies import SealState, Tally, combine

KILLED_EXECUTOR, KILLED_DRIVER, LONGEST = 7, 14, 3_600.0
HEADINGS = "", "seconds", "M reports/s", "ratio to the fastest"
WHICH = """\
One machine: hgldp tally or DuckDB. Spark where the reports lie in its cluster already, are more than one
machine reads in time, or must be sealed as they arrive though machines fail."""
DUCKDB = """
import duckdb, sys
duckdb.execute("SET threads = 2")
duckdb.execute("COPY (SELECT bulletin, symbol, count(*) AS count FROM ("
    "SELECT bulletin, unnest(symbols) AS symbol FROM ("
    f"SELECT DISTINCT ON (upload) upload, bulletin, symbols FROM read_parquet('{sys.argv[1]}/*.parquet'))) "
    f"GROUP BY ALL ORDER BY ALL) TO '{sys.argv[2]}' (HEADER)")
"""
PLAIN = """
import sys
from pathlib import Path
from benchmarks.spark.made_uploads import plain
from hgldp.tallies import SealState
state, sealed = plain(Path(sys.argv[1]), SealState.read(Path(sys.argv[2]).read_bytes()))
Path(sys.argv[3]).write_bytes(state.write())
"""


class Stream:
    """A driver in a group of processes of its own, and when each of its micro-batches ended."""

    def __init__(self, cluster: Cluster, made: Path) -> None:
        self._cluster, self._made = cluster, made
        self.folder = EpochFolder(made / "epochs")
        self.ends: dict[int, float] = {}
        self._driver = self._started()

    def _started(self) -> "subprocess.Popen[bytes]":
        words = ["stream", self._cluster.address, str(self._made / "uploads"), str(self.folder.path), str(FILES)]
        command = [sys.executable, "-m", "benchmarks.spark.driver", *words]
        said = (self._made / "driver.log").open("ab")
        with said:
            return subprocess.Popen(
                command, env=environment(self._made), stdout=said, stderr=said, start_new_session=True
            )

    def wait_for(self, batch: int) -> None:
        """Until a micro-batch was counted, or the stream has ended."""
        until = time.monotonic() + LONGEST
        while time.monotonic() < until:
            last = self.folder.counted().batch
            self.ends.setdefault(last, time.monotonic())
            if last >= batch:
                return
            if self._driver.poll() is not None:
                raise SystemExit(
                    f"The driver ended after micro-batch {last}:\n{(self._made / 'driver.log').read_text()[-3000:]}"
                )
            time.sleep(0.05)
        raise SystemExit("The stream takes too long.")

    def kill_the_driver(self) -> None:
        """Python and Java, with SIGKILL; then another takes over."""
        os.killpg(self._driver.pid, signal.SIGKILL)
        self._driver.wait()
        self._driver = self._started()

    def finish(self) -> None:
        """Wait for its end."""
        if self._driver.wait(120):
            raise SystemExit((self._made / "driver.log").read_text()[-3000:])

    def stop(self) -> None:
        """Whatever it does."""
        if self._driver.poll() is None:
            os.killpg(self._driver.pid, signal.SIGKILL)
            self._driver.wait()


def killed_stream(cluster: Cluster, made: Path) -> list[float]:
    """Run it with both kills; the seconds of the micro-batches that neither kill nor start disturbed."""
    stream, last = Stream(cluster, made), EPOCHS * BATCHES - 1
    try:
        for batch, kill in ((KILLED_EXECUTOR, cluster.kill_an_executor), (KILLED_DRIVER, stream.kill_the_driver)):
            stream.wait_for(batch)
            time.sleep(0.4 * (stream.ends[batch] - stream.ends[batch - 1]))  # in the middle of the next
            print(f"after micro-batch {stream.folder.counted().batch}: {kill.__name__}", flush=True)
            kill()
        stream.wait_for(last)
        stream.finish()
    finally:
        stream.stop()
    calm = set(range(3, last + 1)) - {
        KILLED_EXECUTOR + 1,
        KILLED_EXECUTOR + 2,
        *range(KILLED_DRIVER + 1, KILLED_DRIVER + 4),
    }
    return [
        stream.ends[each] - stream.ends[each - 1] for each in sorted(calm) if {each, each - 1} <= stream.ends.keys()
    ]


def measured(command: list[str], made: Path) -> tuple[float, str]:
    """The seconds of a process from its start to its end, and what it printed."""
    began = time.perf_counter()
    done = subprocess.run(command, env=environment(made), stdout=subprocess.PIPE, check=True, text=True)
    return time.perf_counter() - began, done.stdout


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.spark", description=__doc__)
    parser.add_argument("--reports", type=int, default=50_000_000)
    parser.add_argument("--in-upload", type=int, default=16, help="reports in an upload")
    chosen = parser.parse_args()
    end_when_told()
    with tempfile.TemporaryDirectory(prefix="hgldp-spark-") as folder:
        made = Path(folder)
        (made / "uploads").mkdir()
        expected = write_uploads(made / "uploads", chosen.reports, chosen.in_upload)
        start = SealState.start(task_for(chosen.reports), seed=1)
        (made / "start.state").write_bytes(start.write())
        EpochFolder.create(made / "epochs", start)
        with Cluster(made / "cluster") as cluster:
            batches = killed_stream(cluster, made)
            words = ["batch", cluster.address, str(made / "uploads"), str(made / "spark.csv"), str(FILES)]
            whole, said = measured([sys.executable, "-m", "benchmarks.spark.driver", *words], made)
        check(made, start, expected)
        compare(
            made,
            chosen.reports,
            {
                "Spark, stream": statistics.median(batches) * EPOCHS * BATCHES,
                "Spark, batch": float(said.split()[-1]),
                "Spark, batch, with its start": whole,
            },
        )


def check(made: Path, start: SealState, expected: SealState) -> None:
    """All tallies, and the last state with its bulletins, are those of the clients and of one plain process."""
    folder = EpochFolder(made / "epochs")
    state, sealed = plain(made / "uploads", start)
    if not expected.write() == state.write() == folder.state().write():
        raise SystemExit("The states differ.")
    if [folder.tally(epoch) for epoch in folder.epochs()] != sealed or len(sealed) != EPOCHS:
        raise SystemExit("The tallies differ.")
    if Tally.from_csv((made / "spark.csv").read_bytes()) != combine(sealed):
        raise SystemExit("The tally of all files at once differs.")
    print(f"{len(sealed)} epochs, {combine(sealed).reports:,} reports: every tally exact, the last state bit-identical")


def compare(made: Path, reports: int, seconds: dict[str, float]) -> None:
    """One table. Every line had the same files and the same two cores."""
    paths = [str(made / name) for name in ("uploads", "start.state", "plain.state")]
    seconds["one plain process, sealing"], _ = measured([sys.executable, "-c", PLAIN, *paths], made)
    ours, theirs = str(made / "ours.csv"), str(made / "theirs.csv")
    seconds["hgldp tally"], _ = measured([sys.executable, "-m", "hgldp", "tally", paths[0], "--output", ours], made)
    if find_spec("duckdb") is not None:
        seconds["DuckDB, DISTINCT ON and GROUP BY"], _ = measured(
            [sys.executable, "-c", DUCKDB, paths[0], theirs], made
        )
        if Path(ours).read_bytes() != Path(theirs).read_bytes():
            raise SystemExit("The tallies of DuckDB and hgldp tally differ.")
    table, best = open_table(), min(seconds.values())
    for name in HEADINGS:
        table.add_column(name, justify="right" if name else "left")
    for name, took in seconds.items():
        table.add_row(name, f"{took:.1f}", f"{reports / took / 1e6:.2f}", f"{best / took:.2f}")
    show(page(f"{reports:,} reports, the same files, two cores", table, WHICH))


if __name__ == "__main__":
    main()
