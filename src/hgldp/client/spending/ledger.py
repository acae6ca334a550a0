"""What was spent. It is on the disk before anything is randomised, so a crash may waste a report but repeats none."""

import json
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from hashlib import sha256
from math import ceil
from pathlib import Path
from typing import Any

from hgldp.client.environment import Disk
from hgldp.client.randomizer import ANSWERS_KEPT
from hgldp.client.status import Outcome, Spent
from hgldp.errors import HgldpError, InvalidField
from hgldp.model.validate import LARGEST_53
from hgldp.system.clock import DAY_SECONDS, Clock, SteadyTime
from hgldp.system.folder_lock import FolderLock
from hgldp.wire.strict_json import read_json

MOST_BYTES = 4096
HOUR_SECONDS = 3_600
SETTLED_SECONDS = 600
START_OF_VERSION = 16
"""So many hexadecimal digits tell a bulletin from 31 others."""
HOURS_A_DAY = DAY_SECONDS // HOUR_SECONDS
COMPANIONS = ("queue", "sent", "bulletin", "task", "drawn")


class LedgerDamaged(HgldpError):
    """A ledger that cannot be trusted: it is unknown what was spent, so nothing more is sent."""

    def __init__(self, rule: str) -> None:
        super().__init__(f"the ledger of spent reports {rule}: nothing is sent")


@dataclass(frozen=True)
class Caps:
    """How many reports one client may send: in any 24 hours, and ever (None: no limit)."""

    per_day: int
    ever: int | None = None


@dataclass(frozen=True)
class Page:
    """The whole ledger.

    `reports`: all reports. `hours`: those of the latest hours, each hour with its count. `second`: the latest second
    seen. `start` and `period`: where the periods of this device begin, drawn by lot, and the last one that was reported
    (none: −1). `seen` and `lot`: how many events there were, and which of them are reported, drawn by lot (none: −1).
    `answered`: which bulletins were answered, where each is answered once: the start of their versions, latest last.
    `held` and `since`: where keys stay for a time, which bulletin is held, and since when (the first one: −1).
    """

    task: str
    reports: int = 0
    hours: tuple[tuple[int, int], ...] = ()
    second: int = 0
    opted_out: bool = False
    start: int = -1
    period: int = -1
    seen: int = 0
    lot: int = -1
    answered: tuple[str, ...] = ()
    held: str = ""
    since: int = -1

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
            found: Any = _as_now(read_json(line))
            hours, answered = found["hours"], found.get("answered", ())
            page = cls(**found | {"hours": tuple((hour, count) for hour, count in hours), "answered": tuple(answered)})
        except (ValueError, TypeError, KeyError):
            raise LedgerDamaged("must have the fields of this version, and it has others") from None
        if not page.can_be:
            raise LedgerDamaged("must hold counts that can be, and it holds others")
        return page

    @property
    def can_be(self) -> bool:
        """Whether every field holds what it may hold."""
        counts = (self.reports, self.second, self.seen, *sum(self.hours, ()))
        perhaps = (self.start, self.period, self.lot, self.since)
        versions = self.answered if self.held == "" else (*self.answered, self.held)
        return (
            all(type(number) is int and 0 <= number <= LARGEST_53 for number in counts)
            and all(type(number) is int and -1 <= number <= LARGEST_53 for number in perhaps)
            and all(type(version) is str and len(version) == START_OF_VERSION for version in versions)
            and len(self.answered) <= ANSWERS_KEPT
            and type(self.opted_out) is bool
            and sum(count for _, count in self.hours) <= self.reports
        )

    def latest(self, now: float) -> tuple[tuple[int, int], ...]:
        """The hours that may lie within the last 24: an hour counts until its last second is a day old."""
        oldest = int(now) // HOUR_SECONDS - HOURS_A_DAY
        return tuple((hour, count) for hour, count in self.hours if hour >= oldest)

    def has_answered(self, version: str) -> bool:
        """Whether a bulletin of this version was answered, as far back as the ledger knows."""
        return version[:START_OF_VERSION] in self.answered

    def holds(self, version: str) -> bool:
        """Whether a bulletin of this version is the one that is held."""
        return version[:START_OF_VERSION] == self.held

    def with_answer(self, version: str | None) -> "Page":
        """The page after a bulletin was answered; None where bulletins may be answered often."""
        if version is None:
            return self
        return replace(self, answered=(*self.answered, version[:START_OF_VERSION])[-ANSWERS_KEPT:])

    def with_reports(self, number: int, now: float) -> "Page":
        """The page after this many more reports."""
        hour, known = int(now) // HOUR_SECONDS, dict(self.latest(now))
        hour = max([hour, *known])
        known[hour] = known.get(hour, 0) + number
        return replace(self, reports=self.reports + number, hours=tuple(sorted(known.items())))


def _as_now(found: Any) -> dict[str, Any]:
    """A ledger of 0.1.0 counted by the day: all its reports of the last day count as those of that day's end."""
    if "today" not in found:
        return dict(found)
    last_hour = found["day"] * HOURS_A_DAY + HOURS_A_DAY - 1
    kept = {name: found[name] for name in ("task", "reports", "second", "opted_out")}
    return kept | {"hours": [[last_hour, found["today"]]] if found["today"] else []}


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
        left = caps.per_day - self.last_day
        return max(0, left if caps.ever is None else min(left, caps.ever - self.page.reports))

    def cap_reached(self, caps: Caps) -> Outcome:
        """Why no more is granted: which of the two limits is the nearer one."""
        today = caps.per_day - self.last_day
        return Outcome.SPENT if caps.ever is not None and caps.ever - self.page.reports <= today else Outcome.DAILY_CAP

    @property
    def last_day(self) -> int:
        """How many reports the last 24 hours may have had."""
        return sum(count for _, count in self.page.latest(self.time.now()))

    def reserve(self, wanted: int, caps: Caps, seen: int = 0, answering: str | None = None) -> int:
        """Spend up to this many, durably, and say how many. If the disk fails, they are spent but not granted.

        `seen` is how many events this is about, those that are not reported included. `answering` is
        the version of the bulletin that this answers, if it may be answered only once.
        """
        granted = 0 if self.page.opted_out else min(wanted, self.left(caps))
        if granted or seen:
            page = self._with_reports(granted, answering)
            self._turn(replace(page, seen=page.seen + seen))
        return granted

    def reserve_period(self, period: int, caps: Caps, answering: str | None = None) -> bool:
        """Spend the one report of a period, durably; False if it was spent, or a later one was."""
        if self.page.opted_out or period <= self.page.period:
            return False
        granted = min(1, self.left(caps))
        self._turn(replace(self._with_reports(granted, answering), period=period))
        return bool(granted)

    def _with_reports(self, granted: int, answering: str | None) -> Page:
        return self.page.with_reports(granted, self.time.now()).with_answer(answering) if granted else self.page

    def draw_start(self, start: int) -> None:
        """Remember where this device's periods begin."""
        self._turn(replace(self.page, start=start))

    def draw_lot(self, lot: int) -> None:
        """Remember which events are reported."""
        self._turn(replace(self.page, lot=lot))

    def opt(self, *, out: bool) -> None:
        """Remember the choice. The counts stay, or opting in again would grant a new budget."""
        self._turn(replace(self.page, opted_out=out))

    def hold(self, version: str) -> None:
        """Remember which bulletin is held from now on, in place of another one or as the first."""
        since = ceil(self.time.now()) if self.page.held else -1
        self._turn(replace(self.page, held=version[:START_OF_VERSION], since=since))

    def settle(self) -> None:
        """Put the file back if it is not what this process knows, so that the next one starts from what was spent.

        Every few minutes it is written anyway: a device whose date was once too late must not start from that date
        again and again.
        """
        if self._on_disk() != self.page or self.time.now() >= self.page.second + SETTLED_SECONDS:
            self._turn(self.page)

    def close(self) -> None:
        """Write down what is known, the time too."""
        self._turn(self.page)

    def spent(self, each: Fraction | None) -> Spent:
        """What was spent, if one report costs `each`."""
        page = self.page
        if each is None:
            return Spent(self.last_day, page.reports, None, None)
        return Spent(self.last_day, page.reports, each * self.last_day, each * page.reports)

    def _turn(self, page: Page) -> None:
        self._lock.verify()
        found = self._on_disk()
        if found is not None and (found.reports, found.seen) > (self.page.reports, self.page.seen):
            raise LedgerDamaged("must be written by one process, and another one has spent more")
        self.page = replace(page, second=int(self.time.now()))
        self._disk.write(self._path, self.page.encode())
        self._lock.verify()

    def _on_disk(self) -> Page | None:
        try:
            return Page.decode(self._path.read_bytes())
        except (FileNotFoundError, LedgerDamaged):
            return None
