"""One round after another: learn the task, renew the bulletin, randomise what waits, send what is queued."""

from contextlib import suppress
from math import inf
from pathlib import Path

from hgldp.client.agreement import Agreement, Ceilings
from hgldp.client.delivery import Delivery
from hgldp.client.environment import Environment
from hgldp.client.inbox import Inbox
from hgldp.client.ledger import Caps, Ledger, LedgerDamaged
from hgldp.client.outbox import Queue, SentList
from hgldp.client.pace import Pace
from hgldp.client.randomizer import Randomizer
from hgldp.client.status import Outcome, Status
from hgldp.client.transport import Transport
from hgldp.errors import FolderLost
from hgldp.model.bulletins import AnyBulletin
from hgldp.schemes.base import Scheme
from hgldp.system.folder_lock import FolderLock
from hgldp.wire.upload import ID_BYTES, Upload


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
        self.inbox = Inbox(pace.most_waiting)
        self.queue = Queue(disk, folder / "queue", pace.most_uploads)
        self.sent = SentList(disk, folder / "sent", pace.most_listed, self.queue)
        self.agreement = Agreement(folder, task, ceilings, pace, environment)
        self.delivery = Delivery(self.queue, self.sent, self.inbox, write_key, pace, environment)
        if self.ledger.page.opted_out:
            self.delete_everything()
        else:
            self.agreement.recall(self.ledger.page.reports, self.ledger.time.now())

    @property
    def due(self) -> float:
        """When there will be something to do."""
        if self.agreement.refusal is not None:
            return 0.0 if len(self.inbox) or len(self.queue) else inf
        now, bulletins = self.ledger.time.now(), self.agreement.bulletins
        if bulletins is None or not bulletins.trusted:
            return self.agreement.due
        ready = now if len(self.inbox) and not self.queue.full and bulletins.fresh(now) else inf
        return min(self.agreement.due, ready, self.delivery.next_try if len(self.queue) else inf)

    def take(self, item: object) -> Outcome:
        """Keep an event in memory, unless it is already clear that it could not be reported."""
        known, inbox = self.agreement, self.inbox
        if known.refusal is not None:
            return inbox.drop(Outcome.REFUSED)
        if not known.within(item):
            return inbox.drop(Outcome.OUTSIDE)
        left = None if known.caps is None else self.ledger.left(known.caps)
        if inbox.put(item, left):
            return Outcome.TAKEN
        return inbox.drop(Outcome.FULL if left is None or inbox.untouched < left else self.cap_reached())

    def status(self, state: str | None, trouble: str) -> Status:
        """How things are now. The caller gives the `state` and the `trouble` if it knows better."""
        known = self.agreement
        state = state or ("refused" if known.refusal is not None else self._bulletin_state())
        reason = trouble or known.refusal or known.trouble or self._trouble or self.delivery.trouble
        counts = (len(self.inbox), len(self.queue), self.delivery.delivered)
        return Status(state, reason, *counts, self.inbox.dropped)

    def round(self) -> None:
        """Do everything that is due. What fails is tried again later; what is refused is never sent."""
        self._lock.verify()
        now = self.ledger.time.now()
        try:
            self.agreement.renew(self.transport, self.ledger.page.reports, now)
            if self.agreement.refusal is not None:
                self.inbox.clear(Outcome.REFUSED)
                self.queue.clear()
            else:
                self.randomise(now)
                self.deliver(now)
        except OSError as failure:
            self._trouble = f"the disk fails ({type(failure).__name__})"
        else:
            self._trouble = ""
        finally:
            self.transport.rest()

    def randomise(self, now: float) -> None:
        """Randomise the events that wait now, in as few uploads as `most_batch` allows.

        Those that come meanwhile wait for the next round, which renews the bulletin first.
        """
        known = self.agreement
        if known.randomizer is None or known.scheme is None or known.caps is None or known.bulletins is None:
            return
        waiting = self.inbox.untouched
        while waiting and not self.queue.full and (bulletin := known.bulletins.fresh(self.ledger.time.now())):
            events = self.inbox.take(min(waiting, self._most_batch))
            waiting -= len(events)
            try:
                if not events:
                    return
                self._draw(events, bulletin, known.randomizer, known.scheme, known.caps, now)
            except BaseException as failure:
                self.inbox.drop(Outcome.DISK if isinstance(failure, OSError) else Outcome.BROKEN, len(events))
                raise
            finally:
                self.inbox.done()

    def _draw(
        self,
        events: list[object],
        bulletin: AnyBulletin,
        randomizer: Randomizer,
        scheme: Scheme,
        caps: Caps,
        now: float,
    ) -> None:
        """Reserve, draw once, queue: in this order, each step durable before the next. Nothing is ever drawn again."""
        legal = [item for item in events if self.agreement.within(item)]
        granted = self.ledger.reserve(len(legal), caps)
        if granted:
            symbols = [randomizer.report(item, bulletin).symbol for item in legal[:granted]]
            limit = scheme.symbol_limit(bulletin)
            upload = Upload.of(self._entropy(ID_BYTES), bytes.fromhex(bulletin.version), symbols, limit)
            self.queue.put(upload.encode(), int(now))
        self.inbox.drop(Outcome.OUTSIDE, len(events) - len(legal))
        self.inbox.drop(self.cap_reached(), len(legal) - granted)

    def deliver(self, now: float) -> None:
        """Send, provided that the task is known and the server has shown no forged bulletin."""
        bulletins = self.agreement.bulletins
        if bulletins is not None and bulletins.trusted and not self.ledger.page.opted_out:
            self.delivery.round(self.transport, now)

    def settle(self) -> None:
        """The last thing before the end: leave the ledger as it must be. If that fails, the next start notices."""
        with suppress(OSError, FolderLost, LedgerDamaged):
            self.ledger.settle()

    def cap_reached(self) -> Outcome:
        """Why the ledger grants no more."""
        caps, page = self.agreement.caps, self.ledger.page
        spent = caps is not None and caps.ever is not None and page.reports >= caps.ever
        return Outcome.SPENT if spent else Outcome.DAILY_CAP

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
        """Delete all that was queued, listed or learnt. The ledger's counts stay."""
        self.inbox.clear(Outcome.OPTED_OUT)
        self.queue.clear()
        self.sent.clear()
        self.agreement.delete()

    def _bulletin_state(self) -> str:
        bulletins = self.agreement.bulletins
        if bulletins is None or not bulletins.held:
            return "starting"
        if not bulletins.trusted:
            return "suspended"
        return "stale" if bulletins.fresh(self.ledger.time.now()) is None else "ready"
