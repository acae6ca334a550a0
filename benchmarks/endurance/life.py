"""One life of a collector: it starts, takes uploads as fast as it can, and is killed. `python -m` runs it as a process.

It says how it went in one line of JSON, and ends as after SIGKILL: nothing is put down.
"""

import json
import os
import resource
import struct
import subprocess
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path

from hgldp.collector.collector import Collector
from hgldp.collector.log.schema import FILE
from hgldp.collector.views import TaskTerms, TaskView
from hgldp.model.task import Task
from hgldp.schemes.registry import scheme_of
from hgldp.wire.upload import HEAD, ID_BYTES, MAGIC, padded

TASK = Task("pfr", epsilon=4.0, domain=range(1000), k=10)
A_COMMIT = 4_096
COMPACT = -1
KILLED = 9


@dataclass(frozen=True)
class Moment:
    """What one life was like; `start_seconds` from the creation of the process until uploads are taken."""

    before: int
    reports: int
    start_seconds: float
    longest_commit: float
    longest_seal: float
    peak_megabytes: float
    disk_megabytes: float
    seconds: float


def live(folder: Path, batch: int, reports: int) -> Moment:
    """So many more reports, `batch` in an upload, in a process of its own; with `COMPACT`, no more but a compaction."""
    words = [folder, batch, reports, time.time()]
    child = subprocess.run(
        [sys.executable, "-m", "benchmarks.endurance.life", *map(str, words)], stdout=subprocess.PIPE, check=False
    )
    if child.returncode != KILLED:
        raise AssertionError(f"it ended with {child.returncode}")
    return Moment(**json.loads(child.stdout))


def main() -> None:
    folder, batch, reports, began = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), float(sys.argv[4])
    collector = Collector.open(folder, threaded=False)
    started = time.time() - began
    if not collector.tasks():
        collector.create_task(TASK, TaskTerms("endurance", reports_kept_hours=0))
    before, longest = _view(collector).reports, (0.0, 0.0)
    if reports == COMPACT:
        collector.compact(all_reports=True)
        collector.close()
    else:
        longest = _take(collector, batch, reports)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000
    disk = sum(each.stat().st_size for each in folder.glob(f"{FILE}*")) / 1e6
    found = Moment(before, _view(collector).reports, started, *longest, peak, disk, time.time() - began)
    print(json.dumps(asdict(found)), flush=True)
    os._exit(KILLED)


def _view(collector: Collector) -> TaskView:
    return collector.tasks()[0]


def _take(collector: Collector, batch: int, reports: int) -> tuple[float, float]:
    """The longest commit without the end of an epoch, and the longest with one."""
    goal, longest, seal = _view(collector).reports + reports, 0.0, 0.0
    while (view := _view(collector)).reports < goal:
        for body in _bodies(view, batch):
            collector.offer(view, body)
        began = time.perf_counter()
        collector.step()
        took = time.perf_counter() - began
        if _view(collector).epoch == view.epoch:
            longest = max(longest, took)
        else:
            seal = max(seal, took)
    return longest, seal


def _bodies(view: TaskView, batch: int) -> list[bytes]:
    """As many uploads as one commit takes."""
    uploads = A_COMMIT if batch == 1 else 64
    limit = scheme_of(TASK).symbol_limit(view.bulletin)
    width = view.formats[bytes.fromhex(view.bulletin.version)].width
    used = HEAD.size + batch * width
    padding = bytes(padded(used) - used)
    version = bytes.fromhex(view.bulletin.version) + struct.pack(">I", batch)
    ids, drawn = os.urandom(ID_BYTES * uploads), os.urandom(4 * uploads)
    found = []
    for at in range(uploads):
        first = int.from_bytes(drawn[4 * at : 4 * at + 4], "big") % limit
        symbols = first.to_bytes(width, "big") * batch
        found.append(b"".join((MAGIC, ids[ID_BYTES * at : ID_BYTES * at + ID_BYTES], version, symbols, padding)))
    return found


if __name__ == "__main__":
    main()
