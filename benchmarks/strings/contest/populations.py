"""Whose strings are counted: a file with counts, a log of one string a line, or made-up ones; a seed draws a stream."""

import csv
import gzip
import io
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from math import inf
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.strings.made_up import kinds_of_strings
from hgldp.errors import InvalidField
from hgldp.model.domain import MOST_BYTES as LONGEST
from hgldp.sources.find import find_strings

NAMES, WORDS = "names-2023.csv.gz", "words-en.csv.gz"
FILES = {NAMES: "first names", WORDS: "subtitle words"}
MADE_UP = {"words": "made-up words", "URLs": "made-up URLs"}
DRAWN = {WORDS: 500_000, "words": 500_000, "URLs": 2_000_000}
MOST_BYTES, SHORT = 64, 16
Items = NDArray[np.int32]


@dataclass(frozen=True)
class Population:
    """What to read, and how many to draw of it; with no number everybody is in the stream once, in a drawn order.

    `longest` is what somebody who knows only the kind of strings would have as the longest of them, in bytes.
    """

    title: str
    origin: str
    is_file: bool = True
    has_counts: bool = True
    n: int | None = None
    cut: int | None = None
    longest: int = MOST_BYTES

    def __post_init__(self) -> None:
        for name, value, most in (
            ("--n", self.n, inf),
            ("--cut", self.cut, LONGEST),
            ("--longest", self.longest, LONGEST),
        ):
            if value is not None and not 1 <= value <= most:
                raise InvalidField(name, f"must be at least 1 and at most {most:,}", value)

    @property
    def most_bytes(self) -> int:
        """The longest string that ours takes: the default, unless all are cut."""
        return self.cut or MOST_BYTES


@dataclass(frozen=True)
class Strings:
    """Distinct strings and how often each occurs, or its weight if streams are drawn."""

    texts: tuple[str, ...]
    weights: NDArray[np.float64]
    n: int | None

    def stream(self, seed: int) -> Items:
        """Places in `texts`, in a drawn order."""
        generator = np.random.default_rng(seed)
        counts = (
            self.weights.astype(np.int64)
            if self.n is None
            else generator.multinomial(self.n, self.weights / self.weights.sum())
        )
        return generator.permutation(np.repeat(np.arange(len(self.texts), dtype=np.int32), counts))

    def longest_of_top(self, k: int) -> int:
        """Bytes of the longest of the k most frequent ones, which only a prophet knows beforehand."""
        longest = max(len(self.texts[place].encode(errors="replace")) for place in top(self.weights, k))
        return min(max(1, longest), LONGEST)


def top(counts: NDArray[Any], k: int) -> list[int]:
    """The places of the k largest, the first ones if some are equal.

    >>> top(np.array([3, 5, 3, 1]), 2)
    [1, 0]
    """
    return [int(place) for place in np.argsort(-counts, kind="stable")[:k]]


def usual(data: Path | None) -> list[Population]:
    """The files that are in the folder, and made-up strings."""
    there = [name for name in FILES if data is not None and (data / name).is_file()]
    files = [Population(FILES[name], str(Path(data or "") / name), n=DRAWN.get(name), longest=SHORT) for name in there]
    lengths = {"words": SHORT, "URLs": MOST_BYTES}
    made_up = [
        Population(title, kind, is_file=False, n=DRAWN[kind], longest=lengths[kind]) for kind, title in MADE_UP.items()
    ]
    return files + made_up


@lru_cache(maxsize=1)
def read(population: Population) -> Strings:
    """The strings of a population, cut and with equal ones merged."""
    if not population.is_file:
        texts, weights = kinds_of_strings(None)[population.origin]
        pairs: Iterable[tuple[str, float]] = zip(texts, weights.tolist(), strict=True)
    elif population.has_counts:
        pairs = with_counts(Path(population.origin))
    else:
        stream = find_strings(population.origin).stream(0)
        counts = np.bincount(stream.items, minlength=len(stream.labels))
        pairs = zip((str(label) for label in stream.labels), counts.tolist(), strict=True)
    merged: dict[str, float] = {}
    for text, weight in pairs:
        short = beginning(text, population.cut)
        merged[short] = merged.get(short, 0.0) + weight
    return Strings(tuple(merged), np.array(list(merged.values()), np.float64), population.n)


def beginning(text: str, cut: int | None) -> str:
    """The whole characters within the first so many bytes.

    >>> beginning("maté", 4), beginning("maté", None)
    ('mat', 'maté')
    """
    return text if cut is None else text.encode(errors="surrogatepass")[:cut].decode(errors="ignore")


def with_counts(path: Path) -> list[tuple[str, int]]:
    """The rows of a CSV file, plain or gzipped: a string and its count, after a heading."""
    try:
        raw = path.read_bytes()
        text = (gzip.decompress(raw) if raw[:2] == b"\x1f\x8b" else raw).decode()
        rows = [row for row in csv.reader(io.StringIO(text)) if row][1:]
        found = [(row[0], int(row[1])) for row in rows]
    except OSError as failure:
        raise InvalidField("--file", "must be a readable file", failure.strerror or "damaged") from None
    except (ValueError, IndexError, EOFError, csv.Error):
        raise InvalidField("--file", "must have a heading and then string,count in each line", path.name) from None
    if not found or min(count for _, count in found) < 0 or not any(count for _, count in found):
        raise InvalidField("--file", "must have counts of at least 0, and one above", path.name)
    return found
