"""The bulletin that events are randomised against: renewed on a timer, never because an event happened."""

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hgldp.client.disk import Disk
from hgldp.client.refusals import Unreachable, Untrusted
from hgldp.client.transport import Transport
from hgldp.errors import HgldpError
from hgldp.model.bulletins import AnyBulletin
from hgldp.schemes.base import Scheme
from hgldp.wire.bulletin import MOST_BYTES, read_bulletin

MOST_NOTICE = 4096
LONGEST_AGE = 1 << 31
_VERSION = re.compile(r"[0-9a-f]{64}\Z")


@dataclass(frozen=True)
class Notice:
    """The small document that names the current bulletin; it proves nothing, the bulletin's own hash does."""

    task: str
    bulletin: str
    epoch: int
    max_age: int

    @classmethod
    def decode(cls, data: bytes) -> "Notice":
        """From JSON; what is no notice is no answer."""
        try:
            fields = json.loads(data)
            notice = cls(*(fields[name] for name in ("task", "bulletin", "epoch", "max_age")))
            texts = isinstance(notice.task, str) and isinstance(notice.bulletin, str)
            legal = texts and type(notice.epoch) is type(notice.max_age) is int
            if legal and _VERSION.match(notice.bulletin) and notice.epoch >= 0 and 1 <= notice.max_age <= LONGEST_AGE:
                return notice
        except (ValueError, TypeError, KeyError, RecursionError):
            pass
        raise Unreachable("no usable answer (not the current bulletin's document)")


class BulletinCache:
    """Holds one verified bulletin and its age, on the disk too."""

    def __init__(self, disk: Disk, path: Path, task: str, scheme: Scheme, most_age: float) -> None:
        self._disk, self._path, self._task, self._scheme, self._most_age = disk, path, task, scheme, most_age
        self._bulletin: AnyBulletin | None = None
        self.fetched, self.max_age, self.trusted = 0.0, 0, True

    def load(self, now: float) -> None:
        """What an earlier run kept, checked as if it came from the network; anything odd is forgotten."""
        try:
            head, _, data = self._path.read_bytes().partition(b"\n")
            fields = json.loads(head)
            notice = Notice.decode(json.dumps(fields["notice"]).encode())
            bulletin, fetched = self._verified(notice, data), float(fields["fetched"])
        except (OSError, ValueError, TypeError, KeyError, RecursionError, HgldpError):
            return
        self._bulletin, self.fetched, self.max_age = bulletin, min(now, fetched), notice.max_age

    @property
    def held(self) -> bool:
        """Whether there is a bulletin at all."""
        return self._bulletin is not None

    def fresh(self, now: float) -> AnyBulletin | None:
        """The bulletin, if nothing speaks against it and it is not older than its limit."""
        age = min(self.max_age, self._most_age)
        return self._bulletin if self.trusted and now < self.fetched + age else None

    def renew(self, transport: Transport, now: float) -> None:
        """Ask which bulletin is current, and fetch and verify it if it is another one."""
        answer = transport.get(f"/v1/tasks/{self._task}/bulletin", MOST_NOTICE)
        if answer.status != 200:
            raise Unreachable(f"no usable answer (status {answer.status})")
        notice = Notice.decode(answer.body)
        try:
            self._accept(notice, transport, now)
        except Untrusted:
            self.trusted = False
            raise

    def forget(self) -> None:
        """Delete it."""
        self._bulletin, self.fetched, self.max_age = None, 0.0, 0
        self._disk.unlink(self._path)

    def _accept(self, notice: Notice, transport: Transport, now: float) -> None:
        held = self._bulletin
        if notice.task != self._task:
            raise Untrusted("the current bulletin must be of this task, and it is of another")
        if held is not None and notice.epoch < held.epoch:
            raise Untrusted("the current bulletin must not be older than one already seen")
        if held is not None and notice.epoch == held.epoch and notice.bulletin != held.version:
            raise Untrusted("an epoch must have one bulletin, and this one has two")
        if held is None or held.version != notice.bulletin:
            answer = transport.get(f"/v1/bulletins/{notice.bulletin}", MOST_BYTES)
            if answer.status != 200:
                raise Unreachable(f"no usable answer (status {answer.status})")
            held = self._verified(notice, answer.body)
        head: dict[str, Any] = {"notice": notice.__dict__, "fetched": now}
        self._disk.write(self._path, json.dumps(head).encode() + b"\n" + held.canonical)
        self._bulletin, self.fetched, self.max_age, self.trusted = held, now, notice.max_age, True

    def _verified(self, notice: Notice, data: bytes) -> AnyBulletin:
        try:
            bulletin = read_bulletin(data, notice.bulletin)
            self._scheme.check_bulletin(bulletin)
        except HgldpError as wrong:
            raise Untrusted(f"the bulletin is refused: {wrong}") from None
        if bulletin.task.hex() != self._task or bulletin.epoch != notice.epoch:
            raise Untrusted("the bulletin must be of the task and the epoch that it is given for")
        return bulletin
