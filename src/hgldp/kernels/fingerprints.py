"""A set of 64-bit fingerprints: one array, open addressing, no objects. 0 marks an empty slot."""

import numpy as np
from numpy.typing import NDArray

from hgldp.kernels.compile import kernel
from hgldp.kernels.words import high_product, mix

Words = NDArray[np.uint64]
EMPTY, FIRST = np.uint64(0), np.uint64(1)


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
    """Put fingerprints into a table that has room for them."""
    slots = np.uint64(table.size)
    for word in words:
        at = high_product(word, slots)
        while table[at] != EMPTY and table[at] != word:
            at += FIRST
            if at == slots:
                at = EMPTY
        table[at] = word


@kernel
def mark_held(table: Words, words: Words, held: NDArray[np.bool_]) -> None:
    """Set `held` where the table has the fingerprint."""
    slots = np.uint64(table.size)
    for place in range(words.size):
        word = words[place]
        at = high_product(word, slots)
        while table[at] != EMPTY:
            if table[at] == word:
                held[place] = True
                break
            at += FIRST
            if at == slots:
                at = EMPTY
