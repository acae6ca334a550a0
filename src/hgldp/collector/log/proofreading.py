"""Read the whole log beside a running collector, slowly, and notice what is no longer as it was written.

A start reads only the end of the log, so that it is quick. The rest is read once after it and then once a day: a bit
that a disk has flipped is known long before somebody needs the entry.
"""

import logging
import threading
import time
from itertools import islice

from hgldp.collector.log.entry import start_of_chain
from hgldp.collector.log.storage import Storage, TaskRow
from hgldp.errors import StorageFailed

AT_ONCE, SHARE = 16, 20
AGAIN_SECONDS = 86_400.0
log = logging.getLogger("hgldp.collector")


class Proofreading:
    """`damaged` is how many entries differ or cannot be read, `finished` when the last reading ended (0: not yet).

    It takes a twentieth of the time of one processor, and holds no reading of the database for long.
    """

    def __init__(self, storage: Storage) -> None:
        self._storage = storage
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None
        self.damaged, self.finished = 0, 0.0

    def start(self) -> None:
        """Begin, in a separate thread."""
        self._thread = threading.Thread(target=self._run, name="hgldp-proofreading", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Wait until it has noticed."""
        self._stopping.set()
        if self._thread is not None:
            self._thread.join()

    def _run(self) -> None:
        while not self._stopping.is_set():
            try:
                self.read()
            except StorageFailed as failure:
                self.damaged = max(1, self.damaged)
                log.warning("the log cannot be read through: %s", failure)
            self._stopping.wait(AGAIN_SECONDS)

    def read(self) -> None:
        """All of it, once."""
        end, damaged = self._storage.end().position, 0
        for row in self._storage.tasks():
            damaged += self._read_task(row, end)
            self.damaged = max(self.damaged, damaged)
            if self._stopping.is_set():
                return
        self.damaged, self.finished = damaged, time.time()

    def _read_task(self, row: TaskRow, end: int) -> int:
        position, chain, damaged = 0, start_of_chain(row.id), 0
        while not self._stopping.is_set():
            began, found = time.perf_counter(), 0
            pruned = self._storage.pruned(row.number)
            if pruned is not None and pruned.position > position:
                position, chain = pruned.position, pruned.chain
            for entry in islice(self._storage.entries(row.number, position + 1), AT_ONCE):
                if entry.position > end:
                    break
                if not entry.follows(chain) and not self._is_gone(row.number, position):
                    damaged += 1
                    log.error(
                        "entry %d of task %s is not the one that was written: see hgldp replay",
                        entry.position,
                        row.id.hex(),
                    )
                position, chain, found = entry.position, entry.chain, found + 1
            if found < AT_ONCE:
                break
            self._stopping.wait(SHARE * (time.perf_counter() - began))
        return damaged

    def _is_gone(self, task: int, position: int) -> bool:
        """Whether the entries before the one at hand were deleted meanwhile."""
        pruned = self._storage.pruned(task)
        return pruned is not None and pruned.position > position
