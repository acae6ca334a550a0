"""The rounds of one worker process: hand events to the ledgers that all share, draw, and send if nobody else does."""

import sqlite3
from collections import Counter, defaultdict
from collections.abc import Iterator, Sized
from contextlib import contextmanager, suppress
from hashlib import sha256
from hmac import digest
from itertools import islice
from math import floor, inf
from pathlib import Path
from threading import Lock
from typing import NamedTuple

from hgldp.client.agreement import Agreed, Agreement
from hgldp.client.environment import Environment
from hgldp.client.inbox import Encoded, Event, Inbox
from hgldp.client.pace import Pace
from hgldp.client.people.accounts import ROW, Common, Person
from hgldp.client.people.booking import Booking, Plan
from hgldp.client.people.database import Database
from hgldp.client.people.lead import Lead
from hgldp.client.people.uploads import Uploads
from hgldp.client.sending.delivery import Delivery
from hgldp.client.sending.transport import Transport
from hgldp.client.spending.ceilings import Ceilings
from hgldp.client.spending.page import LedgerDamaged
from hgldp.client.status import Outcome, Status
from hgldp.errors import FolderLost, InvalidField
from hgldp.model.bulletins import AnyBulletin
from hgldp.model.period import Period
from hgldp.system.clock import SteadyTime

PEOPLE_AT_ONCE = 1_000
"""So many people to a transaction: others wait for it."""
LOOK_AGAIN = 1.0
KEY_BYTES = 16


class Owned(NamedTuple):
    """Whose event it is, and the event: its code if the task is known."""

    person: bytes
    item: object


class PeopleWorker:
    """Does for many people what `Worker` does for one. All that two workers share is the database and two files."""

    def __init__(
        self,
        folder: Path,
        task: str,
        write_key: str,
        ceilings: Ceilings,
        pace: Pace,
        environment: Environment,
        transport: Transport,
    ) -> None:
        self._task, self._pace = task, pace
        self.database = Database(folder, task)
        self.transport = transport
        self.common = Common(self.database, environment.clock)
        self.inbox = Inbox(pace.most_waiting, self.time.now)
        limits = (ceilings.most_batch, pace.most_uploads, pace.most_listed)
        self.uploads = Uploads(self.database, *limits, environment.words, environment.entropy)
        late = 2 * pace.gather + LOOK_AGAIN
        parts = (self.database, self.uploads, self.inbox, self.time, environment.words)
        self.booking = Booking(task, *parts, late)
        self.agreement = Agreement(folder, self.common, ceilings, pace, environment)
        self.delivery = Delivery(self.uploads, self.uploads, self.inbox, write_key, pace, environment)
        self.lead = Lead(folder, self.database)
        self._lock, self._waiting = Lock(), Counter[bytes]()
        self._tick = environment.chance() * pace.gather
        self._look = self._wait_until = 0.0
        self._pressed = False
        self._trouble = ""
        self._as_other = 0
        self.agreement.recall(0, self.time.now())

    @property
    def time(self) -> SteadyTime:
        """The time that all ledgers go by."""
        return self.common.time

    @property
    def queue(self) -> Sized:
        """What this process has to send: nothing, if another one sends."""
        return self.uploads if self.lead.held else ()

    @property
    def owes_a_report(self) -> bool:
        """Whether somebody's period is over, and this process makes the report."""
        period = self._period
        return period is not None and self.lead.held and bool(self.booking.due_people(1))

    @property
    def due(self) -> float:
        """When there will be something to do: at the next tick, or when the task or bulletin is to be renewed."""
        if self.agreement.refusal is not None:
            return 0.0 if len(self.inbox) or len(self.queue) else inf
        times = [self._look]
        if self.lead.held:
            times.append(self.agreement.due)
        agreed = self.agreement.agreed
        if not self._pace.gather and self.inbox.untouched and agreed is not None and self._bulletin(agreed) is not None:
            times.append(self._wait_until)
        return min(times)

    @property
    def _period(self) -> Period | None:
        agreed = self.agreement.agreed
        return None if agreed is None or self.agreement.refusal is not None else agreed.task.budget.period

    def hurry(self) -> None:
        """Do not wait for the next tick, nor for the next try unless the server asked for that."""
        self._pressed = True
        self.delivery.hurry()

    def key_of(self, person: str) -> bytes:
        """What stands for a person in the database; without the secret nobody gets from one to the other."""
        if not isinstance(person, str) or not person:
            raise InvalidField("person", "must be a text that is not empty, such as str(user.id)", "another (withheld)")
        return digest(self.database.secret, person.encode("utf-8", "surrogatepass"), sha256)[:KEY_BYTES]

    def look_up(self, key: bytes) -> Person:
        """A person's ledger as it is now; to be read, not to be changed."""
        rows = self.database.read(ROW, (key,))
        return Person(key, self._task, self.time, rows[0] if rows else None)

    def read(self, rows: sqlite3.Connection, key: bytes) -> Person:
        """The same inside a transaction, in which it may be changed."""
        return Person(key, self._task, self.time, rows.execute(ROW, (key,)).fetchone())

    def waiting_of(self, key: bytes) -> int:
        """How many events of a person wait in this process."""
        with self._lock:
            return self._waiting[key]

    def take(self, key: bytes, item: object) -> Outcome:
        """Keep an event in memory, unless it is already clear that it could not be reported."""
        known, inbox = self.agreement, self.inbox
        if known.refusal is not None:
            return inbox.drop(Outcome.REFUSED)
        try:
            person = self.look_up(key)
        except LedgerDamaged:
            return inbox.drop(Outcome.BROKEN)
        except OSError:
            return inbox.drop(Outcome.DISK)
        if person.page.opted_out:
            return inbox.drop(Outcome.OPTED_OUT)
        agreed, item = known.agreed, known.encoded(item)
        room = None if agreed is None else person.room(agreed.task, agreed.caps)
        with self._lock:
            spent = room is not None and self._waiting[key] >= room
            if not inbox.untouched:
                self._wait_until = self._next_tick(self.time.now())
            if not spent and inbox.put(Owned(key, item), None):
                self._waiting[key] += 1
                return Outcome.AS_OTHER if known.is_other(item) else Outcome.TAKEN
        return inbox.drop(person.cap_reached(agreed.caps) if spent and agreed is not None else Outcome.FULL)

    def round(self) -> None:
        """Do everything that is due. What fails is tried again later; what is refused is never sent."""
        self.database.verify()
        now = self.time.now()
        try:
            self.common.refresh()
            self._learn(now)
            if self.agreement.refusal is not None:
                self._take_all()
                self.inbox.clear(Outcome.REFUSED)
                self.uploads.clear()
            else:
                self.randomise(now)
                if self.lead.held:
                    self.report_periods(now)
                    self.deliver(now)
        except OSError as failure:
            self._trouble = f"the disk fails ({failure.strerror or type(failure).__name__})"
        else:
            self._trouble = ""
        finally:
            self._pressed = False
            later = self._next_tick(now) if self._pace.gather else now + LOOK_AGAIN
            self._look = later if self.agreement.agreed is not None else min(later, now + LOOK_AGAIN)
            self.transport.rest()

    def randomise(self, now: float) -> None:
        """Reserve for all people who have events, some at a time, and only then draw; or let events be drawn by lot."""
        agreed = self.agreement.agreed
        if agreed is None or (self.time.now() < self._wait_until and not self._pressed):
            return
        bulletin = self._bulletin(agreed)
        if bulletin is None and agreed.task.budget.period is None:
            return
        with self._taken() as events:
            while some := dict(islice(events.items(), PEOPLE_AT_ONCE)):
                plans = list[Plan]()
                if agreed.task.budget.period is not None:
                    self.booking.let_take_part(some, agreed.task.budget.period)
                elif bulletin is not None:
                    plans = self.booking.reserve(some, agreed, bulletin)
                for key in some:
                    del events[key]
                if bulletin is not None:
                    self.booking.draw(plans, agreed, bulletin, now)

    def report_periods(self, now: float) -> None:
        """The report of everybody whose period is over."""
        agreed, period = self.agreement.agreed, self._period
        while agreed is not None and period is not None:
            bulletin, people = self._bulletin(agreed), self.booking.due_people(PEOPLE_AT_ONCE)
            if bulletin is None or not people:
                return
            plans = self.booking.reserve_periods(people, agreed, period, bulletin)
            self.booking.draw(plans, agreed, bulletin, now)

    def deliver(self, now: float) -> None:
        """Send, provided that the server has shown no forged bulletin."""
        agreed = self.agreement.agreed
        if agreed is not None and agreed.bulletins.trusted:
            self.delivery.round(self.transport, now)

    def status(self, state: str | None, trouble: str) -> Status:
        """How things are in this process, and in the queue of all."""
        known, agreed = self.agreement, self.agreement.agreed
        if state is None and known.refusal is not None:
            state = "refused"
        if state is None and (agreed is None or not agreed.bulletins.held):
            state = "starting"
        if state is None and agreed is not None:
            fresh = agreed.bulletins.fresh(self.time.now()) is not None
            state = "suspended" if not agreed.bulletins.trusted else "ready" if fresh else "stale"
        reason = trouble or known.refusal or known.trouble or self._trouble or self.delivery.trouble
        counts = (len(self.inbox), len(self.uploads), self.delivery.delivered)
        return Status(str(state), reason, *counts, self.inbox.dropped, self._as_other)

    def settle(self) -> None:
        """The last thing before the end: write the time down, and let another worker send."""
        with suppress(OSError, FolderLost, LedgerDamaged):
            if self.lead.held:
                self.common.keep_time()
        self.lead.step_down()
        self.database.close()

    def abandon(self) -> None:
        """In a forked child: lock and database are the parent's."""
        self.lead.step_down()
        self.database.abandon()

    def _next_tick(self, now: float) -> float:
        """The first tick after now. Ticks are drawn when the worker starts, so no upload tells the time of an event."""
        every = self._pace.gather
        return now if not every else self._tick + (floor((now - self._tick) / every) + 1) * every

    def _learn(self, now: float) -> None:
        """Whoever sends asks the collector for task and bulletin; the others read what it kept."""
        if self.lead.seek():
            self.agreement.renew(self.transport, 0, now)
            self.common.keep_time()
            agreed = self.agreement.agreed
            self.lead.share_doubt(doubt=agreed is not None and not agreed.bulletins.trusted)
            return
        if self.agreement.agreed is None:
            self.agreement.recall(0, now)
        elif self.agreement.refusal is None:
            self.agreement.agreed.bulletins.load(now)
        if self.agreement.agreed is not None and self.lead.doubts:
            self.agreement.agreed.bulletins.trusted = False

    def _bulletin(self, agreed: Agreed) -> AnyBulletin | None:
        """The one to answer now; None if it is too old, or the queue has no room for an answer."""
        return None if self.uploads.full else agreed.bulletins.fresh(self.time.now())

    def _take_all(self) -> list[Event]:
        with self._lock:
            self._waiting.clear()
            return self.inbox.take(self.inbox.untouched)

    @contextmanager
    def _taken(self) -> Iterator[dict[bytes, list[Event]]]:
        """All events, by person. Whatever is still in here when something fails is lost, and is told."""
        events = defaultdict[bytes, list[Event]](list)
        try:
            for moment, owned in self._take_all():
                code = self.agreement.code_of(owned.item)  # type: ignore[attr-defined]
                self._as_other += self.agreement.is_other(Encoded(code))
                events[owned.person].append(Event(moment, code))  # type: ignore[attr-defined]
            yield events
        except BaseException as failure:
            reason = Outcome.DISK if isinstance(failure, OSError) else Outcome.BROKEN
            self.inbox.drop(reason, sum(map(len, events.values())))
            raise
        finally:
            self.inbox.done()
