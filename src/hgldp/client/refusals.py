"""Why a client sends nothing: a closed list. No message holds an item, a write key or an address."""

from enum import Enum

from hgldp.errors import HgldpError


class Outcome(Enum):
    """What became of an event when it was handed over, or later; only `TAKEN` is true."""

    TAKEN = "taken"
    OUTSIDE = "outside the task's domain"
    DAILY_CAP = "as many reports as a day allows are spent"
    SPENT = "the person's whole budget is spent"
    FULL = "too much is waiting already"
    REFUSED = "the task lies above this client's ceilings"
    OPTED_OUT = "opted out"
    CLOSED = "the reporter is closed, or belongs to another process"
    DISK = "the disk did not take it"
    EXPIRED = "the server never took it in time"
    TURNED_DOWN = "the server did not want it"

    def __bool__(self) -> bool:
        return self is Outcome.TAKEN


class LedgerDamaged(HgldpError):
    """A ledger that cannot be trusted: what was spent is unknown, so nothing more is."""

    def __init__(self, rule: str) -> None:
        super().__init__(f"the ledger of spent reports {rule}: nothing is sent")


class Unreachable(HgldpError):
    """No answer, or none that is one; the next attempt may go better."""


class Untrusted(HgldpError):
    """An answer that is not what it claims to be: nothing is sent until a good one comes."""
