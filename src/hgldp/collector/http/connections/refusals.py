"""How many refused requests an address may send before its connections have to rest.

A request that is refused costs nearly as much as one that is not, and nothing else limits it: paths that do not exist,
unknown keys and tasks, and 429 itself. A connection that rests costs nothing.
"""

from collections import OrderedDict
from collections.abc import Callable
from time import monotonic

MOST_ADDRESSES = 4_096
AT_ONCE, PER_SECOND = 64, 32
LONGEST_REST = 8.0


class Refusals:
    """An address may be refused `AT_ONCE` times, and then `PER_SECOND` times a second. Who goes beyond that rests.

    Each connection rests until the address has paid for what it sent, so many connections get no more than one; but
    for no longer than `LONGEST_REST`, since others may share the address. Who is not refused never rests.

    The table is bounded: the address that was refused longest ago is forgotten first.

    >>> now = [0.0]
    >>> refusals = Refusals(lambda: now[0])
    >>> [refusals.rest_after("192.0.2.1") for _ in range(AT_ONCE)] == [0.0] * AT_ONCE
    True
    >>> [round(refusals.rest_after("192.0.2.1"), 3) for _ in range(3)], refusals.rest_after("192.0.2.2")
    ([0.031, 0.062, 0.094], 0.0)
    >>> now[0] = 9.0
    >>> refusals.rest_after("192.0.2.1")
    0.0
    """

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._paid: OrderedDict[str, float] = OrderedDict()

    def __len__(self) -> int:
        return len(self._paid)

    def rest_after(self, address: str) -> float:
        """Count a refused request; for how many seconds its connection is not read."""
        now, free = self._clock(), AT_ONCE / PER_SECOND
        paid = max(self._paid.pop(address, 0.0), now) + 1 / PER_SECOND
        self._paid[address] = min(paid, now + free + LONGEST_REST)
        if len(self._paid) > MOST_ADDRESSES:
            self._paid.popitem(last=False)
        return max(0.0, self._paid[address] - now - free)
