"""The admin log: which admin did what to which task, and when. It is only ever added to, and it has an end.

One JSON object a line, in `admin-log.jsonl`. A full file becomes `admin-log.1.jsonl`, that one `admin-log.2.jsonl`, and
so on; the oldest goes. No token, key, query, item or address is ever written.
"""

import json
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from errno import ENOSPC
from pathlib import Path

FILE, LOCK = "admin-log.jsonl", "admin-log.lock"
MOST_BYTES, FILES = 1 << 20, 5
BY_HAND = "command line"
LONGEST = 200
NO_LINK = getattr(os, "O_NOFOLLOW", 0)


@dataclass(frozen=True)
class Deed:
    """One thing that was done; `task` is an id, or empty if it was not done to a task."""

    time: str
    who: str
    what: str
    task: str = ""
    detail: str = ""


class AdminLog:
    """Writes to a folder; any process may, at the same time.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     AdminLog(Path(folder), lambda: 0.0).note("anna", "task closed", "4f1c")
    ...     read_admin_log(Path(folder))
    [Deed(time='1970-01-01T00:00:00Z', who='anna', what='task closed', task='4f1c', detail='')]
    """

    def __init__(self, folder: Path, now: Callable[[], float] = time.time) -> None:
        self._folder, self._now = folder, now

    def note(self, who: str, what: str, task: str = "", detail: str = "") -> None:
        """Durable on return; raises OSError if it cannot be written."""
        moment = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(self._now()))
        deed = {"time": moment, "who": who, "what": what, "task": task, "detail": detail[:LONGEST]}
        line = json.dumps({name: value for name, value in deed.items() if value}).encode() + b"\n"
        path = self._folder / FILE
        with _locked(self._folder):
            if path.exists() and path.stat().st_size + len(line) > MOST_BYTES:
                _make_room(self._folder)
            place = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | NO_LINK, 0o600)
            try:
                _append(place, line)
            finally:
                os.close(place)


def _append(place: int, line: bytes) -> None:
    """A line of its own, even after half a line that a crash or a full disk has left."""
    size = os.fstat(place).st_size
    if size and os.pread(place, 1, size - 1) != b"\n":
        line = b"\n" + line
    if os.write(place, line) < len(line):
        raise OSError(ENOSPC, os.strerror(ENOSPC))
    os.fsync(place)


def read_admin_log(folder: Path) -> list[Deed]:
    """All there is, the oldest first. Half a line, after a crash, is left out."""
    found = []
    for number in reversed(range(FILES)):
        with suppress(FileNotFoundError):
            for line in _file(folder, number).read_text(encoding="utf-8", errors="replace").splitlines():
                with suppress(ValueError, TypeError):
                    found.append(Deed(**json.loads(line)))
    return found


def _file(folder: Path, number: int) -> Path:
    return folder / (f"admin-log.{number}.jsonl" if number else FILE)


def _make_room(folder: Path) -> None:
    for number in reversed(range(FILES - 1)):
        with suppress(FileNotFoundError):
            _file(folder, number).replace(_file(folder, number + 1))


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """One writer at a time, so that two do not make room at once. The system ends the lock with the process."""
    place = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT | NO_LINK, 0o600)
    try:
        with suppress(ImportError):
            import fcntl  # noqa: PLC0415 - not on every system

            fcntl.flock(place, fcntl.LOCK_EX)
        yield
    finally:
        os.close(place)
