"""Words, and the one way from words to integers."""

import os
from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hgldp.errors import InvalidField
from hgldp.model.randomness import MAX_BOUND, WORD_MASK, OSWords, SeededWords, Words, derive_seed, mix

ALL = 1 << 64


class Scripted(Words):
    """Says what it is told."""

    def __init__(self, words: Iterable[int]) -> None:
        self.left = list(words)

    def word(self) -> int:
        return self.left.pop(0)


bounds = st.one_of(st.integers(1, 100), st.integers(1, MAX_BOUND), st.integers(0, 63).map(lambda bits: 1 << bits))


@given(bound=bounds, data=st.data())
def test_every_integer_has_exactly_as_many_words_as_every_other(bound: int, data: st.DataObject) -> None:
    """The accepted words of a result are an interval; both its ends and the words beyond them are tried."""
    result = data.draw(st.integers(0, bound - 1))
    rejected = ALL % bound
    first = -(-(result * ALL + rejected) // bound)
    last = -(-(result + 1) * ALL // bound) - 1
    assert last - first + 1 == ALL // bound
    for word in (first, last):
        source = Scripted([word])
        assert source.below(bound) == result
        assert source.left == []
    for word in (first - 1, last + 1):
        if 0 <= word < ALL and bound > 1:
            accepted = -(-((result + 1) % bound + 1) * ALL // bound) - 1
            assert Scripted([word, accepted]).below(bound) != result


def test_a_rejected_word_is_followed_by_another() -> None:
    source = Scripted([0, 0, 1 << 63])
    assert source.below(3) == 1
    assert source.left == []


def test_a_power_of_two_never_rejects() -> None:
    assert Scripted([0]).below(1 << 63) == 0
    assert Scripted([WORD_MASK]).below(1 << 63) == (1 << 63) - 1


@pytest.mark.parametrize("bound", [0, -1, MAX_BOUND + 1])
def test_a_bound_outside_1_to_2_63_is_refused(bound: int) -> None:
    with pytest.raises(InvalidField, match="bound must lie in 1"):
        SeededWords(0).below(bound)


def test_seeded_words_are_splitmix64() -> None:
    """The first words of the reference implementation for the seed 1234567."""
    words = SeededWords(1234567)
    assert [words.word() for _ in range(5)] == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]


@pytest.mark.parametrize("seed", [-1, ALL])
def test_a_seed_outside_64_bits_is_refused(seed: int) -> None:
    with pytest.raises(InvalidField, match="seed must lie in 0"):
        SeededWords(seed)
    with pytest.raises(InvalidField, match="seed must lie in 0"):
        derive_seed(seed)


def test_os_words_are_eight_bytes_of_the_systems_entropy_each(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def urandom(size: int) -> bytes:
        asked.append(size)
        return bytes([1, 2, 0, 0, 0, 0, 0, len(asked)])

    monkeypatch.setattr(os, "urandom", urandom)
    words = OSWords()
    assert [words.word(), words.word()] == [0x0100000000000201, 0x0200000000000201]
    assert asked == [8, 8]


def test_os_words_do_not_repeat() -> None:
    """False alarm: 2^−57."""
    words = OSWords()
    assert len({words.word() for _ in range(16)}) == 16


def _unxor(word: int, shift: int) -> int:
    out = word
    while shift < 64:
        out ^= out >> shift
        shift *= 2
    return out


@given(word=st.integers(0, WORD_MASK))
def test_mixing_can_be_undone(word: int) -> None:
    mixed = _unxor(mix(word), 31) * pow(0x94D049BB133111EB, -1, ALL) % ALL
    mixed = _unxor(mixed, 27) * pow(0xBF58476D1CE4E5B9, -1, ALL) % ALL
    assert _unxor(mixed, 30) == word


def test_derived_seeds_differ_by_every_label_and_by_their_order() -> None:
    seeds = [derive_seed(seed, *labels) for seed in range(5) for labels in [(), (0,), (1,), (0, 0), (0, 1), (1, 0)]]
    assert len(set(seeds)) == len(seeds)
    assert derive_seed(7) == 7
    assert all(0 <= seed <= WORD_MASK for seed in seeds)
