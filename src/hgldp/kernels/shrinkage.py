"""How the shares of a domain are spread, as a mixture of exponential laws; and what that says about one estimate."""

from math import erfc, exp, log, pi, sqrt
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hgldp.kernels.compile import kernel

FAR, NEVER, LEAST, SAME_LENGTH = -6.0, -600.0, 1e-300, 1e-9
Reals = NDArray[np.float64]


@kernel
def likelihoods(values: Reals, deviations: Reals, means: Reals, found: Reals) -> None:
    """log of the chance to see each value, if its share follows an exponential law of each mean."""
    for i in range(values.size):
        seen = values[i] / deviations[i]
        for j in range(means.size):
            ratio = deviations[i] / means[j]
            place = seen - ratio
            if place < FAR:
                square = 1 / (place * place)
                tail = log((1 - square + 3 * square * square) / (-place * sqrt(2 * pi)))
                found[i, j] = tail - 0.5 * seen * seen - log(means[j])
            else:
                tail = log(0.5 * erfc(-place / sqrt(2.0)))
                found[i, j] = tail + 0.5 * ratio * ratio - seen * ratio - log(means[j])


@kernel
def tail_weights(tail: float, means: Reals, wanted: float, weights: Reals) -> None:
    """The weights of exponential laws whose mixture falls as share^(−1 − tail), with the wanted mean."""
    low, high = log(means[0]) - 4.0, log(means[-1])
    for _ in range(50):
        middle = (low + high) / 2
        total = mean = 0.0
        for j in range(means.size):
            weights[j] = exp(-tail * (log(means[j]) - middle) - exp(middle) / means[j])
            total += weights[j]
            mean += weights[j] * means[j]
        if mean > wanted * total:
            high = middle
        else:
            low = middle
        weights /= total


class Grid(NamedTuple):
    """Multiples of a standard deviation, their logs, the edges between them, and the logs of the gaps.

    They count from 0, or from a value that is far above 0; then there are negative ones, and the logs mean nothing.
    """

    steps: Reals
    logs: Reals
    edges: Reals
    log_widths: Reals


class Law(NamedTuple):
    """The log of a density at shares whose logs are evenly spaced; beside it, items that are all nearly alike.

    `alike` is the log of their part, `mean` and `variance` are those of their shares.
    """

    log_shares: Reals
    log_density: Reals
    alike: float
    mean: float
    variance: float


@kernel
def judge(
    values: Reals, deviations: Reals, grids: tuple[Grid, Grid], law: Law, inside: float, firm: float, found: Any
) -> None:
    """Mean, deviation and the shortest interval of each share, given the law of all shares.

    The first grid counts from 0; the second one from a value of more than `firm` deviations.
    """
    mean, deviation, low, high = found
    for i in range(values.size):
        unit, is_firm = deviations[i], values[i] > firm * deviations[i]
        start, grid = (values[i], grids[1]) if is_firm else (0.0, grids[0])
        chance = _chances(values[i] - start, start, unit, grid, law)
        first = second = 0.0
        for j in range(chance.size):
            first += chance[j] * grid.steps[j]
            second += chance[j] * grid.steps[j] ** 2
        mean[i], deviation[i] = start + first * unit, unit * sqrt(max(0.0, second - first * first))
        below, above = _shortest(chance, grid.edges, inside)
        low[i], high[i] = start + below * unit, start + above * unit


@kernel
def count_above(
    seen: tuple[Reals, ...], grids: tuple[Grid, Grid], law: Law, firm: float, bounds: Reals, found: Reals
) -> None:
    """How many items are expected above each bound, by what was seen: values, their deviations, of how many items.

    The last part of `seen` is what each item has besides its share, and is known exactly.
    """
    values, deviations, items, known = seen
    for i in range(values.size):
        unit, is_firm = deviations[i], values[i] > firm * deviations[i]
        start, grid = (values[i], grids[1]) if is_firm else (0.0, grids[0])
        chance = _chances(values[i] - start, start, unit, grid, law)
        for j in range(chance.size - 2, -1, -1):
            chance[j] += chance[j + 1]
        for b in range(bounds.size):
            place = np.searchsorted(grid.steps, (bounds[b] - known[i] - start) / unit, side="right")
            found[b] += items[i] * chance[place] if place < chance.size else 0.0


@kernel
def _smooth(log_share: float, law: Law) -> float:
    """The log of the density without those that are alike."""
    places = law.log_density.size
    step = (law.log_shares[-1] - law.log_shares[0]) / (places - 1)
    place = min(places - 1.001, max(0.0, (log_share - law.log_shares[0]) / step))
    left = int(place)
    found: float = law.log_density[left] + (place - left) * (law.log_density[left + 1] - law.log_density[left])
    return found


@kernel
def _chances(value: float, start: float, unit: float, grid: Grid, law: Law) -> Reals:
    """The chance of each share of a grid of multiples of a unit, above a start; `value` was seen above it.

    Those that are alike may all lie between two edges, so they are counted there.
    """
    chance = np.empty(grid.steps.size)
    most, total, place, log_unit = -np.inf, 0.0, value / unit, log(unit)
    alike, spread = exp(law.alike) if law.alike >= NEVER else 0.0, sqrt(2 * law.variance)
    below = 0.5 * erfc((law.mean - start - grid.edges[0] * unit) / spread)
    for j in range(chance.size):
        log_share = log(start + grid.steps[j] * unit) if start > 0 else grid.logs[j] + log_unit
        prior = _smooth(log_share, law) + grid.log_widths[j] + log_unit
        if alike > 0:
            until = 0.5 * erfc((law.mean - start - grid.edges[j + 1] * unit) / spread)
            prior = log(exp(prior) + alike * (until - below) + LEAST)
            below = until
        chance[j] = prior - 0.5 * (place - grid.steps[j]) ** 2
        most = max(most, chance[j])
    for j in range(chance.size):
        chance[j] = exp(chance[j] - most)
        total += chance[j]
    for j in range(chance.size):
        chance[j] /= total
    return chance


@kernel
def _shortest(chance: Reals, edges: Reals, wanted: float) -> tuple[float, float]:
    """The shortest interval between edges that holds the wanted chance; of equally short ones, the likeliest."""
    first, inside, likeliest, best_low, best_high = 0, 0.0, 0.0, 0.0, np.inf
    for last in range(chance.size):
        inside += chance[last]
        while first < last and inside - chance[first] >= wanted:
            inside -= chance[first]
            first += 1
        if inside >= wanted:
            longer = edges[last + 1] - edges[first] - (best_high - best_low)
            if longer < -SAME_LENGTH or (longer < SAME_LENGTH and inside > likeliest):
                likeliest, best_low, best_high = inside, edges[first], edges[last + 1]
    return best_low, best_high
