"""The slow obvious twin of the frontier's decoding: one normal law of everything, conditioned on what was measured."""

from dataclasses import dataclass
from math import exp, log

import numpy as np

from hgldp.kernels.joint import ALONE, BY_CELL, BY_LEAF, UNSEEN, Found, Seen, Terms, Times

LIVELY = (1.0, 10.0, 100.0)


@dataclass(frozen=True)
class Smoothed:
    """One item's rates and what really occurred in every stretch: mean and covariance of both."""

    rates: np.ndarray
    rate_cov: np.ndarray
    counts: np.ndarray
    count_cov: np.ndarray
    likely: float

    def total(self, weights: np.ndarray) -> tuple[float, float]:
        return float(weights @ self.counts), float(weights @ self.count_cov @ weights)


def smooth_exactly(times: Times, found: Found, item: int, drift: float) -> Smoothed:
    """The rates walk; what occurs differs from the rate by chance; what is measured differs from that by noise."""
    rows = times.reports.size
    scale, noise, value = found.scale[:, item], found.noise[:, item], found.value[:, item]
    steps = np.array([1.0] + [drift * times.gap[t] * max(scale[t], scale[t - 1]) ** 2 for t in range(1, rows)])
    rate_cov = np.array([[steps[: min(s, t) + 1].sum() for t in range(rows)] for s in range(rows)])
    chance = np.diag(scale / times.reports)
    law = rate_cov + chance + np.diag(noise)
    seen = np.linalg.inv(law)
    gain, occurred = rate_cov @ seen, (rate_cov + chance) @ seen
    return Smoothed(
        gain @ value,
        rate_cov - gain @ rate_cov,
        occurred @ value,
        rate_cov + chance - occurred @ (rate_cov + chance),
        float(-0.5 * (value @ seen @ value + np.linalg.slogdet(law)[1])),
    )


def sweep_slowly(order: list[int], times: Times, seen: Seen, cells: np.ndarray, terms: Terms, found: Found) -> None:
    """The twin of `sweep`; what it finds goes into `found` and `cells`, as there."""
    for item in order:
        level = _measure(item, times, seen, cells, terms, found)
        _doubt_lone_cells(item, seen, terms.reach, level, found)
        found.scale[:, item] = _scales(item, seen, level, found)
        drift = terms.drift
        if 0.0 < found.odds[item] < np.inf:
            fits = [smooth_exactly(times, found, item, drift * lively).likely - log(lively) for lively in LIVELY]
            drift *= LIVELY[int(np.argmax(fits))]
        smoothed = smooth_exactly(times, found, item, drift)
        found.share[:, item], found.variance[:, item] = smoothed.rates, smoothed.rate_cov.diagonal()
        for t in range(times.reports.size - 1):
            found.follows[t, item] = smoothed.rate_cov[t, t + 1] / smoothed.rate_cov[t + 1, t + 1]
        _take(item, times, seen, cells, terms, found)


def _measure(item: int, times: Times, seen: Seen, cells: np.ndarray, terms: Terms, found: Found) -> float:
    share, finite = found.share[:, item].copy(), np.isfinite(times.reports)
    judged = found.odds[item] < np.inf
    for t, how in enumerate(seen.how[:, item]):
        own = times.slope[t] * max(share[t], 0.0) / times.reports[t]
        if how not in (BY_CELL, ALONE):
            value, noise = seen.share[t, item], seen.variance[t, item] + own
        else:
            value, noise = cells[t, seen.cell[t, item]] + found.taken[t, item], times.crowd[t] + own
            off = abs(value - share[t]) / (noise + found.variance[t, item]) ** 0.5
            if judged and how == BY_CELL and off > terms.reach:
                noise *= off / terms.reach
        found.value[t, item], found.noise[t, item] = value, noise
    precision = 1 / found.noise[:, item]
    mean = float(precision @ found.value[:, item]) / precision.sum()
    if judged:
        mean = float(times.reports[finite] @ share[finite]) / times.reports[finite].sum()
    return max(mean, 0.25 / precision.sum() ** 0.5)


def _doubt_lone_cells(item: int, seen: Seen, reach: float, level: float, found: Found) -> None:
    values = [level, *found.value[:, item].tolist(), level]
    ways = [UNSEEN, *seen.how[:, item].tolist(), UNSEEN]
    around = [level if how == UNSEEN else value for how, value in zip(ways, values, strict=True)]
    for t, how in enumerate(seen.how[:, item]):
        most = 4 * max(level, around[t], around[t + 2]) + reach * found.noise[t, item] ** 0.5
        if how == BY_CELL and around[t + 1] > most:
            found.value[t, item] = most
            found.noise[t, item] += (around[t + 1] - most) ** 2


def _scales(item: int, seen: Seen, level: float, found: Found) -> list[float]:
    surely = [
        value - 2 * noise**0.5 if how in (BY_LEAF, ALONE) else level
        for how, value, noise in zip(seen.how[:, item], found.value[:, item], found.noise[:, item], strict=True)
    ]
    return [max(level, *surely[max(0, t - 1) : t + 2]) for t in range(len(surely))]


def _take(item: int, times: Times, seen: Seen, cells: np.ndarray, terms: Terms, found: Found) -> None:
    """Odds by the likelihood of the share against none at all; what is believed to have occurred leaves the cells."""
    odds = terms.odds
    for t, how in enumerate(seen.how[:, item]):
        value, share, noise = found.value[t, item], found.share[t, item], found.noise[t, item]
        gain = (value**2 - (value - share) ** 2) / (2 * noise)
        odds += gain if how != BY_CELL else float(np.clip(gain, -terms.most_odds, terms.most_odds))
    found.odds[item] = odds
    belief = 0.0 if odds <= -30 else 1 / (1 + exp(-min(odds, 30.0)))
    for t, how in enumerate(seen.how[:, item]):
        if how in (BY_CELL, ALONE):
            chance, noise = found.scale[t, item] / times.reports[t], found.noise[t, item]
            occurred = (noise * found.share[t, item] + chance * found.value[t, item]) / (noise + chance)
            cells[t, seen.cell[t, item]] += found.taken[t, item]
            found.taken[t, item] = belief * max(occurred, 0.0)
            cells[t, seen.cell[t, item]] -= found.taken[t, item]


def first_odds_slowly(times: Times, seen: Seen, cells: np.ndarray, most_odds: float) -> np.ndarray:
    """The twin of `first_odds`."""
    by_leaf = np.maximum(seen.share, 0.0) ** 2 / (2 * seen.variance)
    by_cell = np.maximum(np.take_along_axis(cells, seen.cell.astype(np.int64), axis=1), 0.0) ** 2
    alone = by_cell / (2 * times.crowd[:, None])
    ways = [seen.how == BY_LEAF, seen.how == ALONE, seen.how == BY_CELL]
    return np.asarray(np.select(ways, [by_leaf, alone, np.minimum(alone, most_odds)], 0.0).sum(axis=0))


def recentre_slowly(cells: np.ndarray, least: float, reach: float) -> float:
    """The twin of `recentre`."""
    row, width = np.sort(cells), cells.size
    low, middle, high = row[width // 4], row[width // 2], row[3 * width // 4]
    most = reach * max((high - low) / 1.3489795, least**0.5)
    bounded = np.clip(row, middle - most, middle + most)
    cells -= bounded.mean()
    return max(bounded.var(), least)
