"""`python -m benchmarks.endurance.seal`: how long uploads of one task wait while the slowest epoch of another ends.

k = 1,000, 4,096 cells, 20 million items. Both tasks live in one collector with its threads, in this process.
"""

import random
import tempfile
import time
from pathlib import Path

from hgldp.collector.collector import Collector
from hgldp.collector.views import TaskTerms, TaskView
from hgldp.collector.writer.pending import PendingUpload
from hgldp.model.task import Task
from hgldp.schemes.registry import scheme_of
from hgldp.wire.upload import Upload

SLOW = Task("pfr", epsilon=4.0, domain=range(20_000_000), k=1_000, cells=4_096)
QUICK = Task("dsr", epsilon=2.0, domain=range(500), k=5)
EPOCHS, A_BATCH, MOST_WAIT, LOOK = 4, 50_000, 0.05, 0.0005


def main() -> int:
    """Exit code 1 if an upload waited longer than 50 ms."""
    with tempfile.TemporaryDirectory() as folder:
        collector = Collector.open(Path(folder))
        slow, quick = (collector.create_task(task, TaskTerms("seal")).id for task in (SLOW, QUICK))
        _settled(collector.offer(_view(collector, quick), _body(_view(collector, quick), 1)))
        waits: list[float] = []
        for _ in range(EPOCHS):
            waits += _one_epoch(collector, slow, quick)
        seals = collector.timings.seal
        collector.close()
    waits.sort()
    print(f"{len(waits):,} uploads of the other task while {EPOCHS} epochs ended, {seals.total / EPOCHS:.2f} s each")
    print(f"waited: median {1e3 * waits[len(waits) // 2]:.1f} ms, longest {1e3 * waits[-1]:.1f} ms")
    return waits[-1] > MOST_WAIT


def _one_epoch(collector: Collector, slow: bytes, quick: bytes) -> list[float]:
    """Fill an epoch, and measure from its last upload until the next bulletin is there."""
    before = _view(collector, slow)
    while (view := _view(collector, slow)).epoch_length - view.in_epoch > A_BATCH:
        _settled(collector.offer(view, _body(view, A_BATCH)))
    last = collector.offer(view, _body(view, A_BATCH))
    waits = []
    while last.outcome is None or _view(collector, slow).epoch == before.epoch:
        here = _view(collector, quick)
        body, began = _body(here, 1), time.perf_counter()
        _settled(collector.offer(here, body))
        waits.append(time.perf_counter() - began)
    return waits


def _view(collector: Collector, task: bytes) -> TaskView:
    found = collector.view(task)
    if found is None:
        raise LookupError("the task is gone")
    return found


def _body(view: TaskView, reports: int) -> bytes:
    limit = scheme_of(view.task).symbol_limit(view.bulletin)
    draw = random.Random()
    symbols = [draw.randrange(limit) for _ in range(min(reports, 1_000))] * max(1, reports // 1_000)
    return Upload.of(draw.randbytes(16), bytes.fromhex(view.bulletin.version), symbols, limit).encode()


def _settled(pending: PendingUpload) -> None:
    while pending.outcome is None:
        time.sleep(LOOK)


if __name__ == "__main__":
    raise SystemExit(main())
