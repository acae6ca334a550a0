"""What the system says about this process and its folder: memory, processor time, open files, bytes on disk."""

import os
import resource
import shutil
from contextlib import suppress
from pathlib import Path

from hgldp.collector.log.backup import last_backup


def process_numbers() -> dict[str, float]:
    """Under the names that Prometheus gives them everywhere. What the system does not tell is left out."""
    times = os.times()
    found: dict[str, float] = {"process_cpu_seconds": round(times.user + times.system, 2)}
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    found["process_max_fds"] = soft
    with suppress(OSError, ValueError, IndexError):
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
        found["process_resident_memory_bytes"] = pages * os.sysconf("SC_PAGE_SIZE")
        found["process_open_fds"] = len(os.listdir("/proc/self/fd"))
    return found


def disk_numbers(folder: Path) -> dict[str, float]:
    """Room for the store, what it takes, and when it was backed up. Files may come and go meanwhile."""
    backed_up = last_backup(folder)
    found: dict[str, float] = {} if backed_up is None else {"last_backup_timestamp_seconds": round(backed_up, 3)}
    with suppress(OSError):
        found["disk_free_bytes"] = shutil.disk_usage(folder).free
    size = 0
    with suppress(OSError), os.scandir(folder) as files:
        for each in files:
            with suppress(OSError):
                size += each.stat(follow_symlinks=False).st_size if each.is_file(follow_symlinks=False) else 0
    return found | {"data_bytes": size}
