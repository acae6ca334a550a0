"""The bulletin that events are randomised against: renewed on a timer, never because an event happened."""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from math import ceil
from pathlib import Path
from typing import Any

from hgldp.client.environment import Disk
from hgldp.client.pace import Pace
from hgldp.client.sending.transport import Transport, Untrusted, fetch
from hgldp.client.spending.tenure import Tenure
from hgldp.errors import HgldpError
from hgldp.model.bulletins import AnyBulletin
from hgldp.schemes.base import Scheme
from hgldp.system.http import Unreachable
from hgldp.wire import api
from hgldp.wire.bulletin import MOST_BYTES, read_bulletin
from hgldp.wire.strict_json import read_json

MOST_NOTICE = 4096
LONGEST_AGE = 1 << 31
DOUBT = 3600.0
_VERSION = re.compile(r"[0-9a-f]{64}\Z")


@dataclass(frozen=True)
class Notice:
    """The small document that names the current bulletin. It proves nothing; the bulletin's own hash does."""

    task: str
    bulletin: str
    epoch: int
    max_age: int

    @classmethod
    def decode(cls, data: bytes) -> "Notice":
        """Read the server's JSON; other fields than these four are ignored."""
        try:
            return cls.of(read_json(data, MOST_NOTICE))
        except (ValueError, TypeError, KeyError):
            raise Unreachable("no usable answer (not the current bulletin's document)") from None

    @classmethod
    def of(cls, fields: Any) -> "Notice":
        """From the fields, each of the right type and within its bounds."""
        notice = cls(*(fields[name] for name in ("task", "bulletin", "epoch", "max_age")))
        texts = isinstance(notice.task, str) and isinstance(notice.bulletin, str)
        legal = texts and type(notice.epoch) is type(notice.max_age) is int
        if legal and _VERSION.match(notice.bulletin) and notice.epoch >= 0 and 1 <= notice.max_age <= LONGEST_AGE:
            return notice
        raise ValueError("fields of another kind")


class BulletinCache:
    """Holds one verified bulletin and its age, on the disk too.

    `trusted` is false from the moment the server shows a bulletin that cannot be right until it shows a good one.

    A bulletin that contradicts the one held (an earlier epoch, or another bulletin for the same epoch) is believed only
    if the server shows nothing else for `doubt` seconds; meanwhile nothing is sent. Bulletins are not signed: whoever
    answers once in the server's place, such as a proxy, can show any epoch, even the last that there is. A client that
    never went back would then be silent for good, and so it would be after an honest server was restored from a
    backup. Now one forgery costs this time of silence, and the waiting events come late. A server that wants to go back
    pays the same for every step, in sight of `Reporter.status`. It wins nothing that it could not have with a later
    epoch, which no single client can check.

    Where the task promises to keep its keys for a time, the cache sees to it: it takes a new bulletin only when the
    `tenure` of the last one is over, and goes on with that one meanwhile. If the server goes back, or the copy on the
    disk is lost, nothing is sent until then.
    """

    def __init__(
        self,
        disk: Disk,
        path: Path,
        task: str,
        scheme: Scheme,
        most_age: float,
        doubt: float = DOUBT,
        tenure: Tenure | None = None,
    ) -> None:
        self._disk, self._path, self._tenure = disk, path, tenure
        self._task, self._scheme, self._most_age, self._doubt = task, scheme, most_age, doubt
        self._bulletin: AnyBulletin | None = None
        self._doubted: float | None = None
        self.fetched = 0.0
        self.max_age = 0
        self.trusted = True

    def load(self, now: float) -> None:
        """Take what an earlier run kept, checked as if it came from the network; anything odd is ignored."""
        try:
            head, _, data = self._disk.read(self._path, MOST_NOTICE + MOST_BYTES).partition(b"\n")
            fields: Any = read_json(head)
            notice, fetched = Notice.of(fields["notice"]), float(fields["fetched"])
            doubted = fields.get("doubted")
            since = None if doubted is None else min(now, float(doubted))
            bulletin = self._verified(notice, data)
        except (OSError, ValueError, TypeError, KeyError, HgldpError):
            return
        if self._tenure is not None and not self._tenure.holds(bulletin.version):
            return
        self._bulletin = bulletin
        self.fetched = min(now, fetched)
        self.max_age = notice.max_age
        self._doubted, self.trusted = since, since is None

    @property
    def held(self) -> bool:
        """Whether there is a bulletin at all."""
        return self._bulletin is not None

    def fresh(self, now: float) -> AnyBulletin | None:
        """The bulletin, if it is trusted and not too old."""
        age = min(self.max_age, self._most_age)
        return self._bulletin if self.trusted and now < self.fetched + age else None

    def renew(self, transport: Transport, now: float) -> None:
        """Ask which bulletin is current; fetch and verify it if it is another one."""
        notice = Notice.decode(fetch(transport, api.CURRENT_BULLETIN.format(id=self._task), MOST_NOTICE))
        try:
            self._accept(notice, transport, now)
        except Untrusted:
            self.trusted = False
            raise

    def _accept(self, notice: Notice, transport: Transport, now: float) -> None:
        held = self._bulletin
        if notice.task != self._task:
            raise Untrusted("the current bulletin must be of this task, and it is of another")
        if held is not None and notice.epoch < held.epoch:
            self._wait_for_proof(held, "the current bulletin must not be older than one already seen", now)
        if held is not None and notice.epoch == held.epoch and notice.bulletin != held.version:
            self._wait_for_proof(held, "an epoch must have one bulletin, and this one has two", now)
        if held is None or held.version != notice.bulletin:
            held = self._exchanged(held, notice, transport, now)
        self._keep(held, notice.max_age, now, None)
        self._bulletin = held
        self.fetched = now
        self.max_age = notice.max_age
        self._doubted = None
        self.trusted = True

    def _exchanged(self, held: AnyBulletin | None, notice: Notice, transport: Transport, now: float) -> AnyBulletin:
        """The bulletin of the notice, or the one that is held if that has to stay."""
        tenure = self._tenure
        if tenure is not None and not tenure.may_take(notice.bulletin, now):
            if held is None:
                minutes = ceil((tenure.until - now) / 60)
                raise Untrusted(f"the copy of the bulletin is lost, and no other is taken for {minutes:,} minutes")
            return held
        found = self._verified(notice, fetch(transport, api.BULLETIN.format(version=notice.bulletin), MOST_BYTES))
        if tenure is not None:
            tenure.take(found.version)
        return found

    def _wait_for_proof(self, held: AnyBulletin, rule: str, now: float) -> None:
        """Doubt begins with the first contradiction, through restarts too, and ends when the server takes it back."""
        self.trusted = False
        if self._doubted is None:
            self._doubted = now
            self._keep(held, self.max_age, self.fetched, now)
        until = self._doubted + self._doubt
        if self._tenure is not None:
            until = max(until, self._tenure.until)
        if now < until:
            minutes = ceil((until - now) / 60)
            raise Untrusted(f"{rule}; if the server shows nothing else, it is believed in {minutes:,} minutes")

    def _keep(self, held: AnyBulletin, max_age: int, fetched: float, doubted: float | None) -> None:
        notice = Notice(self._task, held.version, held.epoch, max_age)
        head: dict[str, Any] = {"notice": notice.__dict__, "fetched": fetched, "doubted": doubted}
        self._disk.write(self._path, json.dumps(head).encode() + b"\n" + held.canonical)

    def _verified(self, notice: Notice, data: bytes) -> AnyBulletin:
        try:
            bulletin = read_bulletin(data, notice.bulletin)
            self._scheme.check_bulletin(bulletin)
        except HgldpError as wrong:
            raise Untrusted(f"the bulletin is refused: {wrong}") from None
        if bulletin.task.hex() != self._task or bulletin.epoch != notice.epoch:
            raise Untrusted("the bulletin must be of the task and the epoch that it is given for")
        return bulletin


class RenewalTimer:
    """When to renew: well within the bulletin's age; after a failure sooner, and then less and less often.

    Every wait is blurred, and none depends on an event.
    """

    def __init__(self, pace: Pace, chance: Callable[[], float]) -> None:
        self._pace, self._chance = pace, chance
        self._failures = 0
        self.due = 0.0

    def succeeded(self, now: float, bulletins: BulletinCache) -> None:
        """Plan the next renewal, counted from when the bulletin was fetched."""
        self._failures = 0
        every = self._pace.renew or max(self._pace.least_renew, min(bulletins.max_age, self._pace.most_age) / 2)
        self.due = min(now, bulletins.fetched) + every * (0.75 + self._chance() / 4)

    def failed(self, now: float) -> None:
        """Plan the next attempt."""
        self._failures += 1
        self.due = now + self._pace.retry_after(self._failures, self._chance())
