"""Where a task promises to keep its keys for a time, the ledger knows which bulletin is held, and since when."""

from hgldp.client.spending.account import Account


class Tenure:
    """Lets a client exchange its bulletin no sooner than so many seconds after it last did. The first may go at once.

    It stands in the ledger, so a lost, damaged or older copy of the bulletin buys no new one.
    """

    def __init__(self, ledger: Account, seconds: float) -> None:
        self._ledger, self._seconds = ledger, seconds

    @property
    def until(self) -> float:
        """When the bulletin may be exchanged; in the past if it may be now."""
        return self._ledger.end_of(self._seconds, *self._ledger.page.exchange)

    def holds(self, version: str) -> bool:
        """Whether this is the bulletin that the client holds."""
        return self._ledger.page.holds(version)

    def may_take(self, version: str, now: float) -> bool:
        """Whether this bulletin is held already, or may be taken in place of the one that is."""
        return self.holds(version) or now >= self.until

    def take(self, version: str) -> None:
        """Write it down, durably, before the bulletin is used."""
        if not self.holds(version):
            self._ledger.hold(version)
