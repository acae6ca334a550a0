"""Strings that nobody sent, as many as a plan needs: words, addresses or identifiers, the frequent ones short."""

from collections.abc import Callable, Iterator
from functools import lru_cache

import numpy as np

from hgldp.errors import InvalidField
from hgldp.model.rules import Spelling

TONGUE, SOUNDS = 0x9A57, 1 << 14
STARTS = (
    *("t", "s", "c", "b", "m", "p", "d", "w", "f", "r", "h", "l", "g", "n", "k"),
    *("st", "tr", "ch", "br", "sh", "pl", "v", "j", "gr", "cl", "qu"),
)
VOWELS = ("e", "a", "i", "o", "u", "ea", "ou", "ai", "y", "ee")
ENDS = ("", "", "", "n", "r", "s", "t", "l", "d", "ck", "ng", "m", "st", "nt")
HOSTS = ("www.example.com", "shop.example.org", "news.example.net", "blog.example.io")
SECTIONS = ("articles", "products", "news", "category", "user", "search", "help", "docs", "item", "2026")
PARTS = ("get", "set", "user", "on", "page", "item", "view", "list", "app", "load", "click", "open", "cart", "error")
MOST_TRIES, TITLE_WORDS = 50, 2_000


@lru_cache(maxsize=2)
def invented(size: int, spelling: Spelling, most_bytes: int, seed: int) -> tuple[str, ...]:
    """So many different strings of at most so many bytes, the same ones for the same seed.

    >>> invented(3, "text", 64, 1) == invented(9, "text", 64, 1)[:3], len(set(invented(1000, "urls", 64, 1)))
    (True, 1000)
    """
    make, sounds = MAKERS[spelling], _sounds(np.random.default_rng([TONGUE, seed]))
    found: dict[str, None] = {}
    for rank in range(1, size + 1):
        for tries in range(MOST_TRIES):
            text = make(rank << tries // 4, sounds)[:most_bytes]
            if text not in found:
                found[text] = None
                break
        else:
            rule = f"must be long enough for {size:,} different strings"
            raise InvalidField("most_bytes", rule, most_bytes)
    return tuple(found)


def _sounds(generator: np.random.Generator) -> Iterator[int]:
    while True:
        yield from generator.integers(0, 1 << 30, SOUNDS).tolist()


def _often(options: tuple[str, ...], chance: int) -> str:
    """The first ones of a list more often: by the lesser of two places."""
    first, second = chance % len(options), (chance >> 15) % len(options)
    return options[min(first, second)]


def _word(rank: int, sounds: Iterator[int]) -> str:
    """About one syllable more for each factor of thirty."""
    syllables = max(1, round(rank.bit_length() / 5 + (next(sounds) % 1000) / 1000))
    parts = []
    for _ in range(syllables):
        parts += [_often(STARTS, next(sounds)), _often(VOWELS, next(sounds)), _often(ENDS, next(sounds))]
    return "".join(parts)


def _address(rank: int, sounds: Iterator[int]) -> str:
    """A title of two to four words; a frequent page has no shorter address than a rare one."""
    del rank
    host, section = _often(HOSTS, next(sounds)), _often(SECTIONS, next(sounds))
    title = (_word(1 + next(sounds) % TITLE_WORDS, sounds) for _ in range(2 + next(sounds) % 3))
    return f"https://{host}/{section}/{'-'.join(title)}"


def _identifier(rank: int, sounds: Iterator[int]) -> str:
    return f"{_often(PARTS, next(sounds))}_{_often(PARTS, next(sounds))}_{_word(rank, sounds)}"


MAKERS: dict[Spelling, Callable[[int, Iterator[int]], str]] = {
    "text": _word,
    "urls": _address,
    "identifiers": _identifier,
}
