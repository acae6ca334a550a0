"""Randomness is an argument: OS entropy in clients, a seed in experiments, and one way from words to integers.

Everything random in the package asks a `Words` for an integer below a bound. The kernels hold a twin of
`SeededWords.below` (`hgldp.kernels.words`), so that the same seed gives the same integers in both.
"""

import os
from abc import ABC, abstractmethod
from dataclasses import dataclass

from hgldp.errors import InvalidField

WORD_BITS = 64
WORD_MASK = (1 << WORD_BITS) - 1
MAX_BOUND = 1 << 63
GOLDEN = 0x9E3779B97F4A7C15


class Words(ABC):
    """A source of independent uniform 64-bit words."""

    @abstractmethod
    def word(self) -> int:
        """The next word, uniform on 0 … 2^64 − 1."""

    def below(self, bound: int) -> int:
        """An exactly uniform integer in 0 … bound − 1, by Lemire's multiply-and-reject (2019, algorithm 5)."""
        if not 1 <= bound <= MAX_BOUND:
            raise InvalidField("bound", "must lie in 1 … 2^63", bound)
        product = self.word() * bound
        if product & WORD_MASK < bound:
            too_low = ((1 << WORD_BITS) - bound) % bound
            while product & WORD_MASK < too_low:
                product = self.word() * bound
        return product >> WORD_BITS


class OSWords(Words):
    """The operating system's entropy, unbuffered, so that a forked process never repeats its parent."""

    def word(self) -> int:
        """Eight bytes of `os.urandom`."""
        return int.from_bytes(os.urandom(8), "little")


def mix(word: int) -> int:
    """Splitmix64's finaliser (Steele, Lea, Flood 2014): a bijection of 64-bit words."""
    word = ((word ^ (word >> 30)) * 0xBF58476D1CE4E5B9) & WORD_MASK
    word = ((word ^ (word >> 27)) * 0x94D049BB133111EB) & WORD_MASK
    return word ^ (word >> 31)


def derive_seed(seed: int, *labels: int) -> int:
    """A seed for one purpose out of a seed for all of them.

    >>> derive_seed(7, 1) == derive_seed(7, 1) != derive_seed(7, 2)
    True
    """
    if not 0 <= seed <= WORD_MASK:
        raise InvalidField("seed", "must lie in 0 … 2^64 − 1", seed)
    for label in labels:
        seed = mix((mix(seed) + GOLDEN * (label + 1)) & WORD_MASK)
    return seed


@dataclass
class SeededWords(Words):
    """Splitmix64: reproducible, fast, and not for clients.

    >>> words = SeededWords(1)
    >>> [words.below(6) for _ in range(8)]
    [3, 4, 5, 2, 2, 4, 5, 3]
    """

    state: int

    def __post_init__(self) -> None:
        if isinstance(self.state, bool) or not isinstance(self.state, int) or not 0 <= self.state <= WORD_MASK:
            raise InvalidField("seed", "must lie in 0 … 2^64 − 1", repr(self.state))

    def word(self) -> int:
        """The next word of the sequence."""
        self.state = (self.state + GOLDEN) & WORD_MASK
        return mix(self.state)
