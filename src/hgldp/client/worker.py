"""One round after another: learn the task, renew the bulletin, randomise what waits, send what is queued."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from math import ceil, inf
from pathlib import Path

from hgldp.client.agreement import Agreed, Agreement
from hgldp.client.environment import Environment
from hgldp.client.inbox import Event, Inbox
from hgldp.client.pace import Pace
from hgldp.client.sending.delivery import Delivery
from hgldp.client.sending.outbox import Queue, SentList, packed
from hgldp.client.sending.transport import Transport
from hgldp.client.spending.ceilings import Ceilings
from hgldp.client.spending.choice import chosen, reserve
from hgldp.client.spending.drawn import Drawn
from hgldp.client.spending.ledger import Ledger
from hgldp.client.spending.page import LedgerDamaged
from hgldp.client.spending.periods import Periods
from hgldp.client.status import Outcome, Status
from hgldp.errors import FolderLost
from hgldp.model.bulletins import AnyBulletin
from hgldp.model.task import Task
from hgldp.system.clock import SteadyTime
from hgldp.system.folder_lock import FolderLock


class Worker:
    """Everything that touches disk and network, one step at a time; it knows nothing of threads."""

    def __init__(
        self,
        folder: Path,
        task: str,
        write_key: str,
        ceilings: Ceilings,
        pace: Pace,
        environment: Environment,
        transport: Transport,
        lock: FolderLock,
    ) -> None:
        disk = environment.disk
        self._most_batch = ceilings.most_batch
        self._entropy = environment.entropy
        self._trouble = ""
        self._lock = lock
        self.transport = transport
        self.ledger = Ledger(disk, folder / "ledger", task, environment.clock, lock)
        self.inbox = Inbox(pace.most_waiting, self.ledger.time.now)
        self.queue = Queue(disk, folder / "queue", pace.most_uploads)
        self.sent = SentList(disk, folder / "sent", pace.most_listed, self.queue)
        self.agreement = Agreement(folder, self.ledger, ceilings, pace, environment)
        self.periods = Periods(self.ledger, Drawn(disk, folder / "drawn"), self.inbox, environment.words)
        self._words = environment.words
        self._every, self._tick = pace.gather, environment.chance() * pace.gather
        self._as_other = 0
        self._wait_until, self._pressed = 0.0, False
        self.delivery = Delivery(self.queue, self.sent, self.inbox, write_key, pace, environment)
        if self.ledger.page.opted_out:
            self.delete_everything()
        else:
            self.agreement.recall(self.ledger.page.reports, self.ledger.time.now())

    @property
    def time(self) -> SteadyTime:
        """The time that the ledger goes by."""
        return self.ledger.time

    @property
    def due(self) -> float:
        """When there will be something to do. Events move it to the next tick, not to the moment that they come."""
        if self.agreement.refusal is not None:
            return 0.0 if len(self.inbox) or len(self.queue) else inf
        now, agreed = self.ledger.time.now(), self.agreement.agreed
        if agreed is None or not agreed.bulletins.trusted:
            return self.agreement.due
        times = [self.agreement.due, self.delivery.next_try if len(self.queue) else inf]
        able = self._bulletin(agreed) is not None
        if agreed.task.budget.period is not None:
            end = self.periods.end(agreed.task.budget.period)
            times.append(now if end is None or (self.periods.report_is_due and able) else end)
            able = True
        if len(self.inbox) and able:
            times.append(self._wait_until)
        return min(times)

    @property
    def owes_a_report(self) -> bool:
        """Whether a period is over and its report could be made: a run must not end before it because no event came."""
        agreed = self.agreement.agreed
        period = None if agreed is None or self.agreement.refusal else agreed.task.budget.period
        return period is not None and not self.ledger.page.opted_out and self.periods.has_report_to_make(period)

    def hurry(self) -> None:
        """Do not wait for the next tick, nor for the next try unless the server asked for that."""
        self._pressed = True
        self.delivery.hurry()

    def _next_tick(self, now: float) -> float:
        """The ticks are drawn when the client starts, so the time of an upload does not tell the time of an event."""
        return now if not self._every else self._tick + ceil((now - self._tick) / self._every) * self._every

    def take(self, item: object) -> Outcome:
        """Keep an event in memory, unless it is already clear that it could not be reported."""
        known, inbox = self.agreement, self.inbox
        if known.refusal is not None:
            return inbox.drop(Outcome.REFUSED)
        item = known.encoded(item)
        left = None if known.agreed is None else self.ledger.room(known.agreed.task, known.agreed.caps)
        if not inbox.untouched:
            self._wait_until = self._next_tick(self.ledger.time.now())
        if inbox.put(item, left):
            return Outcome.AS_OTHER if known.is_other(item) else Outcome.TAKEN
        spent = known.agreed is not None and left is not None and inbox.untouched >= left
        return inbox.drop(self.ledger.cap_reached(known.agreed.caps) if spent and known.agreed else Outcome.FULL)

    def status(self, state: str | None, trouble: str) -> Status:
        """How things are now. The caller gives the `state` and the `trouble` if it knows better."""
        known = self.agreement
        state = state or ("refused" if known.refusal is not None else self._bulletin_state())
        agreed = known.agreed
        cap = "" if agreed is None else self.ledger.rule_reached(agreed.task, agreed.caps, self.inbox.untouched)
        reason = trouble or known.refusal or known.trouble or self._trouble or self.delivery.trouble or cap
        counts = (len(self.inbox), len(self.queue), self.delivery.delivered)
        period = None if agreed is None else agreed.task.budget.period
        end = None if period is None else self.periods.end(period)
        return Status(state, reason, *counts, self.inbox.dropped, self._as_other, end, cap)

    def round(self) -> None:
        """Do everything that is due. What fails is tried again later; what is refused is never sent."""
        self._lock.verify()
        now = self.ledger.time.now()
        try:
            self.ledger.settle()
            self.agreement.renew(self.transport, self.ledger.page.reports, now)
            if self.agreement.refusal is not None:
                self.inbox.clear(Outcome.REFUSED)
                self.periods.drawn.clear()
                self.queue.clear()
            else:
                self.randomise(now)
                self.deliver(now)
        except OSError as failure:
            self._trouble = f"the disk fails ({type(failure).__name__})"
        else:
            self._trouble = ""
        finally:
            self._pressed = False
            self.transport.rest()

    def randomise(self, now: float) -> None:
        """Randomise the events that wait now, in as few uploads as `most_batch` allows; or let them be drawn by lot.

        Those that come meanwhile wait for the next round, which renews the bulletin first.
        """
        agreed = self.agreement.agreed
        if agreed is None:
            return
        period = agreed.task.budget.period
        if period is not None:
            moment = self.inbox.moment()
            with self._taken(self.inbox.untouched) as events:
                self.periods.take(period, [(each.moment, self.agreement.code_of(each.item)) for each in events])
            self.periods.look(period, moment)
            self._report_period(agreed, now)
            return
        if self.ledger.time.now() < self._wait_until and not self._pressed:
            return
        waiting = self.inbox.untouched
        while waiting:
            bulletin = self._bulletin(agreed)
            if bulletin is None:
                return
            together = waiting if agreed.task.one_answer else min(waiting, self._most_batch)  # all share one lot
            with self._taken(together) as events:
                waiting -= len(events)
                if not events:
                    return
                self._draw([each.item for each in events], bulletin, agreed, now)

    @contextmanager
    def _taken(self, most: int) -> Iterator[list[Event]]:
        """The oldest events. What fails loses them, and is told."""
        events = self.inbox.take(most)
        try:
            self._as_other += sum(self.agreement.is_other(each.item) for each in events)
            yield events
        except BaseException as failure:
            self.inbox.drop(Outcome.DISK if isinstance(failure, OSError) else Outcome.BROKEN, len(events))
            raise
        finally:
            self.inbox.done()

    def _bulletin(self, agreed: Agreed) -> AnyBulletin | None:
        """The one to answer now; None if it is too old, or the queue has no room for an answer."""
        return None if self.queue.full else agreed.bulletins.fresh(self.ledger.time.now())

    def _report_period(self, agreed: Agreed, now: float) -> None:
        """The one report of the period that is over, as soon as there is a bulletin for it."""
        bulletin = self._bulletin(agreed)
        if bulletin is not None and self.periods.report_is_due:
            symbol = self.periods.report(agreed.randomizer, agreed.caps, bulletin)
            if symbol is not None:
                self._queue([symbol], bulletin, agreed, now)

    def _draw(self, events: list[object], bulletin: AnyBulletin, agreed: Agreed, now: float) -> None:
        """Reserve, draw once, queue: in this order, each step durable before the next. Nothing is ever drawn again."""
        wanted = self._chosen(events, agreed.task)
        terms = (agreed.task, agreed.caps, bulletin, self._words)
        granted, lost = reserve(self.ledger, events, wanted, *terms)
        if granted:
            codes = [self.agreement.code_of(item) for item in granted]
            symbols = [agreed.randomizer.report_code(code, bulletin).symbol for code in codes]
            self._queue(symbols, bulletin, agreed, now)
        lost.drop(self.inbox)

    def _chosen(self, events: list[object], task: Task) -> list[object]:
        """Those that are reported."""
        return chosen(self.ledger, events, task, self._words)

    def _queue(self, symbols: list[int], bulletin: AnyBulletin, agreed: Agreed, now: float) -> None:
        """One upload of these symbols, in an order drawn by lot."""
        limit = agreed.scheme.symbol_limit(bulletin)
        upload = packed(symbols, bytes.fromhex(bulletin.version), limit, self._words, self._entropy)
        self.queue.put(upload, int(now))

    def deliver(self, now: float) -> None:
        """Send, provided that the task is known and the server has shown no forged bulletin."""
        agreed = self.agreement.agreed
        if agreed is not None and agreed.bulletins.trusted and not self.ledger.page.opted_out:
            self.delivery.round(self.transport, now)

    def settle(self) -> None:
        """The last thing before the end: leave the ledger as it must be. If that fails, the next start notices."""
        with suppress(OSError, FolderLost, LedgerDamaged):
            self.ledger.close()

    def opt_out(self) -> None:
        """Write the choice down, then delete; after a crash in between, the next start deletes."""
        try:
            self.ledger.opt(out=True)
        finally:
            self.delete_everything()

    def opt_in(self) -> None:
        """Start again, without the events that were handed over in between."""
        self.ledger.opt(out=False)
        self.inbox.clear(Outcome.OPTED_OUT)

    def delete_everything(self) -> None:
        """Delete all that was queued, listed or learnt, but not the ledger, nor a bulletin that has to stay."""
        self.inbox.clear(Outcome.OPTED_OUT)
        self.periods.drawn.clear()
        self.queue.clear()
        self.sent.clear()
        self.agreement.delete()

    def _bulletin_state(self) -> str:
        agreed = self.agreement.agreed
        if agreed is None or not agreed.bulletins.held:
            return "starting"
        if not agreed.bulletins.trusted:
            return "suspended"
        return "stale" if agreed.bulletins.fresh(self.ledger.time.now()) is None else "ready"
