"""What left the device, for its owner to read: written down before it leaves. The item was never in it."""

import json
from dataclasses import dataclass
from pathlib import Path

from hgldp.client.disk import Disk
from hgldp.wire.upload import HEAD, Upload


@dataclass(frozen=True)
class Sent:
    """One upload: when it was first sent, and every byte of it.

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
    """The latest uploads, one line of JSON each."""

    def __init__(self, disk: Disk, path: Path, most: int) -> None:
        self._disk, self._path, self._most = disk, path, most
        data = path.read_bytes() if path.exists() else b""
        self._all = [one for one in map(_read, data.splitlines()) if one is not None]
        self._known = {one.upload for one in self._all}
        self._whole = data[-1:] in (b"", b"\n")

    @property
    def latest(self) -> tuple[Sent, ...]:
        """Oldest first."""
        return tuple(self._all[-self._most :])

    def note(self, data: bytes, second: int) -> None:
        """An upload is about to leave. A resend is the same upload and is listed once."""
        one = Sent(second, data)
        if one.upload in self._known:
            return
        now = [*self._all, one]
        if len(now) > 2 * self._most or not self._whole:
            now = now[-self._most :]
            self._disk.write(self._path, b"".join(map(_line, now)))
        else:
            self._whole = False
            self._disk.append(self._path, _line(one))
        self._all, self._known, self._whole = now, {each.upload for each in now}, True

    def clear(self) -> None:
        """Delete the list."""
        self._all, self._known, self._whole = [], set(), True
        self._disk.unlink(self._path)
        self._disk.sync_folder(self._path.parent)


def _line(one: Sent) -> bytes:
    return json.dumps({"second": one.second, "body": one.body.hex()}).encode() + b"\n"


def _read(line: bytes) -> Sent | None:
    """A line that a crash cut short is left out."""
    try:
        fields = json.loads(line)
        one = Sent(int(fields["second"]), bytes.fromhex(fields["body"]))
        Upload.decode(one.body)
    except (ValueError, TypeError, KeyError):
        return None
    return one
