"""The structures with no privacy, in so many bytes: who is held, and the count that each structure states.

Every number takes eight bytes. A cell of HeavyGuardian has four (item, arrivals, decays, and what was lost before), one
of Space-Saving three (item, count, and what it inherited), one of Misra–Gries two. HeavyKeeper has a table and a list
of the best k beside it, two numbers an entry.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hgldp.kernels.compile import kernel
from hgldp.kernels.decay import decay_thresholds
from hgldp.kernels.structures import home_of
from hgldp.kernels.words import next_word
from hgldp.model.estimate import Estimate
from hgldp.model.randomness import derive_seed
from hgldp.model.rules import Structure
from hgldp.stores.heavy_guardian import HeavyGuardian

NUMBER, NOBODY = 8, -1
Items = NDArray[np.int32]
Table = NDArray[np.int64]


def blank(cells: int) -> tuple[Table, Table]:
    """Items and counts of nobody."""
    return np.full(cells, NOBODY, np.int64), np.zeros(cells, np.int64)


@kernel
def space_saving(stream: Items, item: Table, count: Table) -> None:
    """The newcomer replaces the least, and goes on from its count."""
    for t in range(stream.size):
        held = least = 0
        while held < item.size and item[held] != stream[t]:
            if count[held] < count[least]:
                least = held
            held += 1
        place = held if held < item.size else least
        item[place] = stream[t]
        count[place] += 1


@kernel
def misra_gries(stream: Items, item: Table, count: Table) -> None:
    """The newcomer takes a free cell, or it and one arrival of everybody cancel out."""
    for t in range(stream.size):
        held, free = 0, -1
        while held < item.size and item[held] != stream[t]:
            if count[held] == 0:
                free = held
            held += 1
        if held < item.size:
            count[held] += 1
        elif free >= 0:
            item[free], count[free] = stream[t], 1
        else:
            for place in range(item.size):
                count[place] -= 1
                if count[place] == 0:
                    item[place] = -1


@kernel
def heavy_keeper(
    stream: Items, item: Table, count: Table, best: Table, most: Table, salt: Any, decay: Any, words: Any
) -> None:
    """The newcomer wears down the smaller count of its two places; who counts more than the least of the best joins."""
    for t in range(stream.size):
        name = np.int64(stream[t])
        first, second = home_of(name, salt, 1, item.size), home_of(name, salt, 2, item.size)
        place = second if item[second] == name or count[second] < count[first] else first
        if item[first] == name:
            place = first
        if item[place] != name:
            if count[place] > 0 and count[place] < decay.size and next_word(words) < decay[count[place]]:
                count[place] -= 1
            if count[place] == 0:
                item[place] = name
        if item[place] != name:
            continue
        count[place] += 1
        held = least = 0
        while held < best.size and best[held] != name:
            if most[held] < most[least]:
                least = held
            held += 1
        if held < best.size:
            most[held] = max(most[held], count[place])
        elif count[place] > most[least]:
            best[least], most[least] = name, count[place]


def _space_saving(stream: Items, k: int, size: int, seed: int) -> tuple[Table, Table]:
    del k, seed
    found = blank(size // (3 * NUMBER))
    space_saving(stream, *found)
    return found


def _misra_gries(stream: Items, k: int, size: int, seed: int) -> tuple[Table, Table]:
    del k, seed
    found = blank(size // (2 * NUMBER))
    misra_gries(stream, *found)
    return found


def _heavy_keeper(stream: Items, k: int, size: int, seed: int) -> tuple[Table, Table]:
    found, table = blank(k), blank(size // (2 * NUMBER) - k)
    words = np.array([derive_seed(seed, 1)], np.uint64)
    heavy_keeper(stream, *table, *found, derive_seed(seed, 2) >> 1, decay_thresholds(1.08), words)
    return found


def _heavy_guardian(stream: Items, k: int, size: int, seed: int) -> tuple[Table, Table]:
    del k
    sketch = HeavyGuardian(buckets=1, heavy_cells=size // (4 * NUMBER), seed=seed)
    sketch.update(stream)
    lines = sketch.most_common(sketch.shape.cells)
    return np.array([line.item for line in lines]), np.array([line.count for line in lines])


SKETCHES: dict[Structure, Callable[[Items, int, int, int], tuple[Table, Table]]] = {
    "heavy-guardian": _heavy_guardian,
    "space-saving": _space_saving,
    "misra-gries": _misra_gries,
    "heavy-keeper": _heavy_keeper,
}


def plain_top(structure: Structure, stream: Items, k: int, size: int, seed: int) -> tuple[Estimate, ...]:
    """The k largest counts of a structure that may keep so many bytes."""
    item, count = SKETCHES[structure](stream, k, size, seed)
    order = np.argsort(-count, kind="stable")[:k]
    return tuple(Estimate(int(item[i]), float(count[i]), 0.0) for i in order if item[i] != NOBODY)
