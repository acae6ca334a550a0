"""Strings as rows of bits, padded with zeros to one length: which of them have a prefix of so many bits in common."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from hgldp.model.domain import StringDomain

Numbers = NDArray[np.int64]
BYTE = 8


def shared_bits(apart: NDArray[np.uint8]) -> Numbers:
    """Zero bits at the beginning of each row of bytes; all of them are few enough for any prefix.

    >>> shared_bits(np.array([[0, 0], [0, 64], [128, 1]], np.uint8)).tolist()
    [16, 9, 0]
    """
    first = (apart != 0).argmax(axis=1)
    _, high_bit = np.frexp(apart[np.arange(len(apart)), first])
    bits = np.where(apart.any(axis=1), BYTE * first + BYTE - high_bit, BYTE * apart.shape[1])
    return np.asarray(bits, np.int64)


class Prefixes:
    """The distinct strings of a stream, sorted. Those that share a prefix are neighbours, so a prefix is a number.

    A string that is longer than `most_bytes`, or has no code, is reported as the empty one, which no answer names.
    """

    def __init__(self, texts: Sequence[str], most_bytes: int) -> None:
        self.bits = BYTE * most_bytes
        domain = StringDomain(most_bytes)
        codes = [(domain.code(text) or b"\0")[:-1] for text in texts]
        self.order = sorted(range(len(codes)), key=codes.__getitem__)
        self.place = np.empty(len(codes), np.int64)
        self.place[self.order] = np.arange(len(codes))
        padded = b"".join(codes[one].ljust(most_bytes, b"\0") for one in self.order)
        rows = np.frombuffer(padded, np.uint8).reshape(len(codes), most_bytes)
        self._shared = shared_bits(rows[1:] ^ rows[:-1])
        lengths = np.array([len(codes[one]) for one in self.order], np.int64)
        self._ended = BYTE * (lengths + 1)
        self._empty = lengths == 0

    def classes(self, bits: int) -> Numbers:
        """The number of each sorted string's prefix of so many bits."""
        return np.concatenate([[0], np.cumsum(self._shared < bits)]).astype(np.int64)

    def firsts(self, classes: Numbers) -> Numbers:
        """The first sorted string of each class."""
        return np.flatnonzero(np.diff(classes, prepend=-1))

    def have_ended(self, firsts: Numbers, bits: int) -> NDArray[np.bool_]:
        """Whether a prefix of so many bits shows the zero byte at the end of its string: only zeros can follow."""
        return np.asarray(self._ended[firsts] <= bits)

    def named(self, first: int) -> int | None:
        """The place of a whole string in the list; None for the empty one."""
        return None if self._empty[first] else self.order[first]
