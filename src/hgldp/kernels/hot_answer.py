"""What a hot list's cells say about the shares of their items: likelihoods on a grid, and mixtures of normals."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hgldp.kernels.compile import kernel

Floats = NDArray[np.float64]

POINTS = 80
STEEPNESS = 0.5
RARE = 0.1
SOFTNESS = 0.25
WINDOW = 8.0
NEGLIGIBLE = 1e-5
HALVINGS = 15
FARTHEST = 6.5


class Evidence(NamedTuple):
    """Cell by cell: the count since admission, its variance, its reports, and the count in the `warmup` raw items."""

    score: Floats
    variance: Floats
    seen: Floats
    prior: Floats
    warmup: float


@kernel
def told_by_reports(evidence: Evidence, cell: int, share: float) -> float:
    """The log-likelihood of a share, given what was counted since admission."""
    seen = evidence.seen[cell]
    if seen <= 0:
        return 0.0
    variance = evidence.variance[cell] + seen * share
    found: float = -0.5 * (evidence.score[cell] - seen * share) ** 2 / variance - 0.5 * math.log(variance)
    return found


@kernel
def told_by_warmup(evidence: Evidence, cell: int, share: float, drift: float) -> float:
    """The log-likelihood of a share, given the warm-up, which may be off by the factor e^±drift."""
    if evidence.prior[cell] <= 0:
        return 0.0
    variance = drift**2 + 1.0 / (evidence.prior[cell] + 0.5)
    apart = math.log((evidence.prior[cell] + 0.5) / (evidence.warmup * max(share, 1e-12)))
    found: float = -0.5 * apart**2 / variance - 0.5 * math.log(2 * math.pi * variance)
    return found


@kernel
def heavier(share: float, background: float) -> float:
    """The part of heavy items above a share: none is below the background, and the density falls as share^−1.5."""
    most = math.pow(background, -STEEPNESS) - 1.0
    return (math.pow(max(share, background), -STEEPNESS) - 1.0) / max(most, 1e-12)


@kernel
def ordinary_above(share: float, background: float) -> float:
    """The part of ordinary items above a share: half of them are rare, half of them spread around the background."""
    return 0.5 * math.exp(-share / (RARE * background)) + 0.5 * math.exp(-share / background)


@kernel
def weigh(evidence: Evidence, background: float, drifts: Floats, shares: Floats, heavy: Floats, light: Floats) -> None:
    """Fill each cell's grid of `shares`, and the weight of every point if the item is heavy, and if it is ordinary.

    The grid reaches as far as the reports leave open, so strong evidence gets a fine grid wherever it lies. It is even
    near 0 and in factors above. Each point stands for the shares around it. Weights of one cell have a common factor.

    There is a row for each drift from the warm-up, and a last one for an item that has faded since: its mean share is
    anything from 0 to what the warm-up saw. An ordinary item has no larger drift than the first: one that the warm-up
    flatters far beyond it was heavy at that time, whatever became of it.
    """
    soft, last = SOFTNESS * background, drifts.size
    for i in range(evidence.score.size):
        low, high = 0.0, 1.0
        if evidence.seen[i] > 0:
            mean = evidence.score[i] / evidence.seen[i]
            reach = WINDOW * math.sqrt(evidence.variance[i] + max(evidence.score[i], 0.0)) / evidence.seen[i]
            low = min(max(0.0, mean - reach), 0.5)
            high = min(1.0, max(mean + reach, soft))
        step, most = math.log((high + soft) / (low + soft)) / POINTS, -np.inf
        for j in range(POINTS):
            shares[i, j] = (low + soft) * math.exp(step * (j + 0.5)) - soft
            light[0, i, j] = told_by_reports(evidence, i, shares[i, j])
            most = max(most, light[0, i, j])
        was = min((evidence.prior[i] + 0.5) / max(evidence.warmup, 1.0), 1.0)
        was_heavy = heavier(was, background) - heavier(math.e * was, background)
        was_light = ordinary_above(was, background) - ordinary_above(math.e * was, background)
        edge = low
        for j in range(POINTS):
            share, told = shares[i, j], math.exp(light[0, i, j] - most)
            next_edge = (low + soft) * math.exp(step * (j + 1)) - soft
            some_heavy = heavier(edge, background) - heavier(next_edge, background)
            some_light = ordinary_above(edge, background) - ordinary_above(next_edge, background)
            some_faded = math.sqrt(min(next_edge / was, 1.0)) - math.sqrt(min(edge / was, 1.0))
            for h in range(last):
                heavy[h, i, j] = told * some_heavy * math.exp(told_by_warmup(evidence, i, share, drifts[h]))
                light[h, i, j] = told * some_light * math.exp(told_by_warmup(evidence, i, share, drifts[0]))
            heavy[last, i, j], light[last, i, j] = told * some_faded * was_heavy, told * some_faded * was_light
            edge = next_edge


@kernel
def counted(score: float, variance: float, seen: float, share: float) -> tuple[float, float]:
    """Mean and variance of how many of the reports since admission were about the item, given its share."""
    if seen <= 0:
        return 0.0, 0.0
    expected = max(seen * share, 1e-3)
    left = 1.0 / (1.0 / variance + 1.0 / expected)
    return left * (score / variance + seen * share / expected), left


@kernel
def quantile(weight: Floats, mean: Floats, deviation: Floats, level: float) -> float:
    """Of a mixture of normals, by halving; from 2.5 to 97.5 % none is farther than 6.3 deviations from the mean."""
    first, second = 0.0, 0.0
    for j in range(weight.size):
        first += weight[j] * mean[j]
        second += weight[j] * (deviation[j] ** 2 + mean[j] ** 2)
    reach = FARTHEST * math.sqrt(max(second - first**2, 0.0))
    low, high = first - reach, first + reach
    for _ in range(HALVINGS):
        middle, below = 0.5 * (low + high), 0.0
        for j in range(weight.size):
            if weight[j] > NEGLIGIBLE:
                below += weight[j] * 0.5 * math.erfc((mean[j] - middle) / deviation[j] * math.sqrt(0.5))
        if below < level:
            low = middle
        else:
            high = middle
    return 0.5 * (low + high)


@kernel
def spread_over_stream(
    evidence: Evidence,
    chosen: NDArray[np.int64],
    shares: Floats,
    chances: Floats,
    before: Floats,
    reports: float,
    lines: int,
) -> Floats:
    """For some cells: mean and deviation of the count since admission, deviation and 95 % interval of the whole count.

    Only the first `lines` of them get an interval.

    Nobody saw the item before it was admitted. `before` says what it may have been then: the background share, the
    relative deviation from its later share, the chance per unmeasured part of the stream that it was rarer, and which
    part of that chance is for "not above the background".
    """
    background, drift, rarer, new = before[0], before[1], before[2], before[3]
    points, found = shares.shape[1], np.empty((chosen.size, 5))
    weight, mean, deviation = np.empty(3 * points), np.empty(3 * points), np.empty(3 * points)
    for q in range(chosen.size):
        i = chosen[q]
        unseen = max(reports - evidence.seen[i], 0.0)
        falls = rarer * unseen / max(reports, 1.0)
        first, second, all_first, all_second = 0.0, 0.0, 0.0, 0.0
        for j in range(points):
            share, chance = shares[i, j], chances[i, j]
            count, variance = counted(evidence.score[i], evidence.variance[i], evidence.seen[i], share)
            first += chance * count
            second += chance * (variance + count**2)
            same, less = unseen * share, 0.5 * unseen * min(background, share)
            weight[j] = chance * (1 - falls)
            mean[j], deviation[j] = count + same, variance + same + (same * drift) ** 2
            weight[points + j] = chance * falls * (1 - new)
            mean[points + j], deviation[points + j] = count + same / 2, variance + same + same**2 / 12
            weight[2 * points + j] = chance * falls * new
            mean[2 * points + j], deviation[2 * points + j] = count + less, variance + less + less**2 / 3
        for j in range(3 * points):
            all_first += weight[j] * mean[j]
            all_second += weight[j] * (deviation[j] + mean[j] ** 2)
            deviation[j] = math.sqrt(deviation[j] + 0.1)
        found[q, 0] = first
        found[q, 1] = math.sqrt(max(second - first**2, 0.0))
        found[q, 2] = math.sqrt(max(all_second - all_first**2, 0.0))
        if q < lines:
            found[q, 3] = quantile(weight, mean, deviation, 0.025)
            found[q, 4] = quantile(weight, mean, deviation, 0.975)
    return found
