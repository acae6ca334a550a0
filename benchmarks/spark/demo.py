"""`make demo-spark`: a small cluster seals epochs of what simulated people send, and the truth stands beside it.

The people answer the newest bulletin in the folder that the stream writes, so each epoch asks them better questions.
"""

import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from math import ceil
from pathlib import Path

import numpy as np
from pyarrow import parquet

from benchmarks.spark.cluster import Cluster, end_when_told, environment
from hgldp import Randomizer, SeededWords, Task
from hgldp.cli.terminal import legend, open_table, page, progress_bar
from hgldp.cli.terminal import show as show_page
from hgldp.spark import EpochFolder
from hgldp.tallies import SealState
from hgldp.tallies.reports.uploads import table_of
from hgldp.wire.bulletin import read_bulletin
from hgldp.wire.upload import ID_BYTES, Upload

EPOCHS, EPOCH, IN_UPLOAD, UPLOADS = 4, 20_000, 5, 2_500
PRODUCTS = [f"product {number}" for number in range(1, 501)]
TASK = Task("pfr", epsilon=3.0, domain=PRODUCTS, k=10, epoch=EPOCH)
LONGEST, LEAST_FOUND = 600.0, 8
HEADINGS = "rank", "item", "estimate", "±", "true count", "✓"


class People:
    """Each buys something, and reports it randomised. What they really bought never leaves here."""

    def __init__(self, folder: EpochFolder, uploads: Path) -> None:
        self._folder, self._uploads = folder, uploads
        self._random = np.random.default_rng(1)
        self._randomizer = Randomizer(TASK, max_epsilon=3.0, words=SeededWords(1))
        self.truth: Counter[str] = Counter()
        self.files = 0

    def send(self) -> None:
        """One file of uploads, some of which come twice."""
        bulletin = read_bulletin(self._folder.newest_bulletin())
        limit = self._folder.state().symbol_limits[bulletin.version]
        shares = 1 / np.arange(1, len(PRODUCTS) + 1)
        bought = self._random.choice(PRODUCTS, (UPLOADS, IN_UPLOAD), p=shares / shares.sum()).tolist()
        bodies = []
        for basket in bought:
            symbols = [self._randomizer.report(item, bulletin).symbol for item in basket]
            bodies.append(Upload.of(os.urandom(ID_BYTES), bytes.fromhex(bulletin.version), symbols, limit).encode())
            self.truth.update(basket)
        table = table_of([*bodies, *bodies[:50]], {bulletin.version: limit})
        draft = self._uploads / f".{self.files}.draft"
        parquet.write_table(table, draft)
        draft.rename(self._uploads / f"{self.files:06}.parquet")
        self.files += 1


def main() -> int:
    """Exit code 1 if too little of the truth is found."""
    end_when_told()
    with tempfile.TemporaryDirectory(prefix="hgldp-spark-demo-") as made:
        uploads = Path(made) / "uploads"
        uploads.mkdir()
        folder = EpochFolder.create(Path(made) / "epochs", SealState.start(TASK, seed=1))
        print(f"Starting Spark: one master, two workers, a driver. {EPOCHS} epochs of {EPOCH:,} reports.")
        print("A minute and a half on two idle cores, most of it until the first epoch is sealed.", flush=True)
        with Cluster(Path(made) / "cluster") as cluster, (Path(made) / "driver.log").open("wb") as said:
            words = ["follow", cluster.address, str(uploads), str(folder.path), "1"]
            command = [sys.executable, "-m", "benchmarks.spark.driver", *words]
            driver = subprocess.Popen(command, env=environment(Path(made)), stdout=said, stderr=said)
            try:
                people = follow(folder, uploads, driver)
            finally:
                driver.terminate()
                driver.wait()
        return show(folder, people)


def follow(folder: EpochFolder, uploads: Path, driver: "subprocess.Popen[bytes]") -> People:
    """People send a file, and then wait until it is counted, so that they see each bulletin in time."""
    people, began, sealed = People(folder, uploads), time.monotonic(), 0
    with progress_bar("sealing", wanted=True) as advance:
        while (counted := folder.counted()).epoch < EPOCHS:
            seconds = time.monotonic() - began
            if seconds > LONGEST or driver.poll() is not None:
                raise SystemExit(f"The stream must seal {EPOCHS} epochs in {LONGEST:.0f} s; it sealed {counted.epoch}.")
            if counted.epoch > sealed:
                sealed = counted.epoch
                print(f"{seconds:4.0f} s  epoch {sealed - 1} sealed", flush=True)
            if counted.batch + 1 == people.files:
                people.send()
            advance(counted.batch + 1, EPOCHS * ceil(EPOCH / (UPLOADS * IN_UPLOAD)))
            time.sleep(0.05)
    print(f"{time.monotonic() - began:4.0f} s  epoch {EPOCHS - 1} sealed")
    return people


def show(folder: EpochFolder, people: People) -> int:
    """The last result beside the truth."""
    top = folder.result(EPOCHS - 1)["top"]
    best = {item for item, _ in people.truth.most_common(len(top))}
    table = open_table()
    for name in HEADINGS:
        table.add_column(name, justify="left" if name in ("item", "✓") else "right")
    for rank, line in enumerate(top, start=1):
        item = line["item"]
        numbers = f"{line['estimate']:,.0f}", f"{line['standard_error']:,.0f}", f"{people.truth[item]:,}"
        table.add_row(str(rank), item, *numbers, "✓" if item in best else "")
    terms = legend([("±", "one standard error"), ("✓", f"one of the true top {len(top)}")])
    show_page(page(f"Epoch {EPOCHS - 1}, {people.truth.total():,} reports", table, terms))
    found = sum(line["item"] in best for line in top)
    print(f"{found} of the true top {len(top)} found, from {people.truth.total():,} randomised reports")
    return int(found < LEAST_FOUND)


if __name__ == "__main__":
    raise SystemExit(main())
