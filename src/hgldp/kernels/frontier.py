"""PFR's hot loops: an item to its symbol to a residue to a histogram, and the search for evidence over the domain."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hgldp.kernels.compile import inlined, kernel
from hgldp.kernels.words import GOLDEN, draw, first_kept, high_product, mix

_1, _32 = np.uint64(1), np.uint64(32)
Words = NDArray[np.uint64]


@inlined
def search_cell(key: Any, item: Any, cells: Any) -> Any:
    """The twin of `hgldp.model.bulletins.search_cell`."""
    return high_product(mix(key + GOLDEN * (np.uint64(item) + _1)), cells)


@kernel
def add_reports(
    words: Words,
    truth: Any,
    order: NDArray[np.int32],
    members: Any,
    leaf_of: NDArray[np.int16],
    leaves: Any,
    key: Any,
    symbols: Any,
    items: NDArray[np.int32],
    histogram: NDArray[np.int64],
) -> None:
    """Many clients' events to reports to a histogram of residues. `leaf_of` is −1 for an item that is not tracked.

    Both sides of each choice are computed, since a processor guesses a fair coin wrong half of the time. The quotient
    is guessed in floating point and put right by whole numbers, which is exact and faster than a division.
    """
    modulus, inside = np.int64(order.size), members * truth
    total = inside + (np.uint64(order.size) - members) * (_1 << _32)
    counter, kept, search, inverse = words[0], first_kept(total), symbols - leaves, 1.0 / np.float64(truth)
    for t in range(items.size):
        item = items[t]
        leaf, cell = np.int64(leaf_of[item]), np.int64(leaves + search_cell(key, item, search))
        symbol = cell if leaf < 0 else leaf
        drawn, counter = draw(counter, total, kept)
        inner = np.uint64(np.int64(np.float64(np.int64(drawn)) * inverse))
        inner -= np.uint64(inner * truth > drawn)
        inner += np.uint64((inner + _1) * truth <= drawn)
        outer = members + ((drawn - inside) >> _32)
        report = symbol - np.int64(order[inner if drawn < inside else outer])
        histogram[report + modulus if report < 0 else report] += 1
    words[0] = counter


@kernel
def correlate(histogram: NDArray[np.int64], members: NDArray[np.int32], scores: NDArray[np.int64]) -> None:
    """How many reports speak for each symbol: Σ over x in D of histogram[(v − x) mod M]."""
    twice = np.concatenate((histogram, histogram))
    scores[:] = 0
    for x in members:
        turned = twice[histogram.size - x :]
        for v in range(scores.size):
            scores[v] += turned[v]


@kernel
def search(
    keys: Words, search_cells: Words, evidence: NDArray[np.float64], first: Any, total: NDArray[np.float64]
) -> None:
    """Add up the evidence of the items first, first + 1, …: of each epoch the cell that its key hashes the item to."""
    for epoch in range(keys.size):
        key, cells, row = keys[epoch], search_cells[epoch], evidence[epoch]
        for i in range(total.size):
            total[i] += row[np.int64(search_cell(key, first + i, cells))]


@kernel
def count_steps(values: NDArray[np.float64], lowest: float, step: float, counts: NDArray[np.int64]) -> None:
    """How many values are in each step above the lowest; the first and the last step hold all that lie beyond."""
    for value in values:
        place = min(max((value - lowest) / step, 0.0), counts.size - 1.0)
        counts[int(place)] += 1


@kernel
def find_cells(key: Any, cells: Any, items: NDArray[np.int64], found: NDArray[np.int64]) -> None:
    """The search cell of each item under one key."""
    for i in range(items.size):
        found[i] = np.int64(search_cell(key, items[i], cells))


@kernel
def count_untracked(key: Any, domain_size: Any, named: NDArray[np.int64], counts: NDArray[np.int64]) -> None:
    """How many items of the domain each search cell holds under one key, without the named ones."""
    cells = np.uint64(counts.size)
    for item in range(domain_size):
        counts[np.int64(search_cell(key, item, cells))] += 1
    for item in named:
        counts[np.int64(search_cell(key, item, cells))] -= 1
