"""One server to a data folder. The lock goes away with its process, however that ends."""

import fcntl
import os
from pathlib import Path

from hgldp.errors import FolderInUse

FILE = "collector.lock"


class FolderLock:
    """Held from construction to `release`."""

    def __init__(self, folder: Path) -> None:
        self._file = os.open(folder / FILE, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(self._file)
            raise FolderInUse(folder) from None

    def release(self) -> None:
        """Let another server have the folder."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1
