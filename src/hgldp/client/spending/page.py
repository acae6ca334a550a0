"""One page for one person: everything that the ledger knows, as bytes that show any damage."""

import json
from dataclasses import dataclass, field, fields, replace
from hashlib import sha256
from math import ceil
from typing import Any

from hgldp.client.randomizer import ANSWERS_KEPT
from hgldp.errors import HgldpError
from hgldp.model.validate import LARGEST_53
from hgldp.system.clock import DAY_SECONDS
from hgldp.wire.strict_json import read_json

MOST_BYTES = 4096
HOUR_SECONDS = 3_600
START_OF_VERSION = 16
"""So many hexadecimal digits tell a bulletin from 31 others."""
HOURS_A_DAY = DAY_SECONDS // HOUR_SECONDS


class LedgerDamaged(HgldpError):
    """A ledger that cannot be trusted: it is unknown what was spent, so nothing more is sent."""

    def __init__(self, rule: str) -> None:
        super().__init__(f"the ledger of spent reports {rule}: nothing is sent")


@dataclass(frozen=True)
class Caps:
    """How many reports one client may send: in any 24 hours, and ever (None: no limit).

    `day_rule` and `ever_rule` say in a sentence which setting makes each limit, for who wonders why no more is sent.
    """

    per_day: int
    ever: int | None = None
    day_rule: str = field(default="", repr=False, compare=False)
    ever_rule: str = field(default="", repr=False, compare=False)


@dataclass(frozen=True)
class Page:
    """The whole ledger.

    `reports`: all reports. `hours`: those of the latest hours, each hour with its count. `second`: the latest second
    seen. `start` and `period`: where the periods of this device begin, drawn by lot, and the last one that was reported
    (none: −1). `seen` and `lot`: how many events there were, and which of them are reported, drawn by lot (none: −1).
    `answered`, `answered_at` and `answered_on`: where each bulletin is answered once, the bulletins that were (the
    start of their versions, latest last), and the second and the date of the latest answer (none: −1).
    `held`, `since` and `since_date`: where keys stay for a time, which bulletin is held, and the second and the date
    of the exchange (the first one: −1).
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
    answered_at: int = -1
    answered_on: int = -1
    held: str = ""
    since: int = -1
    since_date: int = -1

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
        perhaps = (self.start, self.period, self.lot, *self.answer, *self.exchange)
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

    @property
    def answer(self) -> tuple[int, int]:
        """The second and the date of the latest answer."""
        return self.answered_at, self.answered_on

    @property
    def exchange(self) -> tuple[int, int]:
        """The second and the date since which the bulletin is held."""
        return self.since, self.since_date

    def with_answer(self, version: str | None, now: float, date: float) -> "Page":
        """The page after a bulletin was answered; None where bulletins may be answered often."""
        if version is None:
            return self
        answered = (*self.answered, version[:START_OF_VERSION])[-ANSWERS_KEPT:]
        return replace(self, answered=answered, answered_at=ceil(now), answered_on=ceil(date))

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
