"""A prefix is a number, an ended string has one extension, and only whole strings are named."""

from itertools import pairwise

import numpy as np
import pytest

from benchmarks.strings.contest.levels import everything, heaviest
from benchmarks.strings.contest.prefixes import Prefixes

TEXTS = ["tea", "te", "maté", "milk", "tea time", "a", "", "mat", "t\0a", "\udcff"]
LENGTH = 5


def as_bits(text: str) -> str:
    """The slow way; what is too long, holds a zero or is no UTF-8 is the empty string."""
    code = text.encode(errors="replace")
    has_code = len(code) <= LENGTH and "\0" not in text and "\udcff" not in text
    padded = (code if has_code else b"").ljust(LENGTH, b"\0")
    return "".join(f"{byte:08b}" for byte in padded)


@pytest.mark.parametrize("bits", range(8 * LENGTH + 1))
def test_strings_are_in_one_class_exactly_if_they_share_the_prefix(bits: int) -> None:
    prefixes = Prefixes(TEXTS, LENGTH)
    numbers = prefixes.classes(bits)[prefixes.place]
    for one, other in pairwise(range(len(TEXTS))):
        assert (numbers[one] == numbers[other]) == (as_bits(TEXTS[one])[:bits] == as_bits(TEXTS[other])[:bits])
    assert np.unique(numbers).size == len({as_bits(text)[:bits] for text in TEXTS})


def test_candidates_are_all_extensions_of_what_was_left_over() -> None:
    root = everything(Prefixes(TEXTS, LENGTH))
    letters = root.extended(8)
    assert (letters.real.size, letters.of_nobody) == (4, 252)  # t, m, a, and the empty string
    clients = np.array([0, 0, 1, 5, 6, 4], np.int32)
    assert letters.holders(clients).tolist() == [2, 1, 0, 3]
    kept = letters.kept(np.array([3, 0, 100]))  # t, the empty string, and one that nobody has
    assert (kept.real.tolist(), kept.of_nobody) == ([3, 0], 1)
    longer = kept.extended(16)
    assert longer.size == 256 + 1 + 256  # after the empty string nothing but zeros can come
    assert longer.real.size == 2  # te, and the empty string


def test_only_whole_strings_are_named_and_the_empty_one_never_is() -> None:
    root = everything(Prefixes(TEXTS, LENGTH))
    last = root.extended(8 * LENGTH)
    best = np.array([0, 3, last.real.size + 7, 1])
    names, values = last.named(best, np.array([9.0, 5.0, 4.0, 3.0]), 3)
    assert [None if name is None else TEXTS[name] for name in names] == ["maté", None, "a"]
    assert values == [5.0, 4.0, 3.0]


def test_a_lot_decides_between_equal_values() -> None:
    """Each of four comes first in about 250 of 1,000; fewer than 150 by an accident of less than 10^−12."""
    generator = np.random.default_rng(1)
    first = [int(heaviest(np.array([1.0, 1, 1, 1, 0]), 2, generator)[0]) for _ in range(1_000)]
    assert min(np.bincount(first, minlength=4)[:4]) > 150
    assert heaviest(np.array([1.0, 3, 2]), 2, generator).tolist() == [1, 2]
