"""What a hot list publishes: counts that are not extrapolated far, intervals that allow for luck, likely ranks."""

from math import ceil, exp, floor, log, sqrt
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hgldp.kernels import hot_list as kernels
from hgldp.kernels.hot_answer import Evidence, spread_over_stream
from hgldp.kernels.hot_list import Cells
from hgldp.model.estimate import Estimate
from hgldp.model.forgery import FORGED_SHARE, REACH
from hgldp.stores.hot_list.shares import Shares, evidence_of, shares_of

Floats = NDArray[np.float64]

DRIFT = 0.5
RARER = 0.7
NEW = 0.5
FALSE_ALARM = 0.02
CLEARLY = 1.645
COMPARED = 2


def publish(cells: Cells, domain_size: int, k: int, leverage: float) -> tuple[Estimate, ...]:
    """The best k, in the order of their counts. `leverage` is what one forged report adds to a cell.

    As long as no item was ever replaced, luck has selected none, and the count since admission is the unbiased one.
    """
    evidence, shares = evidence_of(cells), shares_of(cells, domain_size)
    reports, background = float(cells.counter[kernels.REPORTS]), 1.0 / domain_size
    counts: Floats = cells.prior.astype(np.float64) + np.minimum(
        whole_counts(evidence, shares, reports, background), reports
    )
    order = np.argsort(-counts, kind="stable")[: COMPARED * k]
    before = np.array([background, DRIFT, RARER, NEW])
    spread = spread_over_stream(evidence, order, shares.grid, shares.possible, before, reports, k)
    ranks, lines = _Ranks(counts[order], spread[:, 2], cells.item.size, domain_size), []
    left, doubt, rest = 1.0, 0.0, max(1, domain_size - 1)
    for place, i in enumerate(order[:k].tolist()):
        since, since_error, error, low, high = spread[place].tolist()
        prior, count = int(cells.prior[i]), float(counts[i])
        if not cells.counter[kernels.ADMITTED]:
            since, since_error = float(cells.score[i]), sqrt(float(evidence.variance[i])) if cells.seen[i] else 0.0
        share, off = (count - prior) / max(reports, 1.0), (error / max(reports, 1.0)) ** 2
        usual = (
            OrdinaryShare(max(0.0, left - share) / rest, sqrt(doubt + off) / rest)
            if reports
            else OrdinaryShare(background, 0.0)
        )
        noise = not stands_out(cells, i, domain_size, usual, leverage, low)
        if not noise:
            left, doubt, rest = left - share, doubt + off, max(1, rest - 1)
        lines.append(
            Estimate(
                item=int(cells.item[i]),
                count=count,
                standard_error=error,
                tracked_count=since,
                tracked_error=since_error,
                since=int(cells.seen[i]),
                warmup=prior,
                bounds=(min(prior + max(floor(low), 0.0), count), max(prior + float(ceil(min(high, reports))), count)),
                ranks=ranks.of(place, noise=noise),
                may_be_noise=noise,
            )
        )
    return tuple(lines)


class OrdinaryShare(NamedTuple):
    """The mean share of all items but those that are clearly above it, and its standard deviation."""

    share: float
    deviation: float


def stands_out(cells: Cells, cell: int, domain_size: int, usual: OrdinaryShare, leverage: float, low: float) -> bool:
    """Whether a cell is above the usual share by more than luck among all tried items and a few liars can do.

    Only what was measured counts, nothing extrapolated. A warm-up may speak for its items too, unless they may have
    faded: `low` is the least that the whole count may be.
    """
    seen, reports = float(cells.seen[cell]), float(cells.counter[kernels.REPORTS])
    tries = cells.item.size + int(cells.counter[kernels.ADMITTED])
    forged = FORGED_SHARE * leverage * reports
    variance = max(float(cells.noise[cell]) + seen * usual.share + (seen * usual.deviation) ** 2, 1e-9)
    bar = seen * usual.share + forged + NormalDist().inv_cdf(1 - FALSE_ALARM / tries) * sqrt(variance)
    if seen and float(cells.score[cell]) > bar:
        return True
    expected = float(cells.counter[kernels.WARMUP]) / domain_size
    faded = reports > 0 and low <= reports * usual.share
    return not faded and _at_least(int(cells.prior[cell]), expected) < FALSE_ALARM / domain_size


def _at_least(count: int, expected: float) -> float:
    """A bound on the chance that a Poisson variable reaches a count above its mean (Chernoff)."""
    if count <= expected:
        return 1.0
    return exp(count - expected - count * log(count / expected))


class _Ranks:
    """Which lines are clearly above another: their difference is larger than luck makes it in one case of twenty."""

    def __init__(self, counts: Floats, errors: Floats, tracked: int, domain_size: int) -> None:
        self.counts, self.errors, self.tracked, self.domain_size = counts, errors, tracked, domain_size

    def of(self, place: int, *, noise: bool) -> tuple[int, int]:
        """The best and the worst likely rank; what may be noise may have any worse rank."""
        apart = (self.counts - self.counts[place]) / np.sqrt(np.maximum(self.errors**2 + self.errors[place] ** 2, 1e-9))
        best = 1 + int(np.count_nonzero(apart > CLEARLY))
        below = int(np.count_nonzero(apart < -CLEARLY))
        worst = self.counts.size - below if below else self.tracked
        return best, max(self.domain_size if noise else worst, place + 1)


def whole_counts(evidence: Evidence, shares: Shares, reports: float, background: float) -> Floats:
    """What was measured, and at most `REACH` times as many reports as were measured, at the same share.

    Beyond that an item counts as ordinary. The warm-up measured the beginning, so its items are counted over all.
    """
    seen, grid = evidence.seen[:, None], shares.grid
    expected, variance = np.maximum(seen * grid, 1e-3), evidence.variance[:, None]
    left = 1 / (1 / variance + 1 / expected)
    counted = np.where(seen > 0, left * (evidence.score[:, None] / variance + seen * grid / expected), 0.0)
    unseen = np.maximum(reports - seen, 0.0)
    reached = np.where(evidence.prior[:, None] > 0, unseen, np.minimum(unseen, (REACH - 1) * seen))
    whole = counted + reached * grid + (unseen - reached) * np.minimum(background, grid)
    found: Floats = (shares.likely * whole).sum(axis=1)
    return found
