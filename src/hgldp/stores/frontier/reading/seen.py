"""Where each item was seen in each stretch of a stream: by a leaf, in a search cell, in the archive or the warm-up."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from hgldp.kernels.joint import ALONE, BY_CELL, BY_LEAF, UNSEEN, Seen, Times
from hgldp.stores.frontier.archive import Archive
from hgldp.stores.frontier.epoch import SealedEpoch
from hgldp.stores.frontier.warm_up import WarmUp

NOBODY_KNOWS, BELIEVED, FEW_PER_CELL = 1e9, 3.0, 4
Reals = NDArray[np.float64]
Items = NDArray[np.int64]


@dataclass(frozen=True)
class Stream:
    """What the server still knows of a stream: its sealed epochs, what came before them, and how long it was.

    `span` is the unit of time of a drift, in reports: the whole stream, or a few half-lives. `beside` is how many items
    there may be that are not in the domain.
    """

    epochs: Sequence[SealedEpoch]
    warm_up: WarmUp
    archive: Archive
    reports: int
    span: float
    domain_size: int
    beside: int = 0

    @cached_property
    def forgotten(self) -> int:
        """How many reports no retained epoch holds."""
        return self.reports - sum(epoch.reports for epoch in self.epochs)

    @property
    def before(self) -> int:
        """How many stretches come before the first retained epoch: first what is forgotten, then the warm-up."""
        return (self.forgotten > 0) + (self.warm_up.size > 0)

    @property
    def warm_row(self) -> int:
        """The place of the warm-up, if there is one."""
        return self.before - 1


def look(stream: Stream, items: Items) -> Seen:
    """Where each item was seen, and what its own leaves say."""
    shape = (stream.before + len(stream.epochs), items.size)
    how, cell = np.full(shape, UNSEEN, np.int8, order="F"), np.zeros(shape, np.int32, order="F")
    seen = Seen(how, cell, np.zeros(shape, order="F"), np.ones(shape, order="F"))
    seen.variance[: stream.before] = NOBODY_KNOWS
    if stream.warm_up.size:
        seen.share[stream.warm_row], seen.variance[stream.warm_row] = stream.warm_up.of_items(items)
        seen.how[stream.warm_row] = BY_LEAF
    for row, epoch in enumerate(stream.epochs, start=stream.before):
        epoch.locate(items, Seen(*(each[row] for each in seen)))
        if stream.domain_size <= FEW_PER_CELL * epoch.width:
            alone = epoch.untracked(stream.domain_size, epoch.leaves) == 1
            seen.how[row, alone[seen.cell[row]] & (seen.how[row] == BY_CELL)] = ALONE
        seen.variance[row] = epoch.noise.variance / epoch.reports
    if stream.forgotten:
        _recall(stream, items, seen)
    return seen


def _recall(stream: Stream, items: Items, seen: Seen) -> None:
    """What the archive knows of the forgotten reports, about items that are or were leaves.

    Where it knows nothing, an item may have had what it has since, and by bad luck that may have been measured too low.
    """
    reports = np.array([[epoch.reports] for epoch in stream.epochs], np.float64)
    weight = np.where(seen.how[stream.before :] == BY_LEAF, reports, 0.0)
    counted = np.maximum((weight * seen.share[stream.before :]).sum(axis=0), 0.0)
    tracked, archive = weight.sum(axis=0), stream.archive.of(items)
    since = (counted + _bad_luck(weight, seen.variance[stream.before :])) / np.maximum(tracked, 1.0)
    share, variance = archive.seen(since, counted / reports.sum())
    told = (archive.known > 0) | (tracked > 0)
    least = min(epoch.noise.variance for epoch in stream.epochs) / stream.forgotten
    seen.how[0, told], seen.share[0, told] = BY_LEAF, share[told]
    seen.variance[0, told] = variance[told] + least


def _bad_luck(weight: Reals, variance: Reals) -> Reals:
    """How far below the truth a count may well be, by noise."""
    return np.asarray(np.sqrt((weight**2 * variance).sum(axis=0)))


def doubt_warm_up(stream: Stream, times: Times, seen: Seen, cells: Reals) -> None:
    """Where the reports contradict the warm-up, it is taken to be off by that much, so that it hardly counts."""
    if not stream.warm_up.size:
        return
    by_cell = (seen.how == BY_CELL) | (seen.how == ALONE)
    value = np.where(by_cell, np.take_along_axis(cells, seen.cell.astype(np.int64), axis=1), seen.share)
    precision = 1.0 / np.where(by_cell, times.crowd[:, None], seen.variance)
    precision[stream.warm_row] = 0.0
    certainty = precision.sum(axis=0)
    reported = (precision * value).sum(axis=0) / certainty
    off = (seen.share[stream.warm_row] - reported) ** 2 / BELIEVED**2 - 1.0 / certainty
    seen.variance[stream.warm_row] = np.maximum(seen.variance[stream.warm_row], off)
