"""Keys of coming bulletins: nobody can tell them from earlier ones, and a restart changes nothing."""

import pytest

from hgldp.model.randomness import GOLDEN, WORD_MASK, SeededWords, mix
from hgldp.schemes.pfr import PFR
from hgldp.stores.frontier import Frontier

SCHEME = PFR(60, 12, 2.0)


def unmix(word: int) -> int:
    """The inverse of `mix`, which is a bijection."""
    for shift, factor in ((31, 0x94D049BB133111EB), (27, 0xBF58476D1CE4E5B9), (30, 1)):
        found = word
        for _ in range(64 // shift + 1):
            found = word ^ (found >> shift)
        word = found * pow(factor, -1, 1 << 64) & WORD_MASK
    return word


def next_of_splitmix(key: int) -> int:
    """What follows on a word of Splitmix64."""
    return mix((unmix(key) + GOLDEN) & WORD_MASK)


def keys(seed: int, epochs: int = 5) -> list[int]:
    store, found = Frontier(SCHEME, memory=1_500, seed=seed, epoch=50), []
    for _ in range(epochs):
        found.append(store.bulletin.key)
        store.insert([0])
        store.seal()
        store = Frontier.deserialize(store.serialize(), SCHEME)
    return found


def guessed_right(seed: int) -> int:
    """How many keys an attacker knew beforehand: Splitmix64's next word, a fixed distance, or the key of seed + 1."""
    seen = keys(seed)
    rules = (
        next_of_splitmix,
        lambda key: (2 * key - seen[0]) & WORD_MASK,
        lambda key: keys(seed + 1)[seen.index(key)],
    )
    return sum(rule(key) == following for key, following in zip(seen[1:], seen[2:], strict=False) for rule in rules)


def by_splitmix(store: Frontier) -> int:
    """Planted: the rule of 0.1."""
    return mix((store.secret + GOLDEN * (store.sealed + 1)) & WORD_MASK)


def test_a_key_cannot_be_told_from_earlier_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not any(guessed_right(seed) for seed in (0, 1, 2**63, WORD_MASK - 1))
    monkeypatch.setattr(Frontier, "_next_key", by_splitmix)
    words = SeededWords(7)
    assert keys(7) == [words.word() for _ in range(5)]
    assert guessed_right(7) == 3


def test_every_epoch_and_every_seed_has_its_own_key() -> None:
    found = [key for seed in range(20) for key in keys(seed)]
    assert len(set(found)) == 100


def test_a_restart_keeps_the_secret() -> None:
    store = Frontier(SCHEME, memory=1_500, seed=5, epoch=50)
    copy = Frontier.deserialize(store.serialize(), SCHEME)
    for both in (store, copy):
        both.insert([0])
        both.seal()
    assert store.bulletin == copy.bulletin
    assert store.bulletin.key == keys(5)[1]
