"""What a hot list publishes: counts that are not extrapolated far, intervals that allow for luck, likely ranks."""

from math import ceil, floor, sqrt

import numpy as np
from numpy.typing import NDArray

from hgldp.kernels import hot_list as kernels
from hgldp.kernels.hot_answer import Evidence, spread_over_stream
from hgldp.kernels.hot_list import Cells
from hgldp.model.estimate import Estimate
from hgldp.model.forgery import REACH
from hgldp.stores.hot_list.noise import Left, stands_out
from hgldp.stores.hot_list.ranks import Unlisted, with_ranks
from hgldp.stores.hot_list.shares import Shares, evidence_of, shares_of

Floats = NDArray[np.float64]

DRIFT = 0.5
RARER = 0.7
NEW = 0.5
COMPARED = 2


def publish(cells: Cells, domain_size: int, k: int, leverage: float) -> tuple[Estimate, ...]:
    """The best k, in the order of their counts. `leverage` is what one forged report adds to a cell.

    As long as no item was ever replaced, luck has selected none, and the count since admission is the unbiased one.
    """
    evidence, shares = evidence_of(cells), shares_of(cells, domain_size)
    reports, background = float(cells.counter[kernels.REPORTS]), 1.0 / domain_size
    counts: Floats = evidence.prior + np.clip(whole_counts(evidence, shares, reports, background), 0.0, reports)
    order = np.argsort(-counts, kind="stable")[: COMPARED * k]
    before = np.array([background, DRIFT, RARER, NEW])
    spread = spread_over_stream(evidence, order, shares.grid, shares.possible, before, reports, k)
    left, lines = Left(cells, domain_size), []
    for place, i in enumerate(order[:k].tolist()):
        since, since_error, error, low, high = spread[place].tolist()
        since = min(max(since, 0.0), float(cells.seen[i]))
        prior, count = int(cells.prior[i]), float(counts[i])
        bounds = min(prior + max(floor(low), 0.0), count), max(prior + float(ceil(min(high, reports))), count)
        if not cells.counter[kernels.ADMITTED]:
            since, since_error = float(cells.score[i]), sqrt(float(evidence.variance[i])) if cells.seen[i] else 0.0
        noise = not stands_out(cells, i, domain_size, left.ordinary, leverage, bounds[0])
        if not noise:
            left.without(count, error, prior)
        lines.append(
            Estimate(
                item=int(cells.item[i]),
                count=count,
                standard_error=error,
                tracked_count=since,
                tracked_error=since_error,
                since=int(cells.seen[i]),
                warmup=prior,
                bounds=bounds,
                may_be_noise=noise,
            )
        )
    unlisted = Unlisted.of(domain_size - cells.item.size, float(evidence.prior.sum()) + reports, float(counts.sum()))
    return with_ranks(lines, counts[order], spread[:, 2], cells.item.size, unlisted)


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
