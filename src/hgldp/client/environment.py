"""Everything outside the process that the client touches, in one place, so that a test can replace any of it."""

import os
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from random import SystemRandom

from hgldp.model.randomness import OSWords, Words
from hgldp.system.clock import Clock, SystemClock
from hgldp.system.durable import sync
from hgldp.system.folder_lock import PRIVATE


class Disk:
    """Every write of the client is made of four steps: `create`, `rename`, `sync_folder` and `unlink`.

    What `write` wrote is durable when it returns, and after a crash it is whole or not there at all.
    """

    def read(self, path: Path, most_bytes: int) -> bytes:
        """A file's bytes; of a file that is too long one byte more than it may have, so that its reader refuses it."""
        with path.open("rb") as file:
            return file.read(most_bytes + 1)

    def create(self, path: Path, data: bytes, *, append: bool = False) -> None:
        """Write bytes to a file and force them down to the medium."""
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
        """Put a file in the place of another in one step."""
        source.replace(target)

    def sync_folder(self, folder: Path) -> None:
        """Force the names in a folder down to the medium; Windows does that by itself."""
        if sys.platform != "win32":
            sync(folder)

    def unlink(self, path: Path) -> None:
        """Remove a file if it is there."""
        path.unlink(missing_ok=True)

    def write(self, path: Path, data: bytes) -> None:
        """Replace a file: after a crash it is the new one or the old one, never half of one."""
        new = path.with_name(path.name + ".new")
        self.create(new, data)
        self.rename(new, path)
        self.sync_folder(path.parent)

    def append(self, path: Path, data: bytes) -> None:
        """Add to the end of a file; a crash may leave half of the addition."""
        fresh = not path.exists()
        self.create(path, data, append=True)
        if fresh:
            self.sync_folder(path.parent)


@dataclass(frozen=True)
class Environment:
    """`words` draw the reports, `entropy` the ids of uploads, and `chance` (0 … 1) blurs the waiting times."""

    clock: Clock = field(default_factory=SystemClock)
    disk: Disk = field(default_factory=Disk)
    words: Words = field(default_factory=OSWords, repr=False)
    entropy: Callable[[int], bytes] = os.urandom
    chance: Callable[[], float] = SystemRandom().random
