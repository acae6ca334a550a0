"""The light part: nominees and their votes in the structure of the task, the most nominated first to be admitted.

The weakest cell churns: nearly every nominee is new and takes the place of the last one. So the weakest is kept apart,
and a filter over the others answers "not here" without a search. The filter is derived, never stored.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hgldp.kernels.compile import kernel
from hgldp.kernels.structures import (
    HEAVY_KEEPER,
    MISRA_GRIES,
    MOST_VOTES,
    NO_ITEM,
    SPACE_SAVING,
    join_misra_gries,
    join_space_saving,
    vote_heavy_keeper,
)
from hgldp.kernels.words import next_word

FILTER = 256


class Light(NamedTuple):
    """Items, their votes, the place of the weakest, and the filter over all but the weakest."""

    item: NDArray[np.int32]
    votes: NDArray[np.int32]
    weakest: NDArray[np.int64]
    seen: NDArray[np.uint8]


@kernel
def settle(
    item: NDArray[np.int32], votes: NDArray[np.int32], weakest: NDArray[np.int64], seen: NDArray[np.uint8]
) -> None:
    """Find the weakest (the first of the fewest votes) and rebuild the filter."""
    least = 0
    for j in range(1, votes.size):
        if votes[j] < votes[least]:
            least = j
    weakest[0] = least
    seen[:] = 0
    for j in range(votes.size):
        if j != least and votes[j] > 0:
            seen[item[j] & (FILTER - 1)] = 1


@kernel
def count_symbols(
    hits: NDArray[np.int64],
    light: Light,
    words: NDArray[np.uint64],
    decay: NDArray[np.uint64],
    symbols: NDArray[np.int64],
    structure: Any,
    salt: Any,
) -> int:
    """Count symbols in order of arrival: a hit, ⊥, or a name for the light part. Returns how many were hits.

    A name has one vote more if present; else it takes a free cell; else the structure decides. HeavyGuardian wears the
    weakest down with chance b^−C (`decay` holds ⌊2^64·b^−C⌋), and the name takes its place at 0.
    """
    item, votes, weakest, seen = light.item, light.votes, light.weakest, light.seen
    cells, on_hot_side = hits.size, 0
    most = MOST_VOTES if structure in (SPACE_SAVING, MISRA_GRIES) else decay.size - 1
    for t in range(symbols.size):
        symbol = symbols[t]
        if symbol < cells:
            hits[symbol] += 1
            on_hot_side += 1
        elif symbol > cells and item.size > 0 and structure == HEAVY_KEEPER:
            vote_heavy_keeper(item, votes, symbol - cells - 1, salt, decay, words)
        elif symbol > cells and item.size > 0:
            name, least, found = symbol - cells - 1, weakest[0], -1
            if votes[least] > 0 and item[least] == name:
                found = least
            elif seen[name & (FILTER - 1)] != 0:
                for j in range(item.size):
                    if item[j] == name:
                        found = j
            if found >= 0:
                votes[found] = min(votes[found] + 1, most)
                if found == least:
                    settle(item, votes, weakest, seen)
            elif votes[least] == 0:
                item[least] = name
                votes[least] = 1
                settle(item, votes, weakest, seen)
            elif structure == SPACE_SAVING:
                join_space_saving(item, votes, least, name)
                settle(item, votes, weakest, seen)
            elif structure == MISRA_GRIES:
                join_misra_gries(item, votes)
                settle(item, votes, weakest, seen)
            elif next_word(words) < decay[votes[least]]:
                votes[least] -= 1
                if votes[least] == 0:
                    item[least] = name
                    votes[least] = 1
    return on_hot_side


@kernel
def take_best(light: Light, hot: NDArray[np.int32]) -> tuple[int, int]:
    """Remove and return the most nominated item that is not hot yet, and its votes; NO_ITEM if there is none."""
    best, had = NO_ITEM, 0
    while best == NO_ITEM and light.votes.size > 0:
        king = np.argmax(light.votes)
        if light.votes[king] == 0:
            break
        if not np.any(hot == light.item[king]):
            best, had = light.item[king], light.votes[king]
        light.item[king] = NO_ITEM
        light.votes[king] = 0
    if light.votes.size > 0:
        settle(light.item, light.votes, light.weakest, light.seen)
    return best, had


def empty_light(size: int) -> Light:
    """No nominee yet."""
    whole = np.zeros(1, np.int64)
    return Light(np.full(size, NO_ITEM, np.int32), np.zeros(size, np.int32), whole, np.zeros(FILTER, np.uint8))
