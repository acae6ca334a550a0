"""Every write of the client: durable when it returns, whole or not there at all after a crash."""

import os
import sys
from pathlib import Path

from hgldp.system.folder_lock import PRIVATE


class Disk:
    """Five steps that everything else is made of, so that tests can break each one of them."""

    def create(self, path: Path, data: bytes, *, append: bool = False) -> None:
        """Bytes into a file, and down to the medium."""
        flags = os.O_WRONLY | os.O_CREAT | (os.O_APPEND if append else os.O_TRUNC) | getattr(os, "O_BINARY", 0)
        handle = os.open(path, flags, PRIVATE)
        try:
            left = memoryview(data)
            while left:
                left = left[os.write(handle, left) :]
            os.fsync(handle)
        finally:
            os.close(handle)

    def rename(self, source: Path, target: Path) -> None:
        """Take the place of another file in one step."""
        source.replace(target)

    def sync_folder(self, folder: Path) -> None:
        """Names down to the medium; Windows does so by itself."""
        if sys.platform != "win32":
            handle = os.open(folder, os.O_RDONLY)
            try:
                os.fsync(handle)
            finally:
                os.close(handle)

    def unlink(self, path: Path) -> None:
        """Remove a file if it is there."""
        path.unlink(missing_ok=True)

    def write(self, path: Path, data: bytes) -> None:
        """A whole file or the one before, never a half."""
        new = path.with_name(path.name + ".new")
        self.create(new, data)
        self.rename(new, path)
        self.sync_folder(path.parent)

    def append(self, path: Path, data: bytes) -> None:
        """To the end of a file; a crash may leave half of it."""
        fresh = not path.exists()
        self.create(path, data, append=True)
        if fresh:
            self.sync_folder(path.parent)
