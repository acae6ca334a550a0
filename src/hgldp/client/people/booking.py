"""From events to reports, for some people at a time: reserve in one transaction, draw, queue in another."""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from hgldp.client.agreement import Agreed
from hgldp.client.inbox import Event, Inbox
from hgldp.client.people.accounts import ROW, Person, let_take_part
from hgldp.client.people.database import Database
from hgldp.client.people.uploads import Made, Uploads
from hgldp.client.spending.choice import Counts, chosen, reserve
from hgldp.client.spending.drawn import Draw
from hgldp.client.spending.page import LedgerDamaged
from hgldp.client.spending.periods import Periods
from hgldp.client.status import Outcome
from hgldp.errors import InvalidField
from hgldp.model.bulletins import AnyBulletin
from hgldp.model.domain import Code
from hgldp.model.period import Period
from hgldp.model.randomness import Words
from hgldp.model.reserved import Reserved
from hgldp.system.clock import SteadyTime


class Plan(NamedTuple):
    """What was reserved for a person: what to draw, after how many reports, and what is not reported."""

    person: bytes
    codes: list[Code]
    before: int
    lost: Counts


class Booking:
    """Reads a person's ledger only inside the transaction that changes it: other workers spend from the same one."""

    def __init__(
        self,
        task: str,
        database: Database,
        uploads: Uploads,
        inbox: Inbox,
        time: SteadyTime,
        words: Words,
        late: float,
    ) -> None:
        self._task = task
        self._database, self._uploads, self._inbox = database, uploads, inbox
        self._time, self._words, self._late = time, words, late

    def reserve(self, some: dict[bytes, list[Event]], agreed: Agreed, bulletin: AnyBulletin) -> list[Plan]:
        """Spend what the events of these people cost, as far as it is granted."""
        plans, refused = list[Plan](), Counter[Outcome]()
        with self._database.write() as rows:
            for key, events in some.items():
                person, usable = self._usable(rows.execute(ROW, (key,)).fetchone(), key, events, refused)
                if person is not None:
                    codes: list[Code] = [each.item for each in usable]  # type: ignore[misc]
                    wanted, before = chosen(person, codes, agreed.task, self._words), person.page.reports
                    terms = (agreed.task, agreed.caps, bulletin, self._words)
                    granted, lost = reserve(person, codes, wanted, *terms)
                    person.save(rows)
                    plans.append(Plan(key, granted, before, lost))
        self._refuse(refused)
        for plan in plans:
            plan.lost.drop(self._inbox)
        return plans

    def let_take_part(self, some: dict[bytes, list[Event]], period: Period) -> None:
        """Let the events of these people take part in the draws of their periods."""
        refused = Counter[Outcome]()
        with self._database.write() as rows:
            for key, events in some.items():
                person, usable = self._usable(rows.execute(ROW, (key,)).fetchone(), key, events, refused)
                if person is not None:
                    periods = Periods(person, person.draws, self._inbox, self._words)
                    pairs: list[tuple[float, Code]] = [(each.moment, each.item) for each in usable]  # type: ignore[misc]
                    refused[Outcome.NOT_DRAWN] += let_take_part(periods, period, pairs)
                    person.due = person.ripe(period, self._late)
                    person.save(rows)
        self._refuse(refused)

    def _usable(
        self,
        row: tuple[bytes, bytes | None, float] | None,
        key: bytes,
        events: list[Event],
        refused: Counter[Outcome],
    ) -> tuple[Person | None, list[Event]]:
        """The person as the transaction reads it, and the events since the last choice; None if there are none."""
        try:
            person = Person(key, self._task, self._time, row)
        except LedgerDamaged:
            refused[Outcome.BROKEN] += len(events)
            return None, []
        usable = [] if person.page.opted_out else [each for each in events if each.moment >= person.opted]
        refused[Outcome.OPTED_OUT] += len(events) - len(usable)
        return (person, usable) if usable else (None, [])

    def _refuse(self, refused: Counter[Outcome]) -> None:
        for reason, events in refused.items():
            self._inbox.drop(reason, events)

    def due_people(self, most: int) -> list[bytes]:
        """Of whom a period is over, and late events have come; or whose first period is to be opened."""
        query = "SELECT person FROM people WHERE due <= ? LIMIT ?"
        return [key for (key,) in self._database.read(query, (int(self._time.now()), most))]

    def reserve_periods(self, people: list[bytes], agreed: Agreed, period: Period, bulletin: AnyBulletin) -> list[Plan]:
        """Spend the report of each of these people whose period is over."""
        plans, lost, moment = list[Plan](), Inbox(1, self._time.now), self._time.now()
        with self._database.write() as rows:
            for key in people:
                try:
                    person = Person(key, self._task, self._time, rows.execute(ROW, (key,)).fetchone())
                except LedgerDamaged:
                    rows.execute("UPDATE people SET due = NULL WHERE person = ?", (key,))
                    continue
                if person.page.opted_out:
                    rows.execute("UPDATE people SET due = NULL WHERE person = ?", (key,))
                    continue
                periods, before = Periods(person, person.draws, lost, self._words), person.page.reports
                periods.look(period, moment)
                over: Draw | None = None
                if person.ripe(period, self._late) <= moment:
                    over = periods.reserve(agreed.task, agreed.caps, bulletin)
                person.due = person.ripe(period, self._late)
                person.save(rows)
                if over is not None:
                    code = over.code if over.seen else agreed.task.encode(Reserved.NOTHING)
                    plans.append(Plan(key, [code], before, Counts(0, 0, 0, Outcome.NOT_DRAWN)))
        for text, events in lost.dropped.items():
            self._inbox.drop(Outcome(text), events)
        return plans

    def draw(self, plans: Sequence[Plan], agreed: Agreed, bulletin: AnyBulletin, now: float) -> None:
        """Draw what was reserved, which is durable by now. Each person has a randomiser of his or her own.

        `now` is from before the reservation: who opted out since then is not reported, even after opting in again.
        """
        made, version, above = list[Made](), bytes.fromhex(bulletin.version), agreed.scheme.symbol_limit(bulletin)
        for plan in plans:
            randomizer = agreed.randomizer.another(plan.before)
            for code in plan.codes:
                try:
                    symbol = randomizer.report_code(code, bulletin).symbol
                except InvalidField:  # a code from the disk that is none of this task
                    self._inbox.drop(Outcome.DISK)
                else:
                    made.append(Made(plan.person, version, symbol, above, int(now), now))
        try:
            kept = self._uploads.add(made) if made else 0
        except OSError:
            self._inbox.drop(Outcome.DISK, len(made))
            raise
        self._inbox.drop(Outcome.OPTED_OUT, len(made) - kept)
