"""Uploads on the disk: those that wait for the server, and the list of those that left, for the device's owner."""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from hgldp.client.environment import Disk
from hgldp.errors import MalformedBytes
from hgldp.model.randomness import Words
from hgldp.wire.strict_json import read_json
from hgldp.wire.upload import HEAD, ID_BYTES, MOST_BYTES, Upload

MARK = 16
_NAME = re.compile(r"[0-9]{11}-[0-9a-f]{32}-[0-9a-f]{16}\.upload")


@dataclass(frozen=True, slots=True)
class Waiting:
    """A queued upload. Its file's name says when it was made and what its bytes hash to."""

    name: str

    @classmethod
    def of(cls, upload: bytes, second: int) -> "Waiting":
        """The one of these bytes, made at this second."""
        return cls(f"{second:011d}-{upload[4:20].hex()}-{sha256(upload).hexdigest()[:MARK]}.upload")

    @property
    def second(self) -> int:
        """When it was made, in seconds since 1970."""
        return int(self.name.partition("-")[0])

    @property
    def upload(self) -> str:
        """Its random id."""
        return self.name.split("-")[1]

    def matches(self, data: bytes) -> bool:
        """Whether these are the bytes that were queued."""
        return self.name.rpartition("-")[2] == f"{sha256(data).hexdigest()[:MARK]}.upload"


def packed(symbols: list[int], bulletin: bytes, limit: int, words: Words, entropy: Callable[[int], bytes]) -> bytes:
    """One upload of these symbols, in an order drawn by lot, under a random id."""
    for last in range(len(symbols) - 1, 0, -1):
        other = words.below(last + 1)
        symbols[last], symbols[other] = symbols[other], symbols[last]
    return Upload.of(entropy(ID_BYTES), bulletin, symbols, limit).encode()


class Queue:
    """Randomised uploads, one file each, oldest first, at most `most`. Their bytes never change."""

    def __init__(self, disk: Disk, folder: Path, most: int) -> None:
        self._disk, self._folder, self._most = disk, folder, most
        folder.mkdir(mode=0o700, exist_ok=True)
        for half in folder.glob("*.new"):
            disk.unlink(half)
        names = sorted(path.name for path in folder.iterdir() if _NAME.fullmatch(path.name))
        self._waiting = [Waiting(name) for name in names]

    def __len__(self) -> int:
        return len(self._waiting)

    @property
    def full(self) -> bool:
        """Whether nothing more may be randomised for now."""
        return len(self._waiting) >= self._most

    @property
    def waiting(self) -> tuple[Waiting, ...]:
        """What is to be sent, in this order."""
        return tuple(self._waiting)

    def put(self, upload: bytes, second: int) -> Waiting:
        """Store an upload. It is durable when this returns, and only then may it be sent."""
        one = Waiting.of(upload, second)
        self._disk.write(self._folder / one.name, upload)
        self._waiting.append(one)
        return one

    def read(self, one: Waiting) -> bytes | None:
        """The bytes to send, the same each time; None if the disk lost or changed them."""
        try:
            data = self._disk.read(self._folder / one.name, MOST_BYTES)
            return data if one.matches(data) and Upload.decode(data) else None
        except (FileNotFoundError, MalformedBytes):
            return None

    def postpone(self, one: Waiting) -> None:
        """Move an upload behind all others, so that one the server always turns away blocks none of them."""
        self._waiting.remove(one)
        self._waiting.append(one)

    def remove(self, one: Waiting) -> None:
        """Delete an upload that was delivered or given up."""
        self._waiting.remove(one)
        self._disk.unlink(self._folder / one.name)

    def clear(self) -> None:
        """Delete every upload, and halves of uploads that a crash left."""
        self._waiting.clear()
        for path in self._folder.iterdir():
            self._disk.unlink(path)
        self._disk.sync_folder(self._folder)


@dataclass(frozen=True)
class Sent:
    """One upload that left the device: when it was first sent, and every byte of it.

    >>> one = Sent(0, Upload.of(bytes(16), bytes(32), [7, 300], symbol_limit=400).encode())
    >>> one.reports, one.symbols.hex()
    (2, '0007012c00000000')
    """

    second: int
    body: bytes

    @property
    def upload(self) -> str:
        """Its random id."""
        return Upload.decode(self.body).id.hex()

    @property
    def bulletin(self) -> str:
        """The version of the bulletin that it answers."""
        return Upload.decode(self.body).bulletin.hex()

    @property
    def reports(self) -> int:
        """How many events it reports."""
        return Upload.decode(self.body).count

    @property
    def symbols(self) -> bytes:
        """The randomised symbols, with the zeros that pad them."""
        return self.body[HEAD.size :]


class SentList:
    """The latest uploads that left, and all that left and are still queued; one line of JSON each.

    An upload is listed before it leaves.
    """

    def __init__(self, disk: Disk, path: Path, most: int, queue: Queue) -> None:
        self._disk, self._path, self._most, self._queue = disk, path, most, queue
        data = path.read_bytes() if path.exists() else b""
        self._all = [one for one in map(_read, data.splitlines()) if one is not None]
        self._left_at = {one.upload: one.second for one in self._all}
        self._ends_well = data[-1:] in (b"", b"\n")

    @property
    def latest(self) -> tuple[Sent, ...]:
        """At most `most` uploads, oldest first."""
        return tuple(self._all[-self._most :])

    def left_at(self, upload: str) -> int | None:
        """When an upload that is still queued was first sent; None if it never left."""
        return self._left_at.get(upload)

    def note(self, data: bytes, second: int) -> None:
        """List an upload that is about to leave. A resend is the same upload and is listed once."""
        one = Sent(second, data)
        if one.upload in self._left_at:
            return
        now = [*self._all, one]
        if len(now) > 2 * self._most + len(self._queue) or not self._ends_well:
            queued = {each.upload for each in self._queue.waiting}
            now = [each for each in now[: -self._most] if each.upload in queued] + now[-self._most :]
            self._disk.write(self._path, b"".join(map(_line, now)))
        else:
            self._ends_well = False
            self._disk.append(self._path, _line(one))
        self._all = now
        self._left_at = {each.upload: each.second for each in now}
        self._ends_well = True

    def clear(self) -> None:
        """Delete the list."""
        self._all = []
        self._left_at = {}
        self._ends_well = True
        self._disk.unlink(self._path)
        self._disk.sync_folder(self._path.parent)


def _line(one: Sent) -> bytes:
    return json.dumps({"second": one.second, "body": one.body.hex()}).encode() + b"\n"


def _read(line: bytes) -> Sent | None:
    """None for a line that a crash cut short."""
    try:
        fields: Any = read_json(line)
        one = Sent(int(fields["second"]), bytes.fromhex(fields["body"]))
        Upload.decode(one.body)
    except (ValueError, TypeError, KeyError):
        return None
    return one
