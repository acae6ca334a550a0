"""Before a collector starts, another process compiles what it runs: a compiler cannot be stopped, but a process can.

It leaves the machine code in a folder, from which the collector loads it. If no folder can keep it, a temporary one
does while the collector runs. If there is none either, the collector compiles as it goes, and its log says so.
"""

import logging
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from shutil import rmtree
from typing import Any

from hgldp.collector.http.monitoring.logs import log
from hgldp.errors import HgldpError
from hgldp.kernels.compile import code_folder
from hgldp.system.code_folder import COMPLETE, VARIABLE, keep_for_now
from hgldp.system.folder_lock import FolderLock

CHILD = "hgldp.collector.rehearsal"
PREFIX, LOCK = "hgldp-compiling-", "lock"
STEPS, PAUSE_SECONDS = 14, 0.05
NEEDED = (VARIABLE, "PATH", "HOME", "XDG_CACHE_HOME", "LD_LIBRARY_PATH", "TMPDIR", "TZ", "LANG", "LC_ALL")
OF_PYTHON = ("PYTHON", "NUMBA_")
Progress = Callable[[int, int], None]


@contextmanager
def some_code_folder() -> Iterator[None]:
    """Keep machine code in a temporary folder while the block lasts, if no other folder can keep it."""
    with ExitStack() as ending:
        if code_folder() is None:
            with suppress(OSError):
                _remove_left(Path(tempfile.gettempdir()))
                folder = ending.enter_context(_temporary_folder(None))
                keep_for_now(folder)
                code_folder.cache_clear()
                ending.callback(code_folder.cache_clear)
                ending.callback(keep_for_now, None)
        yield


def compile_apart(progress: Progress, start: Callable[[Path], Any] | None = None) -> None:
    """Fill the folder for machine code, unless it is complete. What `progress` raises ends the other process."""
    found = code_folder()
    if found is None:
        log("no folder can keep machine code: this process compiles, and cannot stop meanwhile", logging.WARNING)
        return
    folder = Path(found)
    _remove_left(folder)
    if (folder / COMPLETE).exists():
        return
    log("compiling")
    try:
        with _temporary_folder(folder) as temporary:
            code = _followed((start or _start)(temporary / "data"), progress)
    except OSError:
        code = -1
    if code != 0:
        log(
            "compiling failed in a process of its own: this process compiles, and cannot stop meanwhile",
            logging.WARNING,
        )


@contextmanager
def _temporary_folder(parent: Path | None) -> Iterator[Path]:
    """The folder stays locked while it is in use. The other process may have just been killed: gone is no failure."""
    with tempfile.TemporaryDirectory(prefix=PREFIX, dir=parent, ignore_cleanup_errors=True) as name, ExitStack() as end:
        folder = Path(name)
        with suppress(HgldpError):  # without locks, no other process removes it either
            end.callback(FolderLock(folder, LOCK).release)
        yield folder


def _remove_left(parent: Path) -> None:
    """A folder that a killed process left is no longer locked, and goes."""
    for left in parent.glob(f"{PREFIX}*"):
        with suppress(HgldpError, OSError):
            if (left / LOCK).exists() and (not hasattr(os, "geteuid") or left.lstat().st_uid == os.geteuid()):
                FolderLock(left, LOCK).release()
                rmtree(left, ignore_errors=True)


def _followed(process: Any, progress: Progress) -> int:
    """Wait until it has ended, by itself or because `progress` raised. It writes a byte for each step."""
    done = 0
    try:
        while True:
            done += len(process.stdout.read(STEPS) or b"")
            progress(min(done, STEPS), STEPS)
            with suppress(subprocess.TimeoutExpired):
                return int(process.wait(PAUSE_SECONDS))
    finally:
        process.kill()
        process.wait()
        process.stdin.close()
        process.stdout.close()


def _start(data: Path) -> "subprocess.Popen[bytes]":
    """In a session of its own, so that Ctrl-C in a terminal is for the collector alone."""
    words = [sys.executable, "-P", "-m", CHILD, str(data)]
    process = subprocess.Popen(
        words, bufsize=0, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        env=environment_of_child(), start_new_session=True,
    )  # fmt: skip
    if process.stdout is not None:
        os.set_blocking(process.stdout.fileno(), False)
    return process


def environment_of_child() -> dict[str, str]:
    """What Python and Numba go by, and none of the collector's secrets.

    They include the folder of our machine code, so that another process need not compile it again.
    """
    known = {name: value for name, value in os.environ.items() if name in NEEDED or name.startswith(OF_PYTHON)}
    folder = code_folder()
    return known if folder is None else {**known, VARIABLE: str(Path(folder).parent)}
