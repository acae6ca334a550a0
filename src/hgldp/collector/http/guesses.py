"""How many wrong tokens an address may show, and all addresses together, before it has to wait."""

from collections import OrderedDict
from collections.abc import Callable
from math import ceil
from time import monotonic

MOST_ADDRESSES = 4_096
EVERY = 6.0
ADDRESSES_AT_ONCE, EVERY_IN_ALL = 100, 0.1


class Guesses:
    """An address, as `address_of` gives it, may fail `free` times at once, and then every six seconds.

    All together may fail as often as a hundred addresses at once, and then ten times a second.

    The table is bounded: the address that failed longest ago is forgotten first. If a guesser has more addresses than
    the table has places, the limit on all of them together still holds. An address is kept in memory only.

    >>> now = [0.0]
    >>> guesses = Guesses(10, lambda: now[0])
    >>> for _ in range(11):
    ...     guesses.failed("192.0.2.1")
    >>> guesses.wait("192.0.2.1"), guesses.wait("192.0.2.2")
    (6, 0)
    >>> now[0] = 6.0
    >>> guesses.wait("192.0.2.1")
    0
    """

    def __init__(self, free: int, clock: Callable[[], float] = monotonic) -> None:
        self._free, self._clock = free, clock
        self._paid: OrderedDict[str, float] = OrderedDict()
        self._all_paid = 0.0

    def __len__(self) -> int:
        return len(self._paid)

    def failed(self, address: str) -> None:
        """Count a wrong token. However many follow, one who stops need not wait for longer than one of them takes."""
        now = self._clock()
        self._paid[address] = _later(self._paid.pop(address, 0.0), now, self._free, EVERY)
        self._all_paid = _later(self._all_paid, now, ADDRESSES_AT_ONCE * self._free, EVERY_IN_ALL)
        while len(self._paid) > MOST_ADDRESSES:
            self._paid.popitem(last=False)

    def wait(self, address: str) -> int:
        """Seconds until this address may fail again; 0 if it may now."""
        now = self._clock()
        its_own = self._paid.get(address, 0.0) - now - self._free * EVERY
        of_all = self._all_paid - now - ADDRESSES_AT_ONCE * self._free * EVERY_IN_ALL
        return max(0, ceil(max(its_own, of_all)))


def _later(paid: float, now: float, free: int, every: float) -> float:
    """Until when the failures so far are paid for, if each of them costs `every` seconds."""
    return min(max(paid, now) + every, now + (free + 1) * every)
