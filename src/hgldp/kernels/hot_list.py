"""The repaired store as pure functions of arrays: absorb an epoch's tally, then renew the list.

What changed against HeavyGuardian (design: repaired schemes, section 2): the guard that protects a cell is its standing
above the bar in its own standard errors, tried once an epoch, and the estimate is never decayed.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hgldp.kernels.compile import kernel
from hgldp.kernels.light import Light, settle, take_best
from hgldp.kernels.structures import HEAVY_KEEPER, MISRA_GRIES, NO_ITEM, SPACE_SAVING, guards, meet_misra_gries
from hgldp.kernels.words import next_word

REPORTS, EPOCH, ADMITTED, WARMUP, NOMINATING, IN_EPOCH, ON_HOT_SIDE, EPOCH_LENGTH, NAMED = range(9)
COUNTERS = 9
COEFFICIENTS = 8


class Cells(NamedTuple):
    """The server's whole memory: one entry per cell and a few counters; the light part is separate.

    `carried` is empty unless the structure adds to counts or takes from them.
    """

    item: NDArray[np.int32]
    prior: NDArray[np.int32]
    score: NDArray[np.float64]
    noise: NDArray[np.float64]
    spread: NDArray[np.float64]
    seen: NDArray[np.int64]
    hits: NDArray[np.int64]
    counter: NDArray[np.int64]
    words: NDArray[np.uint64]
    carried: NDArray[np.float64]


class Rule(NamedTuple):
    """When an epoch ends and how the list is renewed; `salt` says where names belong in HeavyKeeper."""

    k: int
    first_epoch: int
    growth: float
    decay_base: float
    always_nominating: bool
    structure: int = 0
    salt: int = 0


@kernel
def absorb(cells: Cells, reading: NDArray[np.float64]) -> None:
    """Add the open tally to every cell's estimate since admission, and to that estimate's variance."""
    n = cells.counter[IN_EPOCH]
    add_tally(cells, cells.hits, n, cells.counter[ON_HOT_SIDE], reading, np.ones(cells.item.size, np.bool_))
    cells.hits[:] = 0
    cells.counter[REPORTS] += n
    cells.counter[NAMED] += n * cells.counter[NOMINATING]
    cells.counter[IN_EPOCH] = 0
    cells.counter[ON_HOT_SIDE] = 0


@kernel
def add_tally(
    cells: Cells,
    hits: NDArray[np.int64],
    n: Any,
    on_hot_side: Any,
    reading: NDArray[np.float64],
    stayed: NDArray[np.bool_],
) -> None:
    """Add a tally of n reports to the estimates of the cells that were there when they were sent."""
    per_hot, per_report, gain, hot_if_hot, hot_if_cold = reading[0], reading[1], reading[2], reading[3], reading[4]
    own_spread, other_spread, cold_spread = reading[5], reading[6], reading[7]
    hot_events = (on_hot_side - n * hot_if_cold) / (hot_if_hot - hot_if_cold) if per_hot != 0.0 else 0.0
    noise = hot_events * other_spread + (n - hot_events) * cold_spread
    for i in range(cells.item.size):
        if stayed[i]:
            events = (hits[i] - per_hot * on_hot_side - per_report * n) / gain
            cells.score[i] += events
            cells.noise[i] += noise
            cells.spread[i] += events * (own_spread - other_spread)
            cells.seen[i] += n


@kernel
def standings(cells: Cells, mean: NDArray[np.float64], deviation: NDArray[np.float64]) -> None:
    """Each cell's share of the stream and its standard deviation: warm-up and reports, weighted by precision."""
    warmup = cells.counter[WARMUP]
    for i in range(cells.item.size):
        precision, weighted = 0.0, 0.0
        if cells.prior[i] > 0:
            share = cells.prior[i] / warmup
            certainty = 1.0 / ((cells.prior[i] + 1) / warmup**2 + (0.2 * share) ** 2)
            precision += certainty
            weighted += certainty * share
        if cells.seen[i] > 0:
            variance = max(cells.noise[i] + max(cells.spread[i], 0.0), 1e-9)
            certainty = cells.seen[i] ** 2 / variance
            precision += certainty
            weighted += certainty * cells.score[i] / cells.seen[i]
        mean[i] = weighted / precision if precision > 0.0 else 0.0
        deviation[i] = 1.0 / np.sqrt(precision) if precision > 0.0 else np.inf


@kernel
def renew(cells: Cells, light: Light, rule: Rule) -> int:
    """Let weak cells give way to nominees; ask for names if no nominee waits. Returns how many cells changed."""
    mean, deviation = np.empty(cells.item.size), np.empty(cells.item.size)
    standings(cells, mean, deviation)
    if rule.structure in (SPACE_SAVING, MISRA_GRIES):
        changed, wanting = replace_least(cells, light, rule, mean)
    else:
        changed, wanting = replace_by_lot(cells, light, rule, mean, deviation)
    if rule.structure == HEAVY_KEEPER:
        settle(light.item, light.votes, light.weakest, light.seen)
    cells.counter[NOMINATING] = 1 if rule.always_nominating or wanting else 0
    cells.counter[EPOCH] += 1
    cells.counter[EPOCH_LENGTH] = max(rule.first_epoch, int(cells.counter[REPORTS] * rule.growth))
    return changed


@kernel
def replace_by_lot(
    cells: Cells, light: Light, rule: Rule, mean: NDArray[np.float64], deviation: NDArray[np.float64]
) -> tuple[int, bool]:
    """HeavyGuardian and HeavyKeeper: a cell gives way by lot, the less likely the higher it stands above the bar.

    Returns how many cells changed, and whether one is left for which no nominee waits.
    """
    size = cells.item.size
    place = size - min(rule.k, size)
    bar = np.sort(mean - 1.5 * deviation)[place]
    prior_bar = np.sort(mean - 3.0 * deviation)[place]
    guard = np.full(size, np.inf)
    for i in range(size):
        if cells.prior[i] > 0:
            if mean[i] + 3.0 * deviation[i] < prior_bar:
                guard[i] = -1.0
        elif cells.seen[i] > 0 and mean[i] - 1.5 * deviation[i] < bar:
            standing = max(0.0, (mean[i] + deviation[i] - bar) / deviation[i])
            if next_word(cells.words) * 2.0**-64 < rule.decay_base**-standing:
                guard[i] = standing
    changed, wanting = 0, False
    while True:
        weakest = np.argmin(guard)
        if guard[weakest] == np.inf:
            break
        guard[weakest] = np.inf
        newcomer, _ = take_best(light, cells.item)
        if newcomer == NO_ITEM:
            wanting = True
            break
        admit(cells, weakest, newcomer)
        changed += 1
    return changed, wanting


@kernel
def replace_least(cells: Cells, light: Light, rule: Rule, mean: NDArray[np.float64]) -> tuple[int, bool]:
    """Space-Saving and Misra–Gries: nominees meet the list, the most nominated first.

    No cell gives way before it has seen a whole epoch. Space-Saving: one nominee takes the least cell and inherits its
    count. Were they to meet the list one after the other, each would take the cell of the last. Misra–Gries: the votes
    of every nominee and as many of each cell cancel out.
    """
    guard, changed = np.empty(cells.item.size), 0
    guards(mean, cells.seen, cells.prior, cells.counter[WARMUP], cells.carried, guard)
    for _ in range(1 if rule.structure == SPACE_SAVING else light.item.size):
        least = int(np.argmin(guard))
        if guard[least] == np.inf:
            break
        newcomer, votes = take_best(light, cells.item)
        if newcomer == NO_ITEM:
            break
        brought = guard[least]
        if rule.structure == MISRA_GRIES:
            least, brought = meet_misra_gries(guard, cells.carried, votes)
        if least >= 0:
            admit(cells, least, newcomer)
            cells.carried[least] = brought
            guard[least] = np.inf
            changed += 1
    return changed, not np.any(light.votes > 0)


@kernel
def admit(cells: Cells, slot: Any, item: Any) -> None:
    """A newcomer starts with nothing: its count runs from here."""
    cells.item[slot] = item
    cells.prior[slot] = 0
    cells.score[slot] = 0.0
    cells.noise[slot] = 0.0
    cells.spread[slot] = 0.0
    cells.seen[slot] = 0
    if cells.carried.size:
        cells.carried[slot] = 0.0
    cells.counter[ADMITTED] += 1


def copy_cells(cells: Cells) -> Cells:
    """The same memory elsewhere."""
    arrays: dict[str, Any] = {name: array.copy() for name, array in cells._asdict().items()}
    return Cells(**arrays)


def empty_cells(cells: int, seed: int, structure: int = 0) -> Cells:
    """Memory with no item in it yet."""
    item, prior = np.zeros(cells, np.int32), np.zeros(cells, np.int32)
    score, noise, spread = np.zeros(cells), np.zeros(cells), np.zeros(cells)
    seen, hits = np.zeros(cells, np.int64), np.zeros(cells, np.int64)
    carried = np.zeros(cells if structure in (SPACE_SAVING, MISRA_GRIES) else 0)
    counter, words = np.zeros(COUNTERS, np.int64), np.array([seed], np.uint64)
    return Cells(item, prior, score, noise, spread, seen, hits, counter, words, carried)
