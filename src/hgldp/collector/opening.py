"""A folder that a collector opens: locked, recovered, and with its writer; or as it was, and an error."""

from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

from hgldp.collector.log.recovery import Progress
from hgldp.collector.log.restore import refuse_half_restored
from hgldp.collector.log.storage import Storage
from hgldp.collector.log.takeover.take_over import take_over
from hgldp.collector.settings import Limits
from hgldp.collector.writer import WriterThread
from hgldp.system.clock import Clock
from hgldp.system.folder_lock import FolderLock


def opened(
    folder: Path,
    clock: Clock,
    limits: Limits,
    entropy: Callable[[int], bytes],
    storage: Callable[[Path, int], Storage],
    progress: Progress | None,
) -> tuple[FolderLock, Storage, WriterThread]:
    """The lock, the store, and the writer, which has not started yet."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    with ExitStack() as failing:
        lock = FolderLock(folder, "collector.lock")
        failing.callback(lock.release)
        refuse_half_restored(folder)
        if progress is not None:
            progress(0, 1)
        store = storage(folder, limits.busy_milliseconds)
        failing.callback(store.close)
        take_over(store, entropy, progress)
        writer = WriterThread(store, clock, limits, progress)
        failing.pop_all()
    return lock, store, writer
