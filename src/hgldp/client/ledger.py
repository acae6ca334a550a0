"""What was spent. It is on the disk before anything is randomised, so a crash may waste a report but repeats none."""

import json
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from hashlib import sha256
from pathlib import Path
from typing import Any

from hgldp.client.environment import Disk
from hgldp.client.status import Spent
from hgldp.errors import HgldpError, InvalidField
from hgldp.system.clock import Clock, SteadyTime, day_of
from hgldp.system.folder_lock import FolderLock
from hgldp.wire.strict_json import read_json

MOST_BYTES = 4096
COMPANIONS = ("queue", "sent", "bulletin", "task")


class LedgerDamaged(HgldpError):
    """A ledger that cannot be trusted: it is unknown what was spent, so nothing more is sent."""

    def __init__(self, rule: str) -> None:
        super().__init__(f"the ledger of spent reports {rule}: nothing is sent")


@dataclass(frozen=True)
class Caps:
    """How many reports one client may send: in a day, and ever (None: without end)."""

    per_day: int
    ever: int | None = None


@dataclass(frozen=True)
class Page:
    """The whole ledger: all reports, those of the latest day, the latest second seen, and whether one opted out."""

    task: str
    reports: int = 0
    day: int = 0
    today: int = 0
    second: int = 0
    opted_out: bool = False

    def encode(self) -> bytes:
        """One line of JSON, and its hash on a second line."""
        line = json.dumps({field.name: getattr(self, field.name) for field in fields(self)}).encode()
        return line + b"\n" + sha256(line).hexdigest().encode() + b"\n"

    @classmethod
    def decode(cls, data: bytes) -> "Page":
        """Read what `encode` wrote; anything else is damage."""
        line, _, mark = data.partition(b"\n")
        if len(data) > MOST_BYTES or mark != sha256(line).hexdigest().encode() + b"\n":
            raise LedgerDamaged("must be as it was written, and it is not")
        try:
            found: Any = read_json(line)
            page = cls(**found)
        except (ValueError, TypeError):
            raise LedgerDamaged("must have the fields of this version, and it has others") from None
        numbers = (page.reports, page.day, page.today, page.second)
        if not all(type(number) is int and number >= 0 for number in numbers) or page.today > page.reports:
            raise LedgerDamaged("must hold counts that can be, and it holds others")
        return page


class Ledger:
    """Grants reports within caps. What it grants is on the disk first; when the disk fails, it counts as spent.

    Only the holder of the folder's lock spends, so its memory knows best: a file that was removed, or replaced by an
    older one, is written anew. A file that says more was written by someone else, and then nothing more is granted.
    """

    def __init__(self, disk: Disk, path: Path, task: str, clock: Clock, lock: FolderLock) -> None:
        self._disk, self._path, self._lock = disk, path, lock
        fresh = not path.exists()
        if fresh and any((path.parent / name).exists() for name in COMPANIONS):
            raise LedgerDamaged("must not vanish while the rest of the folder stays, and it is gone")
        self.page = Page(task) if fresh else Page.decode(path.read_bytes())
        if self.page.task != task:
            rule, found = "must be new, or hold the ledger of this task", f"the ledger of task {self.page.task[:12]}"
            raise InvalidField("folder", rule, found, "; take another folder for this task")
        self.time = SteadyTime(clock, self.page.second)
        if fresh:
            self._turn(self.page)

    def left(self, caps: Caps) -> int:
        """How many reports may still be randomised now."""
        page = self._today()
        left = caps.per_day - page.today
        return max(0, left if caps.ever is None else min(left, caps.ever - page.reports))

    def reserve(self, wanted: int, caps: Caps) -> int:
        """Spend up to this many, durably, and say how many. If the disk fails, they are spent but not granted."""
        granted = 0 if self.page.opted_out else min(wanted, self.left(caps))
        if granted:
            page = self._today()
            self._turn(replace(page, reports=page.reports + granted, today=page.today + granted))
        return granted

    def opt(self, *, out: bool) -> None:
        """Remember the choice. The counts stay, or opting in again would grant a new budget."""
        self._turn(replace(self.page, opted_out=out))

    def settle(self) -> None:
        """Put the file back if it is not what this process knows, so that the next one starts from what was spent."""
        if self._on_disk() != self.page:
            self._turn(self.page)

    def spent(self, each: Fraction | None) -> Spent:
        """What was spent, if one report costs `each`."""
        page = self.page
        if each is None:
            return Spent(page.today, page.reports, None, None)
        return Spent(page.today, page.reports, each * page.today, each * page.reports)

    def _today(self) -> Page:
        """The page of today: a new one if the day is later than any before, never because it is earlier."""
        page, day = self.page, day_of(self.time.now())
        return replace(page, day=day, today=0) if day > page.day else page

    def _turn(self, page: Page) -> None:
        self._lock.verify()
        found = self._on_disk()
        if found is not None and found.reports > self.page.reports:
            raise LedgerDamaged("must be written by one process, and another one has spent more")
        self.page = replace(page, second=int(self.time.now()))
        self._disk.write(self._path, self.page.encode())
        self._lock.verify()

    def _on_disk(self) -> Page | None:
        try:
            return Page.decode(self._path.read_bytes())
        except (FileNotFoundError, LedgerDamaged):
            return None
