"""A disk that dies at any step. What was not forced down to the medium may be lost with it."""

import errno
from collections.abc import Callable
from pathlib import Path

from hgldp.client.environment import Disk


class Crash(BaseException):
    """The power is gone: no handler of the program runs on purpose."""


class CrashDisk(Disk):
    """Real files, and a model of the medium in place of fsync.

    `fuse` counts down with every step; below 0 the disk is full or the power fails.
    """

    def __init__(self) -> None:
        self.fuse: int | None = None
        self.power_fails = True
        self._undo: list[tuple[Path, Callable[[], object]]] = []

    def _step(self) -> None:
        if self.fuse is not None:
            self.fuse -= 1
            if self.fuse < 0:
                self.fuse = None
                raise Crash if self.power_fails else OSError(errno.ENOSPC, "full")

    def create(self, path: Path, data: bytes, *, append: bool = False) -> None:
        before = path.read_bytes() if path.exists() else None
        try:
            self._step()
        except (Crash, OSError):
            path.write_bytes((before if append and before else b"") + data[: len(data) // 2])
            raise
        path.write_bytes((before if append and before else b"") + data)
        if before is None:
            self._undo.append((path.parent, lambda: path.unlink(missing_ok=True)))
        self._step()

    def rename(self, source: Path, target: Path) -> None:
        before, new = target.read_bytes() if target.exists() else None, source.read_bytes()
        self._step()
        super().rename(source, target)

        def undo() -> None:
            source.write_bytes(new)
            target.unlink() if before is None else target.write_bytes(before)

        self._undo.append((target.parent, undo))
        self._step()

    def unlink(self, path: Path) -> None:
        before = path.read_bytes() if path.exists() else None
        self._step()
        super().unlink(path)
        if before is not None:
            self._undo.append((path.parent, lambda: path.write_bytes(before)))
        self._step()

    def sync_folder(self, folder: Path) -> None:
        self._step()
        self._undo = [(at, undo) for at, undo in self._undo if at != folder]
        self._step()

    @property
    def unsure(self) -> int:
        """How many steps the medium may not have seen."""
        return len(self._undo)

    def lose(self, steps: int) -> None:
        """The last steps never reached the medium."""
        for _, undo in reversed(self._undo[len(self._undo) - steps :]):
            undo()
        self._undo.clear()
        self.fuse = None
