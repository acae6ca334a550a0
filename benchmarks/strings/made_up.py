"""Made-up words and addresses, and how many of the most frequent ones PFR finds."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from hgldp.model.domain import StringDomain
from hgldp.schemes.open_pfr import OpenPFR
from hgldp.simulation.strings import spell
from hgldp.sources.find import find_source
from hgldp.stores.strings import OpenFrontier

K, SYMBOLS = 20, 1024
Shares = NDArray[np.float64]
LETTERS, OFTEN = "etaoinshrdlucmfwypvbgkjqxz", np.arange(26, 0, -1) ** 1.5
HOSTS = (
    "https://www.example.com/",
    "https://shop.example.org/",
    "https://news.example.net/",
    "https://blog.example.io/",
)
SECTIONS = ("articles/", "products/", "news/", "category/", "user/", "search?q=", "2026/", "help/", "docs/", "item/")
SYLLABLES = [
    "ba",
    "co",
    "di",
    "fu",
    "ge",
    "hi",
    "ka",
    "lo",
    "mi",
    "no",
    "pe",
    "ra",
    "si",
    "to",
    "va",
    "ne",
    "ri",
    "sa",
    "le",
    "ter",
]


def words(size: int, generator: np.random.Generator) -> list[str]:
    """Distinct made-up words, the frequent ones short, as in language."""
    made: dict[str, None] = {}
    for rank in range(size):
        word = ""
        while not word or word in made:
            length = max(1, round(float(generator.normal(1.5 + 0.6 * np.log2(rank + 2), 1.0))))
            word = "".join(generator.choice(list(LETTERS), length, p=OFTEN / OFTEN.sum()))
        made[word] = None
    return list(made)


def urls(size: int, generator: np.random.Generator) -> list[str]:
    """Distinct addresses of 30 to 60 characters with shared hosts and sections, the frequent ones first."""
    made: dict[str, None] = {}
    while len(made) < size:
        host, section = min(3, generator.geometric(0.5) - 1), min(9, generator.geometric(0.3) - 1)
        name = "".join(generator.choice(SYLLABLES, generator.integers(3, 9)))
        tail = "-" + "".join(generator.choice(SYLLABLES, generator.integers(2, 5))) if generator.random() < 0.4 else ""
        address = HOSTS[host] + SECTIONS[section] + name + tail
        if 30 <= len(address) <= 60:
            made[address] = None
    return list(made)


def kinds_of_strings(stream: Path | None) -> dict[str, tuple[list[str], Shares]]:
    """Words with the counts of a stream, or Zipf's, and addresses, each with how frequent they are."""
    generator = np.random.default_rng(1)
    counts: Shares = np.arange(1, 14_001, dtype=np.float64) ** -1.0
    if stream:
        counts = np.sort(np.bincount(find_source(str(stream)).stream(0).items))[::-1].astype(np.float64)
    addresses: Shares = np.arange(1, 20_001, dtype=np.float64) ** -1.1
    return {"words": (words(counts.size, generator), counts), "URLs": (urls(addresses.size, generator), addresses)}


def recall(strings: list[str], shares: Shares, n: int, epsilon: float, seed: int) -> int:
    """How many of the true top 20 of a drawn stream are in the answer, letter for letter."""
    generator, domain = np.random.default_rng(seed), StringDomain()
    stream = generator.choice(len(strings), n, p=shares / shares.sum()).astype(np.int32)
    scheme = OpenPFR(SYMBOLS, epsilon)
    store = OpenFrontier(scheme.mechanism, symbols=SYMBOLS, k=K, domain=domain)
    spell(scheme, store, [domain.code(text) for text in strings], stream, seed)
    true = {strings[place] for place in np.argsort(-np.bincount(stream), kind="stable")[:K]}
    return len(true & {text for text, _ in store.estimates(K)})
