"""One person, one report a period: whatever the events were, it is made when the device's period is over."""

from dataclasses import dataclass

from hgldp.client.inbox import Inbox
from hgldp.client.randomizer import Randomizer
from hgldp.client.spending.account import Account
from hgldp.client.spending.drawn import Draw, Draws
from hgldp.client.spending.page import Caps
from hgldp.client.status import Outcome
from hgldp.errors import InvalidField
from hgldp.model.bulletins import AnyBulletin
from hgldp.model.domain import Code
from hgldp.model.period import PERIOD_SECONDS, Period, period_at, period_end
from hgldp.model.randomness import Words
from hgldp.model.reserved import Reserved
from hgldp.model.task import Task


@dataclass(frozen=True)
class Periods:
    """Keeps the draw of the open period and makes the report of the last one, each step durable before the next."""

    ledger: Account
    drawn: Draws
    inbox: Inbox
    words: Words

    def end(self, period: Period) -> int | None:
        """When the open period is over, which may be in the past; None before the first look."""
        start, opened = self.ledger.page.start, self.drawn.open
        return None if start < 0 or opened is None else period_end(opened.period, period, start)

    def has_report_to_make(self, period: Period) -> bool:
        """Whether a period is over, looked at or not, and its report is still to be made."""
        end = self.end(period)
        return self.report_is_due or (end is not None and end <= self.ledger.time.now())

    def look(self, period: Period, now: float) -> None:
        """Open the period of this moment."""
        self.drawn.turn(self.number(period, now))
        self.drawn.save()

    def take(self, period: Period, events: list[tuple[float, Code]]) -> None:
        """Let events take part, each in the draw of the period in which it came. A later one opens its own."""
        for moment, code in events:
            number, opened = self.number(period, moment), self.drawn.open
            if opened is None or number > opened.period:
                self.drawn.turn(number)
            self.drawn.take([code], self.words)
        self.drawn.save()

    def number(self, period: Period, moment: float) -> int:
        """Where a device's periods begin is drawn by lot, once."""
        if self.ledger.page.start < 0:
            self.ledger.draw_start(self.words.below(PERIOD_SECONDS[period]))
        return period_at(moment, period, self.ledger.page.start)

    @property
    def report_is_due(self) -> bool:
        """Whether a period is over whose report is still to be made."""
        return self.drawn.over is not None

    def report(self, randomizer: Randomizer, caps: Caps, bulletin: AnyBulletin) -> int | None:
        """The randomised symbol of the period that is over; None if it had no event, or its report was spent before.

        The ledger is written first and the draw is forgotten before the symbol is used: a crash wastes the report.
        """
        over = self.reserve(randomizer.task, caps, bulletin)
        return None if over is None else self.draw(randomizer, over, bulletin)

    def reserve(self, task: Task, caps: Caps, bulletin: AnyBulletin) -> Draw | None:
        """Spend the report of the period that is over, and forget its draw; what to randomise if it was granted.

        Where the task wants one answer and has it already, the period is not reported.
        """
        over = self.drawn.over
        if over is None:
            return None
        answering = bulletin.version if task.one_answer else None
        answered = answering is not None and not self.ledger.may_answer(answering, task)
        wanted = (over.seen > 0 or task.nothing) and not answered
        granted = wanted and self.ledger.reserve_period(over.period, caps, answering)
        self.inbox.drop(Outcome.NOT_DRAWN, max(0, over.seen - 1))
        if over.seen and not granted:
            self.inbox.drop(Outcome.ANSWERED if answered else self.ledger.cap_reached(caps))
        self.drawn.reported()
        self.drawn.save()
        return over if granted else None

    def draw(self, randomizer: Randomizer, over: Draw, bulletin: AnyBulletin) -> int | None:
        """Randomise the event that was drawn, once. Its cost must be durable."""
        code = over.code if over.seen else randomizer.task.encode(Reserved.NOTHING)
        try:
            return randomizer.report_code(code, bulletin).symbol
        except InvalidField:  # a code from the disk that is none of this task
            self.inbox.drop(Outcome.DISK)
            return None
