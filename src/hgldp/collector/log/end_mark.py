"""Where the log ends, written beside the database: a database that lost its last commits cannot say so itself.

SQLite reads a write-ahead log up to the first damaged frame and takes what follows for unfinished. Whoever deletes or
damages that file takes acknowledged reports away, and the database looks whole.
"""

import os
import shutil
import struct
import time
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from zlib import crc32

from hgldp.collector.log.schema import FILE as DATABASE
from hgldp.errors import DamagedLog
from hgldp.system.folder_lock import FolderLock

FILE = "collector.end"
_FORM = struct.Struct(">4sQQd32sI")
_MARK = b"hgE1"
WHAT_TO_DO = (
    "Nothing was changed. Restore a backup (hgldp restore), or go on with what is there: hgldp doctor --accept-loss"
)


@dataclass(frozen=True)
class EndMark:
    """The last durable entry, how many reports had been acknowledged by then, and when."""

    position: int
    reports: int
    time: float
    chain: bytes

    def packed(self) -> bytes:
        """With a checksum, so that a torn write is seen."""
        body = _FORM.pack(_MARK, self.position, self.reports, self.time, self.chain, 0)[:-4]
        return body + struct.pack(">I", crc32(body))


class EndMarkFile:
    """Written after each commit and not synced: it may lag behind the database, but never be ahead of it.

    A killed process leaves it as it was written last. After a power cut it may be older, which is harmless.
    """

    def __init__(self, folder: Path) -> None:
        self._place = os.open(folder / FILE, os.O_RDWR | os.O_CREAT, 0o600)

    def write(self, mark: EndMark) -> None:
        """A mark that cannot be written is left out: the commit counts, not the mark."""
        with suppress(OSError):
            os.pwrite(self._place, mark.packed(), 0)

    def close(self) -> None:
        """With the last mark on the disk."""
        if self._place >= 0:
            with suppress(OSError):
                os.fsync(self._place)
            os.close(self._place)
            self._place = -1


def read_end_mark(folder: Path) -> EndMark | None:
    """The mark of a folder; None if there is none, or only a torn one."""
    try:
        data = (folder / FILE).read_bytes()
    except FileNotFoundError:
        return None
    except IsADirectoryError:
        raise DamagedLog(
            f"{folder / FILE} must be a file, but it is a folder: nobody can tell where the log ended. {WHAT_TO_DO}"
        ) from None
    if len(data) != _FORM.size or crc32(data[:-4]) != int.from_bytes(data[-4:], "big"):
        return None
    return EndMark(*_FORM.unpack(data)[1:-1])


def check_end(mark: EndMark | None, position: int, reports: int, chain: bytes | None) -> None:
    """Refuse a database that ends before its mark, or with another entry. `chain` is None if that entry is pruned."""
    if mark is None or mark.position < position:
        return
    if position < mark.position:
        lost = mark.reports - reports
        missing = "1 report that was acknowledged is" if lost == 1 else f"{lost:,} reports that were acknowledged are"
        raise DamagedLog(
            f"the log ends with entry {position:,}, but it had reached entry {mark.position:,}: {missing} missing. "
            f"{WHAT_TO_DO}"
        )
    if chain is not None and chain != mark.chain:
        raise DamagedLog(f"entry {position:,} is not the one that was acknowledged. {WHAT_TO_DO}")


def accept_loss(folder: Path) -> Path:
    """Move the mark into a new folder inside this one, so that the collector starts with what is there.

    The database stays where it is, and the collector goes on with it; the new folder gets a copy of how it was found.
    The collector must not run. Returns the new folder.
    """
    mark = folder / FILE
    if not mark.exists():
        raise DamagedLog(f"no acknowledged report is missing in {folder}. Nothing was changed")
    lock = FolderLock(folder, "collector.lock")
    try:
        aside = _new_folder(folder, f"damaged-{time.strftime('%Y%m%d-%H%M%S', time.gmtime())}")
        for each in (folder / DATABASE, folder / f"{DATABASE}-wal"):
            if each.is_file():
                shutil.copy2(each, aside)
        mark.replace(aside / FILE)
    finally:
        lock.release()
    return aside


def _new_folder(inside: Path, name: str) -> Path:
    """With a number after the name if that is taken."""
    for number in count(1):
        found = inside / (name if number == 1 else f"{name}-{number}")
        with suppress(FileExistsError):
            found.mkdir(mode=0o700)
            break
    return found
