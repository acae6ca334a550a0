"""So much per second, shared by the addresses that ask: a bucket that nobody can keep empty for the others."""

from math import exp, sqrt

from hgldp.collector.writer.quotas.accounts import Account
from hgldp.system.clock import Clock

BURST_SECONDS, FADE_SECONDS = 10, 5
SHORTEST_WAIT, LONGEST_WAIT = 1.0, 3.0


class SharedRate:
    """A bucket that refills at `per_second` and holds what comes in ten seconds. Nothing comes from anywhere else.

    So in any t seconds it hands out at most `per_second` · (t + 10), and `per_second` · t if it started empty, as it
    does after a restart. What is saved for a large upload counts when it is saved.

    **Fair.** Say a fraction x of the bucket is filled. Then an address may have had, of late, at most x² of a full
    one. What it has had fades by the factor e in five seconds. Alone, an address can have the whole rate: its use
    settles where the bucket is nearly full. Of n greedy ones each gets a share of 1/n, and about 0.7/√n of the bucket
    stays, so that whoever comes new, or asks for less than a share, gets it at once. Many people behind one address
    have the share of one while others ask for theirs, and all that is left over when they do not.

    **Large uploads.** What is more than its share at the moment is paid in instalments: a refused attempt saves what
    it could have had, and one of the next attempts finds all of it saved. If the bucket ran into debt instead, an
    upload of 65,522 reports at 10 per second would be counted at once, and everybody would wait two hours for it.
    """

    def __init__(self, per_second: float, clock: Clock, *, full: bool) -> None:
        self._per_second, self._clock = per_second, clock
        self._most = per_second * BURST_SECONDS
        self._left, self._filled = self._most if full else 0.0, clock.monotonic()

    def resize(self, per_second: float) -> None:
        """Refill at another rate from now on."""
        self._per_second, self._most = per_second, per_second * BURST_SECONDS
        self._left = min(self._left, self._most)

    def charge(self, amount: float, account: Account | None) -> None:
        """Spend what nobody knew before; who spent it gets the less afterwards, and the bucket is never in debt."""
        now = self._clock.monotonic()
        left = min(self._most, self._left + (now - self._filled) * self._per_second)
        self._left, self._filled = max(0.0, left - amount), now
        if account is not None:
            account.used = account.used * exp((account.seen - now) / FADE_SECONDS) + amount
            account.seen = now

    def take(self, amount: float, account: Account | None) -> float:
        """Spend it and return 0; or save what can be had and return the seconds to wait. None has no share."""
        now, most = self._clock.monotonic(), self._most
        left = self._left + (now - self._filled) * self._per_second
        left, self._filled = left if left < most else most, now
        if account is None:
            self._left = left - amount if amount <= left else left
            return 0.0 if amount <= left else self._wait(amount - left)
        used, account.seen = account.used * exp((account.seen - now) / FADE_SECONDS), now
        missing, share = amount - account.saved, self._share(left, used)
        enough = missing <= share or missing <= 0
        if enough:
            paid = missing if missing > 0 else 0.0
            account.saved = paid - missing
        else:
            paid = share if share > 0 else 0.0
            account.saved += paid
        self._left, account.used = left - paid, used + paid
        return 0.0 if enough else self._wait(missing - share)

    def _share(self, left: float, used: float) -> float:
        """How much an address may take now: the s for which used + s is most · ((left - s) / most)²."""
        most = self._most
        return left + (most - sqrt(most * (most + 4 * (left + used)))) / 2

    def _wait(self, missing: float) -> float:
        return min(max(SHORTEST_WAIT, missing / self._per_second), LONGEST_WAIT)

    def give_back(self, amount: float, account: Account | None) -> None:
        """It was not used after all."""
        self._left = min(self._most, self._left + amount)
        if account is not None:
            account.used = max(0.0, account.used - amount)
