"""A set of 64-bit fingerprints: one array in ascending order, empty slots (0) between, no objects.

A fingerprint lies at its share of the array or as little after it as order allows, so a look-up begins at the right
place and ends at the first larger one. The last `BEYOND` slots are nobody's share.
"""

import numpy as np
from numpy.typing import NDArray

from hgldp.kernels.compile import kernel
from hgldp.kernels.words import high_product, mix

Words = NDArray[np.uint64]
EMPTY, FIRST = np.uint64(0), np.uint64(1)
BEYOND = 4_096


def table_for(slots: int) -> Words:
    """An empty one."""
    return np.zeros(slots + BEYOND, np.uint64)


def slots_of(table: Words) -> int:
    """How many it was made for."""
    return table.size - BEYOND


@kernel
def fingerprints(halves: Words, key: Words) -> Words:
    """One for each row of two words, under a secret key of two words. Whoever lacks the key cannot make two collide."""
    found = np.empty(halves.shape[0], np.uint64)
    for row in range(halves.shape[0]):
        word = mix(mix(halves[row, 0] + key[0]) ^ halves[row, 1] ^ key[1])
        found[row] = FIRST if word == EMPTY else word
    return found


@kernel
def put(table: Words, words: Words) -> None:
    """Put fingerprints into a table that has room for them: quickest if they come in ascending order."""
    slots = np.uint64(table.size - BEYOND)
    for each in words:
        word = each
        at = high_product(word, slots)
        while table[at] != EMPTY and table[at] < word:
            at += FIRST
        while table[at] != word:
            table[at], word = word, table[at]
            if word == EMPTY:
                break
            at += FIRST


@kernel
def mark_held(table: Words, words: Words, held: NDArray[np.bool_]) -> None:
    """Set `held` where the table has the fingerprint."""
    slots = np.uint64(table.size - BEYOND)
    for place in range(words.size):
        word = words[place]
        at = high_product(word, slots)
        while table[at] != EMPTY and table[at] < word:
            at += FIRST
        if table[at] == word:
            held[place] = True
