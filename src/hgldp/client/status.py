"""How a reporter is doing, in numbers and one sentence; never an item."""

from dataclasses import dataclass
from fractions import Fraction

from hgldp.client.ledger import Page
from hgldp.client.worker import Worker


@dataclass(frozen=True)
class Status:
    """`state` is starting, ready, stale, suspended, refused, opted out or closed; `reason` says why, if it is known."""

    state: str
    reason: str
    waiting: int
    queued: int
    delivered: int
    dropped: dict[str, int]

    @classmethod
    def of(cls, worker: Worker, state: str | None) -> "Status":
        """As it is now; a reporter that is closed or opted out says so itself."""
        refusal = worker.agreement.refusal
        state = state or ("refused" if refusal is not None else _bulletin_state(worker))
        reason = refusal or worker.renewal.trouble or worker.trouble or worker.delivery.trouble
        queued, delivered, dropped = len(worker.queue), worker.delivery.delivered, worker.inbox.dropped
        return cls(state, reason, len(worker.inbox), queued, delivered, dropped)


def _bulletin_state(worker: Worker) -> str:
    bulletins = worker.agreement.bulletins
    if bulletins is None or not bulletins.held:
        return "starting"
    if not bulletins.trusted:
        return "suspended"
    return "stale" if bulletins.fresh(worker.ledger.time.now()) is None else "ready"


@dataclass(frozen=True)
class Spent:
    """Reports and ε of the ledger's day and ever, those included that were reserved and then lost.

    ε is None until the task is known.
    """

    reports_today: int
    reports: int
    epsilon_today: Fraction | None
    epsilon: Fraction | None

    @classmethod
    def of(cls, page: Page, each: Fraction | None) -> "Spent":
        """From the ledger and what one report spends."""
        if each is None:
            return cls(page.today, page.reports, None, None)
        return cls(page.today, page.reports, each * page.today, each * page.reports)
