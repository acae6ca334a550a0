"""A collector that takes uploads as fast as it can, is killed now and then, and starts again."""

import os
import resource
import struct
import time
from dataclasses import dataclass, field
from pathlib import Path

from hgldp.collector.collector import Collector
from hgldp.collector.log.schema import FILE
from hgldp.collector.views import TaskTerms, TaskView
from hgldp.model.task import Task
from hgldp.schemes.registry import scheme_of
from hgldp.wire.upload import HEAD, ID_BYTES, MAGIC, PADDED_TO

TASK = Task("pfr", epsilon=4.0, domain=range(1000), k=10)
A_COMMIT = 4_096


@dataclass(frozen=True)
class Moment:
    """What was measured when so many reports had been counted. Commits are those since the moment before."""

    reports: int
    start_seconds: float
    longest_commit: float
    longest_seal: float
    peak_megabytes: float
    disk_megabytes: float
    seconds: float


@dataclass
class Life:
    """`batch` reports in an upload."""

    folder: Path
    batch: int
    moments: list[Moment] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.began = time.monotonic()
        self.collector = Collector.open(self.folder, threaded=False)
        self.task = self.collector.create_task(TASK, TaskTerms("endurance", reports_kept_hours=0)).id
        self._longest = self._longest_seal = 0.0

    @property
    def view(self) -> TaskView:
        found = self.collector.view(self.task)
        if found is None:
            raise LookupError("the task is gone")
        return found

    def take(self, reports: int) -> None:
        """So many more reports."""
        goal = self.view.reports + reports
        uploads = A_COMMIT if self.batch == 1 else 64
        while (view := self.view).reports < goal:
            for body in self._bodies(view, uploads):
                self.collector.offer(view, body)
            began = time.perf_counter()
            self.collector.step()
            took = time.perf_counter() - began
            if self.view.epoch == view.epoch:
                self._longest = max(self._longest, took)
            else:
                self._longest_seal = max(self._longest_seal, took)

    def _bodies(self, view: TaskView, uploads: int) -> list[bytes]:
        limit = scheme_of(TASK).symbol_limit(view.bulletin)
        width = view.formats[bytes.fromhex(view.bulletin.version)].width
        size = HEAD.size + self.batch * width
        padding = bytes(-size % PADDED_TO)
        head = struct.Struct(f">{HEAD.size - len(MAGIC) - ID_BYTES}s").pack(
            bytes.fromhex(view.bulletin.version) + struct.pack(">I", self.batch)
        )
        ids = os.urandom(ID_BYTES * uploads)
        drawn = os.urandom(4 * uploads)
        found = []
        for at in range(uploads):
            first = int.from_bytes(drawn[4 * at : 4 * at + 4], "big") % limit
            symbols = first.to_bytes(width, "big") * self.batch
            found.append(b"".join((MAGIC, ids[ID_BYTES * at : ID_BYTES * at + ID_BYTES], head, symbols, padding)))
        return found

    def kill_and_start(self) -> None:
        """As after SIGKILL: nothing is put down. Measure how long the next start takes."""
        reports = self.view.reports
        self.collector.storage.close()
        self.collector._lock.release()
        began = time.monotonic()
        self.collector = Collector.open(self.folder, threaded=False)
        started = time.monotonic() - began
        if self.view.reports != reports:
            raise AssertionError(f"{reports:,} reports were acknowledged and {self.view.reports:,} are there")
        self._note(started)

    def compact(self) -> None:
        """Delete every report."""
        self.collector.compact(all_reports=True)
        self.collector.close()
        self.collector = Collector.open(self.folder, threaded=False)
        self._note(0.0)

    def _note(self, started: float) -> None:
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000
        disk = sum(each.stat().st_size for each in self.folder.glob(f"{FILE}*")) / 1e6
        moment = Moment(
            self.view.reports, started, self._longest, self._longest_seal, peak, disk, time.monotonic() - self.began
        )
        self.moments.append(moment)
        self._longest = self._longest_seal = 0.0
