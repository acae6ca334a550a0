"""PFR's joint decoding: a share for each item and epoch, smoothed over time, while items compete for crowded cells."""

from math import exp, log, sqrt
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hgldp.kernels.compile import kernel
from hgldp.kernels.frontier import search_cell

BY_CELL, BY_LEAF, UNSEEN, ALONE = 0, 1, 2, 3
SURELY_THERE, LEAST_LEVEL, CERTAIN_ODDS = 2.0, 0.25, 30.0
MOST_RISE, COST_OF_LIVELY, SMALLEST_PRODUCT = 4.0, 1.0, 1e-200
QUARTILES_APART = 1.3489795  # of a normal law, in standard deviations
Reals = NDArray[np.float64]


class Times(NamedTuple):
    """One entry for each stretch of the stream: its reports, the time since the one before, the noise of its reports.

    `crowd` is the variance of a search cell's share: noise, and the items that nobody subtracted.
    """

    reports: Reals
    gap: Reals
    rare: Reals
    slope: Reals
    crowd: Reals


class Seen(NamedTuple):
    """For each stretch and item, how it was measured: by a leaf, in a search cell, alone or not, or not at all."""

    how: NDArray[np.int8]
    cell: NDArray[np.int32]
    share: Reals
    variance: Reals


class Found(NamedTuple):
    """For each stretch and item: the smoothed share, its variance, and how far it follows the next stretch.

    `value` and `noise` are what was measured last; `scale` is how fast the share may change; `taken` is what the item
    takes of its search cell. `odds` are the log odds that the item is there at all; infinite before it was judged.
    """

    share: Reals
    variance: Reals
    follows: Reals
    value: Reals
    noise: Reals
    scale: Reals
    taken: Reals
    odds: Reals


class Walk(NamedTuple):
    """One item's share and its variance after each stretch, and what was expected before it."""

    share: Reals
    variance: Reals
    expected: Reals
    spread: Reals


class Terms(NamedTuple):
    """How fast shares drift, the odds that an item is there before anything is seen, and how far one cell counts.

    One cell changes the odds by at most `most_odds`. A cell further than `reach` standard deviations from what all
    others say counts less and less: another item is in it.
    """

    drift: float
    odds: float
    most_odds: float
    reach: float


@kernel
def locate(
    key: Any, width: Any, leaves: NDArray[np.int64], shares: Reals, items: NDArray[np.int64], seen: Seen
) -> None:
    """How one epoch measured each item: by its leaf, or in its search cell. The leaves are in order."""
    for i in range(items.size):
        seen.cell[i] = np.int32(search_cell(key, items[i], width))
        seen.how[i] = BY_CELL
        leaf = np.searchsorted(leaves, items[i])
        if leaf < leaves.size and leaves[leaf] == items[i]:
            seen.how[i], seen.share[i] = BY_LEAF, shares[leaf]


@kernel
def first_odds(times: Times, seen: Seen, cells: Reals, most_odds: float, odds: Reals) -> None:
    """How sure each item seems before anybody takes its part of a cell; one cell that others share counts little."""
    for item in range(odds.size):
        odds[item] = 0.0
        for t in range(times.reports.size):
            how = seen.how[t, item]
            if how == BY_LEAF:
                odds[item] += max(seen.share[t, item], 0.0) ** 2 / (2 * seen.variance[t, item])
            elif how != UNSEEN:
                by_cell = max(cells[t, seen.cell[t, item]], 0.0) ** 2 / (2 * times.crowd[t])
                odds[item] += by_cell if how == ALONE else min(by_cell, most_odds)


@kernel
def sweep(order: NDArray[np.int64], times: Times, seen: Seen, cells: Reals, terms: Terms, found: Found) -> None:
    """Each item in turn: measure, smooth, judge, and take its part of its search cells. `cells` is what is left."""
    rows = times.reports.size
    walk = Walk(np.empty(rows), np.empty(rows), np.empty(rows), np.empty(rows))
    for item in order:
        level = _measure(item, times, seen, cells, terms, found)
        _set_scale(item, seen, level, found)
        drift = terms.drift
        if 0.0 < found.odds[item] < np.inf:
            drift *= _liveliness(item, times, terms.drift, found, walk)
        _filter(item, times, drift, found, walk)
        last = rows - 1
        found.share[last, item], found.variance[last, item] = walk.share[last], walk.variance[last]
        found.follows[last, item] = 0.0
        for t in range(last - 1, -1, -1):
            follows = walk.variance[t] / walk.spread[t + 1]
            found.follows[t, item] = follows
            found.share[t, item] = walk.share[t] + follows * (found.share[t + 1, item] - walk.expected[t + 1])
            found.variance[t, item] = walk.variance[t] + follows**2 * (found.variance[t + 1, item] - walk.spread[t + 1])
        _take(item, times, seen, cells, terms, found)


@kernel
def _filter(item: Any, times: Times, drift: float, found: Found, walk: Walk) -> float:
    """One item's share after each stretch, by all that was measured until then; returns the log-likelihood of that."""
    share, variance, likely, product = 0.0, 1.0, 0.0, 1.0
    for t in range(times.reports.size):
        scale = found.scale[t, item]
        if t:
            variance += drift * times.gap[t] * max(scale, found.scale[t - 1, item]) ** 2
        walk.expected[t], walk.spread[t] = share, variance
        whole, off = variance + found.noise[t, item] + scale / times.reports[t], found.value[t, item] - share
        likely -= 0.5 * off * off / whole
        product *= whole
        if product < SMALLEST_PRODUCT:
            likely -= 0.5 * log(product)
            product = 1.0
        share += variance / whole * off
        variance *= 1 - variance / whole
        walk.share[t], walk.variance[t] = share, variance
    return likely - 0.5 * log(product)


@kernel
def _liveliness(item: Any, times: Times, drift: float, found: Found, walk: Walk) -> float:
    """How much faster than others this item changes: not at all, or ten or a hundred times, if that fits better."""
    best, chosen = -np.inf, 1.0
    for lively in (1.0, 10.0, 100.0):
        fits = _filter(item, times, lively * drift, found, walk) - COST_OF_LIVELY * log(lively)
        if fits > best:
            best, chosen = fits, lively
    return chosen


@kernel
def _measure(item: Any, times: Times, seen: Seen, cells: Reals, terms: Terms, found: Found) -> float:
    """What each stretch says about the item; returns its mean share."""
    weighted = precision = reports = events = 0.0
    judged = found.odds[item] < np.inf
    for t in range(times.reports.size):
        own = times.slope[t] * max(found.share[t, item], 0.0) / times.reports[t]
        if seen.how[t, item] == BY_CELL or seen.how[t, item] == ALONE:
            value, noise = cells[t, seen.cell[t, item]] + found.taken[t, item], times.crowd[t] + own
            if judged and seen.how[t, item] == BY_CELL:
                off = abs(value - found.share[t, item]) / (terms.reach * sqrt(noise + found.variance[t, item]))
                noise *= max(1.0, off)
        else:
            value, noise = seen.share[t, item], seen.variance[t, item] + own
        found.value[t, item], found.noise[t, item] = value, noise
        weighted += value / noise
        precision += 1.0 / noise
        if times.reports[t] < np.inf:
            reports += times.reports[t]
            events += times.reports[t] * found.share[t, item]
    level = max(events / reports if judged else weighted / precision, LEAST_LEVEL / sqrt(precision))
    _doubt_lone_cells(item, seen, terms.reach, level, found)
    return level


@kernel
def _doubt_lone_cells(item: Any, seen: Seen, reach: float, level: float, found: Found) -> None:
    """A search cell that is far higher than the item was before and after says that another item is in it."""
    rows, before = found.value.shape[0], level
    for t in range(rows):
        here = found.value[t, item]
        if seen.how[t, item] == BY_CELL:
            after = found.value[t + 1, item] if t + 1 < rows and seen.how[t + 1, item] != UNSEEN else level
            most = MOST_RISE * max(level, before, after) + reach * sqrt(found.noise[t, item])
            if here > most:
                found.value[t, item] = most
                found.noise[t, item] += (here - most) ** 2
        before = here if seen.how[t, item] != UNSEEN else level


@kernel
def _set_scale(item: Any, seen: Seen, level: float, found: Found) -> None:
    """An item may change as fast as its mean share allows; faster around a stretch where its leaf was surely high."""
    rows = found.scale.shape[0]
    found.scale[:, item] = level
    for t in range(rows):
        if seen.how[t, item] == BY_LEAF or seen.how[t, item] == ALONE:
            sure = found.value[t, item] - SURELY_THERE * sqrt(found.noise[t, item])
            for near in range(max(0, t - 1), min(rows, t + 2)):
                found.scale[near, item] = max(found.scale[near, item], sure)


@kernel
def _take(item: Any, times: Times, seen: Seen, cells: Reals, terms: Terms, found: Found) -> None:
    """Judge how likely the item is there, and take its share, weighed by that, out of its search cells."""
    rows, odds = times.reports.size, terms.odds
    for t in range(rows):
        share = found.share[t, item]
        gain = (2 * found.value[t, item] - share) * share / (2 * found.noise[t, item])
        crowded = seen.how[t, item] == BY_CELL
        odds += min(terms.most_odds, max(-terms.most_odds, gain)) if crowded else gain
    found.odds[item] = odds
    belief = 1 / (1 + exp(-min(CERTAIN_ODDS, odds))) if odds > -CERTAIN_ODDS else 0.0
    for t in range(rows):
        if seen.how[t, item] == BY_CELL or seen.how[t, item] == ALONE:
            chance = found.scale[t, item] / times.reports[t]
            kept = found.noise[t, item] / (found.noise[t, item] + chance)
            there = kept * found.share[t, item] + (1 - kept) * found.value[t, item]
            taken = belief * max(there, 0.0)
            cells[t, seen.cell[t, item]] += found.taken[t, item] - taken
            found.taken[t, item] = taken


@kernel
def add_up(times: Times, found: Found, weights: Reals, total: Reals, variance: Reals) -> None:
    """Σ weight · the share that really occurred, over the stretches; and the variance of that sum.

    What occurred differs from the rate by chance; where the noise is small, the measurement knows it better than the
    rate does.
    """
    for item in range(total.size):
        shared, total[item], variance[item] = 0.0, 0.0, 0.0
        for t in range(times.reports.size - 1, -1, -1):
            weight, noise = weights[t, item], found.noise[t, item]
            chance = found.scale[t, item] / times.reports[t]
            kept = noise / (noise + chance)
            moved = weight * kept
            shared *= found.follows[t, item]
            variance[item] += moved * (moved * found.variance[t, item] + 2 * shared) + weight**2 * chance * kept
            shared += moved * found.variance[t, item]
            total[item] += weight * (kept * found.share[t, item] + (1 - kept) * found.value[t, item])


@kernel
def noise_of_sums(found: Found, weights: Reals, variance: Reals) -> None:
    """How much of the variance of Σ weight · share is noise: if the shares stayed as they are, and were measured anew.

    The rest is how far a share may have moved where nobody measured it well.
    """
    rows = weights.shape[0]
    later = np.empty(rows)
    for item in range(variance.size):
        after = 0.0
        for t in range(rows - 1, -1, -1):
            after = found.variance[t, item] * weights[t, item] + found.follows[t, item] * after
            later[t] = after
        variance[item], before = 0.0, 0.0
        for t in range(rows):
            pull = later[t] + found.variance[t, item] * before
            variance[item] += pull * pull / found.noise[t, item]
            before = found.follows[t, item] * (before + weights[t, item])


@kernel
def recentre(
    cells: Reals, in_order: Reals, widths: NDArray[np.int64], least: Reals, reach: float, crowd: Reals
) -> None:
    """Take their background off the search cells of each stretch; `crowd` is their variance, but at least the noise.

    In both, no cell counts as more than `reach` standard deviations, by the quartiles, from the median.
    """
    for t in range(widths.size):
        width, held = widths[t], cells[t, : widths[t]]
        low, middle, high = in_order[t, width // 4], in_order[t, width // 2], in_order[t, 3 * width // 4]
        most = reach * sqrt(max(((high - low) / QUARTILES_APART) ** 2, least[t]))
        mean = square = 0.0
        for value in held:
            bounded = min(most, max(-most, value - middle))
            mean += bounded / width
            square += bounded * bounded / width
        held -= middle + mean
        crowd[t] = max(square - mean * mean, least[t])
