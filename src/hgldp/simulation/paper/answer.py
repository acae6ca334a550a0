"""What the paper's variants publish: every cell debiased at once, as if it had been there from the start."""

from fractions import Fraction
from math import sqrt

import numpy as np

from hgldp.kernels.paper_cells import LOST, NAMING, ON_HOT_SIDE, QUIET, PaperCells
from hgldp.model.estimate import Estimate
from hgldp.simulation.paper.channels import PaperChannel


def answer(channel: PaperChannel, state: PaperCells, share: Fraction | None) -> tuple[Estimate, ...]:
    """Every cell, debiased and ranked."""
    readings, seen = channel.readings(share), state.reports
    gain = float(readings[0].gain)
    if channel.as_published:
        noise = float(state.lost[LOST])
    else:
        exact = readings[0].per_hot * int(seen[ON_HOT_SIDE])
        for reading, regime in zip(readings, (QUIET, NAMING), strict=True):
            exact += reading.per_report * readings[0].gain / reading.gain * int(seen[regime])
        noise = float(exact)
    counts = (state.raw - noise) / gain
    variance, per_event = _variance(channel, state, share)
    events = np.maximum(counts - state.prior, 0.0)
    return tuple(
        Estimate(
            item=int(state.item[slot]),
            count=float(max(counts[slot], 0.0) if channel.as_published else counts[slot]),
            standard_error=sqrt(max(variance + per_event * float(events[slot]), 0.0)),
            warmup=int(state.prior[slot]),
        )
        for slot in np.argsort(-counts, kind="stable")
    )


def _variance(channel: PaperChannel, state: PaperCells, share: Fraction | None) -> tuple[float, float]:
    """The variance that the reports so far add to every count, and that each event of an item adds to its own."""
    readings, seen = channel.readings(share), state.reports
    reports = int(seen[QUIET] + seen[NAMING])
    first = readings[0]
    online = (int(seen[ON_HOT_SIDE]) / reports - first.hot_if_cold) / (first.hot_if_hot - first.hot_if_cold)
    hot = float(min(max(online if share is None else share, 0), 1))
    rare, own = 0.0, 0.0
    for reading, regime in zip(readings, (QUIET, NAMING), strict=True):
        if_own, if_other = (float(reading.spread(hit, reading.hot_if_hot)) for hit in (reading.own, reading.other))
        if_cold = float(reading.spread(reading.cold, reading.hot_if_cold))
        rare += int(seen[regime]) * (hot * if_other + (1 - hot) * if_cold)
        own += int(seen[regime]) / reports * (if_own - if_other)
    return rare, own
