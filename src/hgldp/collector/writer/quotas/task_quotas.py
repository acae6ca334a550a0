"""The quotas of one task, as its terms have them."""

from math import ceil
from typing import TYPE_CHECKING

from hgldp.collector.problems import Problem, Refused
from hgldp.collector.writer.quotas.accounts import Account, Accounts
from hgldp.collector.writer.quotas.day import DayShares
from hgldp.collector.writer.quotas.rate import SharedRate
from hgldp.system.clock import Clock

if TYPE_CHECKING:
    from hgldp.collector.views import TaskView


class TaskQuotas:
    """Lets uploads through or says how long to wait. Called on one thread, but for `share_among`.

    A task that has reports already starts with an empty bucket, so that a restart gives nothing away.
    """

    def __init__(self, view: "TaskView", clock: Clock, accounts: Accounts, counted_today: int) -> None:
        terms = view.terms
        self._task, self._accounts, self._terms = view.number, accounts, terms
        self._rate = SharedRate(terms.reports_per_second, clock, full=not view.reports)
        self._day = DayShares(terms.reports_per_day, clock, counted_today)
        self._has_rate, self._has_day = bool(terms.reports_per_second), bool(terms.reports_per_day)
        self._sharers = self._shared_among = 1

    def take(self, reports: int, address: str) -> Account | None:
        """Spend them, or refuse. What is returned goes to `give_back`, if they are not counted after all.

        Without an address nothing is shared: the sender is one of us.
        """
        if self._sharers != self._shared_among:
            self._resize(self._sharers)
        account = self._accounts.of((self._task, address)) if address else None
        if self._has_day and (wait := self._day.take(reports, account)):
            detail = "this address has had its share of the day's reports for now"
            raise Refused(Problem.TOO_MANY_REPORTS, detail, ceil(wait))
        if self._has_rate and (wait := self._rate.take(reports, account)):
            self._day.give_back(reports, account)
            raise Refused(Problem.TOO_MANY_REPORTS, retry_after=ceil(wait))
        return account

    def share_among(self, collectors: int) -> None:
        """This is one of so many collectors that take uploads of the task: each has an equal part of what it takes.

        From any thread: the next upload finds it.
        """
        self._sharers = collectors

    def _resize(self, collectors: int) -> None:
        self._shared_among = collectors
        self._rate.resize(self._terms.reports_per_second / collectors)
        self._day.resize(self._terms.reports_per_day // collectors)

    def give_back(self, reports: int, account: Account | None) -> None:
        """They were refused later, or had been counted before."""
        if self._has_rate:
            self._rate.give_back(reports, account)
        self._day.give_back(reports, account)


def quotas_of(view: "TaskView", clock: Clock, accounts: Accounts, counted_today: int) -> TaskQuotas | None:
    """None for a task without limits: then an upload asks nobody."""
    limited = view.terms.reports_per_second or view.terms.reports_per_day
    return TaskQuotas(view, clock, accounts, counted_today) if limited else None
