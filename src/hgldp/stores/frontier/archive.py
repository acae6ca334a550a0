"""What is known of the reports whose epochs were dropped: each leaf's share among them, as its epochs measured it.

So no leaf is extrapolated over them, neither one that is new since then nor one with a burst in the oldest epoch.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hgldp.errors import MalformedState
from hgldp.stores.frontier.packing import SHARE_BYTES, pack_shares, unpack_shares
from hgldp.stores.state_frame import StateBody

STEPS, LEAF_BYTES, TINY = 255, 2 * SHARE_BYTES + 1, 1e-12
Reals = NDArray[np.float64]
Items = NDArray[np.int64]


@dataclass(frozen=True)
class Archive:
    """For some items: their share of the forgotten reports, its variance, and for which part of them it was measured.

    An item that was found late has no measurement from before.
    """

    items: Items
    shares: Reals
    variances: Reals
    known: Reals

    @classmethod
    def nothing(cls, items: Items) -> "Archive":
        """No report is forgotten yet, or nobody knows anything of those that are."""
        return cls(items, np.zeros(items.size), np.zeros(items.size), np.zeros(items.size))

    def of(self, items: Items) -> "Archive":
        """The same for other items; nothing is known of those that are not in it."""
        if not self.items.size:
            return Archive.nothing(items)
        order = np.argsort(self.items)
        places = order[np.searchsorted(self.items[order], items).clip(max=self.items.size - 1)]
        there = self.items[places] == items
        return Archive(
            items, *(np.where(there, each[places], 0.0) for each in (self.shares, self.variances, self.known))
        )

    def with_epoch(self, part: float, shares: Reals, variances: Reals) -> "Archive":
        """After another epoch, which is this part of all that is forgotten now, measured each item.

        >>> early = Archive.nothing(np.array([7])).with_epoch(1.0, np.array([0.5]), np.array([0.01]))
        >>> later = early.with_epoch(0.25, np.array([0.1]), np.array([0.01]))
        >>> later.shares.round(2).tolist(), later.known.tolist()
        ([0.4], [1.0])
        """
        before = self.known * (1 - part)
        known = before + part
        measured = np.maximum(known, TINY)
        share = (before * self.shares + part * shares) / measured
        variance = (before**2 * self.variances + part**2 * variances) / measured**2
        return Archive(self.items, share, variance, np.minimum(known, 1.0))

    def seen(self, since: Reals, always: Reals) -> tuple[Reals, Reals]:
        """Each item's share of all that is forgotten, and its variance.

        Where nobody measured it, it may have had nothing, or as much as `since` it is tracked. We take half of what it
        would have if it had only been there while it was tracked: it `always` has that.
        """
        unknown = 1 - self.known
        share = self.known * self.shares + unknown * always / 2
        return share, self.known**2 * self.variances + (unknown * since / 2) ** 2

    def serialize(self) -> bytes:
        """Two shares for each item, and one byte more."""
        parts = pack_shares(self.shares), pack_shares(np.sqrt(self.variances))
        return b"".join(each.tobytes() for each in parts) + np.rint(self.known * STEPS).astype(np.uint8).tobytes()

    @classmethod
    def read(cls, body: StateBody, items: Items) -> "Archive":
        """What `serialize` wrote about these items."""
        shares, deviations = (unpack_shares(body.array("<u1", SHARE_BYTES * items.size)) for _ in range(2))
        known = body.array("<u1", items.size).astype(np.float64) / STEPS
        if not (np.isfinite(shares).all() and np.isfinite(deviations).all()):
            raise MalformedState("frontier must hold finite shares")
        return cls(items, shares, deviations**2, known)

    def rounded(self) -> "Archive":
        """As it will be read again."""
        return Archive.read(StateBody("frontier", memoryview(self.serialize())), self.items)
