"""What one sealer and one follower can do when nobody waits for them: each is one process, so this is where it ends."""

import os
import time
from dataclasses import dataclass

import numpy as np

from benchmarks.load.server import EPOCH
from hgldp.collector.collector import Collector
from hgldp.collector.log.postgres.database import Database
from hgldp.collector.log.postgres.inbox import Arrivals, Inbox
from hgldp.collector.views import TaskTerms, TaskView
from hgldp.model.budget import Budget
from hgldp.model.domain import RangeDomain
from hgldp.model.task import Task

ROUNDS, COMMITS, REPORTS_AT_ONCE = 6, 40, 1 << 15
MOST_IN_COMMIT = 64


@dataclass(frozen=True)
class Pace:
    """Microseconds for an upload. `sealing` is the time in which it goes from the inbox into the log, waiting included.

    `following` is a follower's own processor time, and `reading` what it waits for the database besides.
    """

    sealing: float
    following: float
    reading: float


def pace(reports: int, url: str) -> Pace:
    """Fill the inbox as busy collectors do, then let the sealer empty it and a follower catch up; by turns.

    The first round, in which machine code is compiled, does not count.
    """
    sealer = Collector.join(url, threaded=False)
    sealer.step()
    task = Task("pfr", Budget(2.0), RangeDomain(10_000), k=20, epoch=EPOCH)
    made = sealer.create_task(task, TaskTerms("scale"))
    follower, inbox = Collector.join(url, threaded=False), Inbox(Database(url))
    in_commit = max(1, min(MOST_IN_COMMIT, REPORTS_AT_ONCE // reports))
    spent, own = {sealer: 0.0, follower: 0.0}, 0.0
    try:
        for counts in range(ROUNDS + 1):
            view = _now(sealer, made.id)
            for _ in range(COMMITS):
                inbox.put([_arrivals(view, in_commit, reports)])
            for each in spent:
                began, busy = time.perf_counter(), time.process_time()
                each.step()
                spent[each] += (time.perf_counter() - began) * (counts > 0)
                own += (time.process_time() - busy) * (counts > 0 and each is follower)
        expected = (ROUNDS + 1) * COMMITS * in_commit * reports
        if {_now(each, made.id).reports for each in spent} != {expected}:
            raise SystemExit(f"Not all {expected:,} reports were counted.")
    finally:
        follower.close()
        sealer.close()
    uploads = ROUNDS * COMMITS * in_commit
    sealing, following, reading = spent[sealer], own, max(0.0, spent[follower] - own)
    return Pace(1e6 * sealing / uploads, 1e6 * following / uploads, 1e6 * reading / uploads)


def _now(collector: Collector, task: bytes) -> TaskView:
    found = collector.view(task)
    if found is None:
        raise SystemExit("The task is gone.")
    return found


def _arrivals(view: TaskView, uploads: int, reports: int) -> Arrivals:
    limit = view.bulletin_cells
    drawn = np.random.default_rng(uploads).integers(0, limit, (uploads, reports)).astype(">u2")
    ids, symbols = [os.urandom(16) for _ in range(uploads)], [each.tobytes() for each in drawn]
    version = bytes.fromhex(view.bulletin.version)
    return Arrivals(view.number, view.epoch, version, ids, [reports] * uploads, symbols)
