"""One round after another: learn the task, renew the bulletin, randomise what waits, send what is queued."""

from math import inf
from pathlib import Path

from hgldp.client.agreement import Agreement
from hgldp.client.ceilings import Caps, Ceilings
from hgldp.client.delivery import Delivery
from hgldp.client.inbox import Inbox
from hgldp.client.ledger import Ledger
from hgldp.client.pace import Pace
from hgldp.client.queue import Queue
from hgldp.client.randomizer import Randomizer
from hgldp.client.refusals import Outcome
from hgldp.client.renewal import Renewal
from hgldp.client.sent import SentList
from hgldp.client.transport import Transport
from hgldp.client.world import World
from hgldp.model.bulletins import AnyBulletin
from hgldp.schemes.base import Scheme
from hgldp.wire.upload import ID_BYTES, Upload


class Worker:
    """Everything that touches disk and network, one step at a time; threads are the reporter's business."""

    def __init__(
        self,
        folder: Path,
        task: str,
        write_key: str,
        ceilings: Ceilings,
        pace: Pace,
        world: World,
        transport: Transport,
    ) -> None:
        self._most_batch, self._world, self.transport = ceilings.most_batch, world, transport
        self.ledger = Ledger(world.disk, folder / "ledger", task, world.clock)
        self.inbox = Inbox(pace.most_waiting)
        self.queue = Queue(world.disk, folder / "queue", pace.most_uploads)
        self.sent = SentList(world.disk, folder / "sent", pace.most_listed)
        self.agreement = Agreement(folder, task, ceilings, pace, world)
        self.delivery = Delivery(self.queue, self.sent, self.inbox, write_key, pace, world)
        self.renewal, self.trouble = Renewal(self.agreement, pace, world), ""
        now = self.ledger.time.now()
        if self.ledger.page.opted_out:
            self.delete_everything()
        elif self.agreement.recall(self.ledger.page.reports, now):
            self.renewal.plan(now)

    @property
    def due(self) -> float:
        """When the next round is worth its while."""
        if self.agreement.refusal is not None:
            return 0.0 if len(self.inbox) or len(self.queue) else inf
        now, bulletins = self.ledger.time.now(), self.agreement.bulletins
        if bulletins is None or not bulletins.trusted:
            return self.renewal.due
        ready = now if len(self.inbox) and not self.queue.full and bulletins.fresh(now) else inf
        return min(self.renewal.due, ready, self.delivery.next_try if len(self.queue) else inf)

    def take(self, item: object) -> Outcome:
        """An event into memory, unless it is clear already that it could not be reported."""
        known, inbox = self.agreement, self.inbox
        if known.refusal is not None:
            return inbox.drop(Outcome.REFUSED)
        if not known.within(item):
            return inbox.drop(Outcome.OUTSIDE)
        if known.caps is not None and self.ledger.left(known.caps) <= inbox.untouched:
            return inbox.drop(self.cap_reached())
        return Outcome.TAKEN if inbox.put(item) else inbox.drop(Outcome.FULL)

    def round(self) -> None:
        """Do whatever is due. What fails is tried again later; what is refused is never sent."""
        now = self.ledger.time.now()
        try:
            self.renewal.round(self.transport, self.ledger.page.reports, now)
            if self.agreement.refusal is not None:
                self.inbox.clear(Outcome.REFUSED)
                self.queue.clear()
            else:
                self.randomise(now)
                self.deliver(now)
        except OSError as failure:
            self.trouble = f"the disk fails ({type(failure).__name__})"
        else:
            self.trouble = ""
        finally:
            self.transport.rest()

    def randomise(self, now: float) -> None:
        """Everything that waits, against one bulletin, in as few uploads as the ceiling on batches allows."""
        known = self.agreement
        if known.randomizer is None or known.scheme is None or known.caps is None or known.bulletins is None:
            return
        while (bulletin := known.bulletins.fresh(now)) and not self.queue.full:
            events = self.inbox.take(self._most_batch)
            try:
                if not events:
                    return
                self._draw(events, bulletin, known.randomizer, known.scheme, known.caps, now)
            except OSError:
                self.inbox.drop(Outcome.DISK, len(events))
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
        """Reserve, draw once, queue: in this order, each durable before the next. Nothing is ever drawn again."""
        legal = [item for item in events if self.agreement.within(item)]
        self.inbox.drop(Outcome.OUTSIDE, len(events) - len(legal))
        granted = self.ledger.reserve(len(legal), caps)
        self.inbox.drop(self.cap_reached(), len(legal) - granted)
        if granted:
            symbols = [randomizer.report(item, bulletin).symbol for item in legal[:granted]]
            limit = scheme.symbol_limit(bulletin)
            upload = Upload.of(self._world.entropy(ID_BYTES), bytes.fromhex(bulletin.version), symbols, limit)
            self.queue.put(upload.encode(), int(now))

    def deliver(self, now: float) -> None:
        """Send, as long as the task is known and the server has shown no forged bulletin."""
        bulletins = self.agreement.bulletins
        if bulletins is not None and bulletins.trusted and not self.ledger.page.opted_out:
            self.delivery.round(self.transport, now)

    def cap_reached(self) -> Outcome:
        """Why the ledger grants no more."""
        caps, page = self.agreement.caps, self.ledger.page
        spent = caps is not None and caps.ever is not None and page.reports >= caps.ever
        return Outcome.SPENT if spent else Outcome.DAILY_CAP

    def opt_out(self) -> None:
        """The choice first, then everything that the choice deletes; a crash in between is mended at the next start."""
        try:
            self.ledger.opt(out=True)
        finally:
            self.delete_everything()

    def opt_in(self) -> None:
        """Start again, with nothing that was handed over in between."""
        self.ledger.opt(out=False)
        self.inbox.clear(Outcome.OPTED_OUT)

    def delete_everything(self) -> None:
        """All that was queued, listed or learnt. The ledger's counts stay."""
        self.inbox.clear(Outcome.OPTED_OUT)
        self.queue.clear()
        self.sent.clear()
        self.agreement.delete()
        self.renewal.due = 0.0
