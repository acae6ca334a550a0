"""One process to a folder. The system releases the lock when the process ends, however it ends."""

import os
import sys
from pathlib import Path

from hgldp.errors import FolderInUse, FolderLost, InvalidField

PRIVATE = 0o600


class FolderLock:
    """Held from construction to `release`.

    The folder itself is locked where the system can do that, so nothing changes when files in it are removed. The file
    is locked too: some systems lock no folders (Windows, NFS), and 0.1.0 locks nothing else. What no lock can see is a
    folder that was moved away while another took its place; `verify` sees it.
    """

    def __init__(self, folder: Path, file: str = "lock") -> None:
        folder = folder.absolute()
        self._process = os.getpid()
        self._handles: list[int] = []
        self._locked: tuple[Path, int] = (folder, -1)
        try:
            self._lock_folder(folder)
            self._lock_file(folder, folder / file)
            self.verify()
        except FolderLost:
            self.release()
            raise FolderInUse(folder) from None
        except BaseException:
            self.release()
            raise

    def verify(self) -> None:
        """Raise `FolderLost` unless this process still holds what is found at the path.

        Spend only between two of these, and draw after the second: whoever takes the place afterwards finds what was
        spent, and whoever took it before is noticed.
        """
        path, handle = self._locked
        try:
            there, ours = path.stat(), os.fstat(handle)
        except OSError:
            raise FolderLost from None
        if (there.st_dev, there.st_ino) != (ours.st_dev, ours.st_ino) or os.getpid() != self._process:
            raise FolderLost

    def release(self) -> None:
        """Close the files, and do no more: a forked child that calls this leaves its parent the lock."""
        handles, self._handles, self._locked = self._handles, [], (self._locked[0], -1)
        for handle in handles:
            os.close(handle)

    def _lock_folder(self, folder: Path) -> None:
        if sys.platform == "win32":  # it opens no folders, and lets nobody remove a file that is open
            return
        handle = self._opened(folder, os.O_RDONLY)
        try:
            free = _lock(handle)
        except OSError:
            return
        if not free:
            raise FolderInUse(folder)
        self._locked = folder, handle

    def _lock_file(self, folder: Path, path: Path) -> None:
        handle = self._opened(path, os.O_RDWR | os.O_CREAT)
        try:
            if not _lock(handle):
                raise FolderInUse(folder)
            works = not _lock(self._opened(path, os.O_RDWR))  # a second lock on the same file must fail
        except OSError:
            works = False
        if not works:
            raise InvalidField("folder", "must be on a file system whose locks work", folder)
        if self._locked[1] < 0:
            self._locked = path, handle

    def _opened(self, path: Path, flags: int) -> int:
        handle = os.open(path, flags | getattr(os, "O_CLOEXEC", 0), PRIVATE)
        self._handles.append(handle)
        return handle


def _lock(handle: int) -> bool:
    """Whether nobody else has the lock; an OSError if there are no locks here."""
    if sys.platform == "win32":
        import msvcrt  # noqa: PLC0415

        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
    else:
        import fcntl  # noqa: PLC0415

        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
    return True
