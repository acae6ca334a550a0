"""Uploads that are already randomised, on the disk until the server has them. Their bytes never change."""

from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from hgldp.client.disk import Disk

MARK = 16


@dataclass(frozen=True, slots=True)
class Waiting:
    """The name of a queued upload says when it was made and what its bytes hash to."""

    name: str

    @property
    def second(self) -> int:
        """When it was made."""
        return int(self.name.partition("-")[0])

    def matches(self, data: bytes) -> bool:
        """Whether the bytes are those that were queued."""
        return self.name.rpartition("-")[2] == f"{sha256(data).hexdigest()[:MARK]}.upload"


class Queue:
    """A folder with one file an upload, oldest first, never more than a bound."""

    def __init__(self, disk: Disk, folder: Path, most: int) -> None:
        self._disk, self._folder, self._most = disk, folder, most
        folder.mkdir(mode=0o700, exist_ok=True)
        for half in folder.glob("*.new"):
            disk.unlink(half)
        self._waiting = sorted((Waiting(path.name) for path in folder.glob("*-*.upload")), key=lambda each: each.name)

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
        """Durable when it returns, and only then may it be sent."""
        one = Waiting(f"{second:011d}-{upload[4:20].hex()}-{sha256(upload).hexdigest()[:MARK]}.upload")
        self._disk.write(self._folder / one.name, upload)
        self._waiting.append(one)
        return one

    def read(self, one: Waiting) -> bytes | None:
        """The bytes to send, the same each time; None if the disk changed them."""
        try:
            data = (self._folder / one.name).read_bytes()
        except FileNotFoundError:
            return None
        return data if one.matches(data) else None

    def postpone(self, one: Waiting) -> None:
        """Behind all others, so that one that is always turned away stops nobody."""
        self._waiting.remove(one)
        self._waiting.append(one)

    def remove(self, one: Waiting) -> None:
        """Done with, either way."""
        self._waiting.remove(one)
        self._disk.unlink(self._folder / one.name)

    def clear(self) -> None:
        """Delete everything."""
        self._waiting.clear()
        for path in self._folder.iterdir():
            self._disk.unlink(path)
        self._disk.sync_folder(self._folder)
