"""What follows from the epochs that a frontier retains: weights, evidence, and the answer.

An item's evidence is the precision-weighted sum of what every retained epoch says about it: its own leaf where it was
tracked, its search cell (less that epoch's background) where it was not. A window is a choice of epochs.
"""

import numpy as np
from numpy.typing import NDArray

from hgldp.model.bulletins import FrontierBulletin
from hgldp.model.estimate import Estimate
from hgldp.stores.frontier.epoch import SealedEpoch
from hgldp.stores.frontier.evidence import Evidence, gather
from hgldp.stores.frontier.prior import Prior
from hgldp.stores.frontier.search import search_domain
from hgldp.stores.frontier.shape import Search

Reals = NDArray[np.float64]
Items = NDArray[np.int64]


class Retained:
    """The half of a frontier that only reads."""

    scheme: Search
    prior: Prior
    half_life: int
    reports: int
    bulletin: FrontierBulletin
    epochs: list[SealedEpoch]

    def weights(self, window: int | None = None) -> Reals:
        """How much each retained epoch counts: by the half-life, or all and nothing by a window."""
        age = np.array([self.reports - epoch.end + epoch.reports / 2 for epoch in self.epochs])
        if window is not None:
            return (age <= window).astype(np.float64)
        return np.exp2(-age / self.half_life) if self.half_life else np.ones(age.size)

    def candidates(self, window: int | None = None) -> Items:
        """Whoever was tracked or warmed up, and the best of the whole domain by their search cells."""
        named = [self.prior.items, np.array(self.bulletin.leaves, np.int64), *(epoch.leaves for epoch in self.epochs)]
        if self.epochs:
            size, wanted = self.scheme.domain_size, self.scheme.most_leaves
            named.append(search_domain(self.epochs, self.weights(window), size, wanted))
        return np.unique(np.concatenate(named))

    def evidence(self, items: Items, window: int | None = None) -> Evidence:
        """Everything that is known about these items."""
        reported = gather(self.epochs, self.weights(window), items)
        if window is not None or not self.prior.size:
            return reported
        faded = 2.0 ** (-self.reports / self.half_life) if self.half_life else 1.0
        return reported.with_sample(*self.prior.of_items(items), faded)

    def estimates(self, k: int, window: int | None = None) -> tuple[Estimate, ...]:
        """The best k of all sealed epochs, or of those within the last `window` reports.

        Ranked by all evidence. Without a warm-up, counted by the epochs in which an item was tracked: the search chose
        it because its search cells came out high, so they would flatter it.
        """
        if window is not None and not self.covered(window):
            return ()
        ranked = self.evidence(self.candidates(window), window)
        best = ranked.order[:k]
        counted = ranked
        if window is not None or not self.prior.size:
            counted = gather(self.epochs, self.weights(window), ranked.items, tracked_only=True)
        mean = np.where(counted.known, counted.mean, ranked.mean)
        covered = self.reports if window is None else self.covered(window)
        error = np.hypot(
            covered * np.where(counted.known, counted.deviation, ranked.deviation),
            _by_chance(mean, covered, ranked.tracked),
        )
        lines = []
        for i in best.tolist():
            item = int(ranked.items[i])
            warm = 0 if window is not None else self.prior.count(item)
            since = self._since_tracked(item)
            lines.append(Estimate(item, warm + covered * float(mean[i]), float(error[i]), *since, warm))
        return tuple(lines)

    def covered(self, window: int) -> int:
        """How many reports the epochs hold that a window takes in: an epoch counts as a whole or not at all."""
        return sum(epoch.reports for epoch, weight in zip(self.epochs, self.weights(window), strict=True) if weight)

    def _since_tracked(self, item: int) -> tuple[float, float, int]:
        """The exactly unbiased count of the latest unbroken run of epochs in which the item was a leaf."""
        count, variance, since = 0.0, 0.0, 0
        for epoch in reversed(self.epochs):
            share = epoch.leaf_share(item)
            if share is None:
                break
            events = share * epoch.reports
            count, since = count + events, since + epoch.reports
            variance += epoch.reports * epoch.noise.variance + events * epoch.noise.slope
        return count, max(variance, 0.0) ** 0.5, since


def _by_chance(share: Reals, covered: int, tracked: Reals) -> Reals:
    """How far an item's events may lie from its rate while it was a leaf, in the reports in which it was none."""
    part = np.clip(share, 0.0, 1.0)
    missed = np.maximum(covered - tracked, 0.0)
    return np.where(tracked > 0, np.sqrt(part * (1 - part) * missed * covered / np.maximum(tracked, 1.0)), 0.0)
