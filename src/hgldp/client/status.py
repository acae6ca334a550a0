"""What a reporter says about its events and about itself, for logs and settings pages: never an item."""

from dataclasses import dataclass
from enum import Enum
from fractions import Fraction


class Outcome(Enum):
    """What became of an event, when it was handed over or later. Only `TAKEN` and `AS_OTHER` are true."""

    TAKEN = "taken"
    AS_OTHER = "taken as other: the task does not list it"
    DAILY_CAP = "the limit of reports in 24 hours is reached"
    SPENT = "the person's whole budget is spent"
    FULL = "too much is waiting already"
    REFUSED = "the task asks for more than this client allows"
    OPTED_OUT = "opted out"
    CLOSED = "the reporter is closed, or belongs to another process"
    BROKEN = "the reporter is broken, and its status says why"
    NOT_DRAWN = "not drawn: the task asks about one of several events"
    ANSWERED = "answered already: the task wants one answer a bulletin, and one in its epoch_seconds"
    DISK = "the disk did not take it"
    EXPIRED = "the server did not take it in time"
    UNANSWERED = "sent again and again, and the server never said that it took it"
    TURNED_DOWN = "the server refused it"

    def __bool__(self) -> bool:
        return self in (Outcome.TAKEN, Outcome.AS_OTHER)


@dataclass(frozen=True)
class Status:
    """How a reporter is doing now.

    `state` is one of: starting (no bulletin yet), ready, stale (the bulletin is too old), suspended (the server showed
    a bulletin that cannot be right), refused (the task lies above a ceiling), broken (the folder was lost, or an error
    that nobody foresaw comes again and again), opted out, closed. `reason` says why, if the reporter knows. `waiting`
    counts events in memory, `queued` uploads on the disk, `delivered` and `dropped` events. `as_other` counts events
    that the task does not list. `next_report` is when the report of this period will be made, in seconds since 1970;
    None where the task asks about each event. `cap` names the limit that was reached, and the setting that it comes
    from, if `report` takes no more because of it; `reason` says the same if there is no other trouble.
    """

    state: str
    reason: str
    waiting: int
    queued: int
    delivered: int
    dropped: dict[str, int]
    as_other: int = 0
    next_report: int | None = None
    cap: str = ""


@dataclass(frozen=True)
class Spent:
    """Reports and ε, of the last 24 hours and in total. Reports that were reserved and then lost count too.

    ε is None until the task is known.
    """

    reports_24h: int
    reports: int
    epsilon_24h: Fraction | None
    epsilon: Fraction | None
