"""One process to a folder. The system releases the lock when the process ends, however it ends."""

import os
import sys
from pathlib import Path

from hgldp.errors import FolderInUse

PRIVATE = 0o600


class FolderLock:
    """Held from construction to `release`."""

    def __init__(self, folder: Path, file: str = "lock") -> None:
        flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0)
        self._handle = os.open(folder / file, flags, PRIVATE)
        try:
            if sys.platform == "win32":
                import msvcrt  # noqa: PLC0415

                msvcrt.locking(self._handle, msvcrt.LK_NBLCK, 1)
            else:
                import fcntl  # noqa: PLC0415

                fcntl.flock(self._handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(self._handle)
            raise FolderInUse(folder) from None

    def release(self) -> None:
        """Close the file, and do no more: a forked child that calls this leaves its parent the lock."""
        if self._handle >= 0:
            os.close(self._handle)
            self._handle = -1
