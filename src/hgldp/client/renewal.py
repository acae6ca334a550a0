"""The timer that task and bulletin are renewed by. It knows nothing of events."""

from hgldp.client.agreement import Agreement
from hgldp.client.pace import Pace
from hgldp.client.refusals import Unreachable, Untrusted
from hgldp.client.transport import Transport
from hgldp.client.world import World


class Renewal:
    """Due well within the bulletin's age, blurred; after a failure sooner, and then less and less often."""

    def __init__(self, agreement: Agreement, pace: Pace, world: World) -> None:
        self._agreement, self._pace, self._world = agreement, pace, world
        self._failures = 0
        self.due, self.trouble = 0.0, ""

    def round(self, transport: Transport, sent: int, now: float) -> None:
        """Renew if it is time, and plan the next time."""
        if now < self.due or self._agreement.refusal is not None:
            return
        try:
            self._agreement.learn(transport, sent, now)
            if self._agreement.bulletins is not None:
                self._agreement.bulletins.renew(transport, now)
        except (Unreachable, Untrusted, OSError) as failure:
            self._failures += 1
            self.trouble = "the disk fails" if isinstance(failure, OSError) else str(failure)
            self.due = now + self._pace.retry_after(self._failures, self._world.chance())
        else:
            self._failures, self.trouble = 0, ""
            self.plan(now)

    def plan(self, now: float) -> None:
        """The next time, counted from when the bulletin was fetched."""
        bulletins = self._agreement.bulletins
        if bulletins is not None:
            every = self._pace.renew or max(self._pace.least_renew, min(bulletins.max_age, self._pace.most_age) / 2)
            self.due = min(now, bulletins.fetched) + every * (0.75 + self._world.chance() / 4)
