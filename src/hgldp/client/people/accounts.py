"""Rows of the database as ledgers: one for each person, and one that all share."""

import sqlite3
from dataclasses import replace

from hgldp.client.people.database import Database
from hgldp.client.spending.account import Account
from hgldp.client.spending.drawn import Draws
from hgldp.client.spending.page import LedgerDamaged, Page
from hgldp.client.spending.periods import Periods
from hgldp.model.domain import Code
from hgldp.model.period import Period, period_end
from hgldp.system.clock import Clock, SteadyTime

ROW = "SELECT page, drawn, opted FROM people WHERE person = ?"
SAVE = """INSERT INTO people VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (person) DO UPDATE SET
    page = excluded.page, drawn = excluded.drawn, due = excluded.due, opted = excluded.opted, out = excluded.out"""
LOOK_SOON = 0


class Person(Account):
    """One person's page, as it was read. Its changes are durable when the transaction ends in which it is saved."""

    def __init__(self, key: bytes, task: str, time: SteadyTime, row: tuple[bytes, bytes | None, float] | None) -> None:
        self.key, self.time = key, time
        page, drawn, self.opted = row or (None, None, 0.0)
        self.page = Page(task) if page is None else Page.decode(page)
        if self.page.task != task:
            raise LedgerDamaged("must be of this task, and it is of another")
        self.draws = Draws(drawn)
        self.due: int | None = None

    def save(self, rows: sqlite3.Connection) -> None:
        """Write it, in the transaction in which it was read."""
        drawn = None if self.draws.open is None else self.draws.encode()
        values = (self.key, self.page.encode(), drawn, self.due, self.opted, int(self.page.opted_out))
        rows.execute(SAVE, values)

    def choose(self, *, out: bool) -> None:
        """Opt out or in. Events that were handed over before are not reported."""
        self.opt(out=out)
        self.opted = self.time.now()
        self.draws.clear()
        self.due = None if out else LOOK_SOON

    def ripe(self, period: Period, late: float) -> int:
        """When the next report can be made: some time after a period, for events that wait in another worker."""
        draw = self.draws.over or self.draws.open
        return LOOK_SOON if draw is None else int(period_end(draw.period, period, self.page.start) + late) + 1

    def _turn(self, page: Page) -> None:
        self.page = replace(page, second=max(page.second, int(self.time.now())))


def let_take_part(periods: Periods, period: Period, events: list[tuple[float, Code]]) -> int:
    """Let events take part in the draw of their own period; how many came too late for it.

    Another worker may have turned the period while an event waited in this one. Such an event must not take part in the
    draw of the next period: then two reports would depend on the events of one.
    """
    late, draws = 0, periods.drawn
    for moment, code in events:
        number, opened = periods.number(period, moment), draws.open
        if opened is None or number >= opened.period:
            periods.take(period, [(moment, code)])
        elif draws.over is not None and draws.over.period == number:
            draws.over = draws.over.with_event(code, periods.words)
        elif number == opened.period - 1 or number <= periods.ledger.page.period:
            late += 1
        else:  # the date was wrong when it was opened
            draws.turn(number)
            periods.take(period, [(moment, code)])
    return late


class Common(Account):
    """What all people share: the bulletin that has to stay, and the latest time. Only the worker that sends writes."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self.refresh()
        self.time = SteadyTime(clock, self.page.second)

    def refresh(self) -> None:
        """Read what the worker that sends wrote."""
        ((data,),) = self._database.read("SELECT value FROM common WHERE name = 'page'")
        self.page = Page.decode(data)

    def keep_time(self) -> None:
        """Write the time down, so that the next start is not before it."""
        self._turn(self.page)

    def _turn(self, page: Page) -> None:
        page = replace(page, second=max(page.second, int(self.time.now())))
        with self._database.write() as rows:
            rows.execute("UPDATE common SET value = ? WHERE name = 'page'", (page.encode(),))
        self.page = page
