"""Which of the events that wait are reported, and the ledger's word that they may be: before anything is drawn."""

from typing import NamedTuple, TypeVar

from hgldp.client.inbox import Inbox
from hgldp.client.spending.account import Account
from hgldp.client.spending.page import Caps
from hgldp.client.status import Outcome
from hgldp.model.bulletins import AnyBulletin
from hgldp.model.randomness import Words
from hgldp.model.task import Task

T = TypeVar("T")


def chosen(account: Account, events: list[T], task: Task, words: Words) -> list[T]:
    """Those that are reported: each, or one of so many, by a lot that was drawn before the first event."""
    among = task.budget.drawn_from
    if among == 1:
        return events
    if account.page.lot < 0:
        account.draw_lot(words.below(among))
    first, lot = account.page.seen, account.page.lot
    if task.budget.level == "user":
        return events[lot - first : lot - first + 1] if lot >= first else []
    return events[(lot - first) % among :: among]


def one_of(account: Account, events: list[T], task: Task, bulletin: AnyBulletin, words: Words) -> list[T]:
    """The one that answers the bulletin, by lot, so that their order tells nothing; none if the task has its answer."""
    able = events and account.may_answer(bulletin.version, task)
    return [events[words.below(len(events))]] if able else []


class Counts(NamedTuple):
    """How many events of those that waited are not reported, and why."""

    not_drawn: int
    answered: int
    capped: int
    cap: Outcome

    def drop(self, inbox: Inbox) -> None:
        """Write them down."""
        inbox.drop(Outcome.NOT_DRAWN, self.not_drawn)
        inbox.drop(Outcome.ANSWERED, self.answered)
        inbox.drop(self.cap, self.capped)


def reserve(
    account: Account, events: list[T], wanted: list[T], task: Task, caps: Caps, bulletin: AnyBulletin, words: Words
) -> tuple[list[T], Counts]:
    """Spend what the chosen events cost, as far as it is granted. Draw those that it returns once that is durable."""
    picked = one_of(account, wanted, task, bulletin, words) if task.one_answer else wanted
    seen = 0 if task.budget.reports_each_event else len(events)
    granted = account.reserve(len(picked), caps, seen, bulletin.version if task.one_answer else None)
    lost = len(events) - len(wanted), len(wanted) - len(picked), len(picked) - granted
    return picked[:granted], Counts(*lost, account.cap_reached(caps))
