"""What one person may still spend, whatever it is kept in: a file of a device, or a row for each of many people."""

from abc import ABC, abstractmethod
from dataclasses import replace
from fractions import Fraction
from math import ceil, inf

from hgldp.client.spending.page import START_OF_VERSION, Caps, Page
from hgldp.client.status import Outcome, Spent
from hgldp.model.task import Task
from hgldp.system.clock import SteadyTime


class Account(ABC):
    """Grants reports within caps and turns the page for each. Who inherits from it says when a page is durable."""

    page: Page
    time: SteadyTime

    def left(self, caps: Caps) -> int:
        """How many reports may still be randomised now."""
        left = caps.per_day - self.last_day
        return max(0, left if caps.ever is None else min(left, caps.ever - self.page.reports))

    def cap_reached(self, caps: Caps) -> Outcome:
        """Why no more is granted: which of the two limits is the nearer one."""
        today = caps.per_day - self.last_day
        return Outcome.SPENT if caps.ever is not None and caps.ever - self.page.reports <= today else Outcome.DAILY_CAP

    def room(self, task: Task, caps: Caps) -> int | None:
        """How many events may wait for the ledger; None where only one of several is reported, and not all is spent."""
        left = self.left(caps)
        if task.reports_each_event:
            return left
        return None if left or self.cap_reached(caps) is Outcome.DAILY_CAP else 0

    def rule_reached(self, task: Task, caps: Caps, waiting: int) -> str:
        """Which setting stops further events, if one does while so many wait; otherwise nothing."""
        if self.left(caps) > (waiting if task.reports_each_event else 0):
            return ""
        return caps.ever_rule if self.cap_reached(caps) is Outcome.SPENT else caps.day_rule

    @property
    def last_day(self) -> int:
        """How many reports the last 24 hours may have had."""
        return sum(count for _, count in self.page.latest(self.time.now()))

    def may_answer(self, version: str, task: Task) -> bool:
        """Whether a task with one answer gets one now: it had none to this bulletin, and none for `epoch_seconds`."""
        rested = self.time.now() >= self.end_of(task.epoch_seconds, *self.page.answer)
        return rested and not self.page.has_answered(version)

    def end_of(self, seconds: float, second: int, date: int) -> float:
        """When some seconds have passed since a moment, by the date too; in the past if there was none.

        The clock that no date moves may stand still while the device sleeps. Then it is behind the date, from which the
        next start goes on.
        """
        if second < 0:
            return -inf
        return max(second + seconds, self.time.now() + seconds - abs(self.time.date() - date))

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
        now = self.time.now()
        return (
            self.page.with_reports(granted, now).with_answer(answering, now, self.time.date()) if granted else self.page
        )

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
        since, date = (ceil(self.time.now()), ceil(self.time.date())) if self.page.held else (-1, -1)
        self._turn(replace(self.page, held=version[:START_OF_VERSION], since=since, since_date=date))

    def spent(self, each: Fraction | None) -> Spent:
        """What was spent, if one report costs `each`."""
        page = self.page
        if each is None:
            return Spent(self.last_day, page.reports, None, None)
        return Spent(self.last_day, page.reports, each * self.last_day, each * page.reports)

    @abstractmethod
    def _turn(self, page: Page) -> None:
        """Keep this page, with the time."""
