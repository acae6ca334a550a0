"""Where the items come from: a file, standard input, or a generator."""

import gzip
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from errno import EBADF
from io import BufferedReader
from pathlib import Path
from typing import BinaryIO, cast

import numpy as np
from numpy.typing import NDArray

from hgldp.errors import InvalidField
from hgldp.simulation.drift import DRIFTS
from hgldp.simulation.generators import EXAMPLES, SHAPES, Synthetic, is_generator, parse_generator
from hgldp.sources.columns import check_column
from hgldp.sources.datasets import NoCopy, find_dataset, is_known, known_dataset
from hgldp.sources.fimi import Numbers, read_numbers
from hgldp.sources.numbers import DAMAGES, GZIP_MAGIC, damaged
from hgldp.sources.texts import read_column, read_lines

STANDARD_INPUT = "-"
IDS_PER_ITEM = 4


@dataclass(frozen=True)
class Stream:
    """A stream of item indices 0 … d − 1, and what to print for each of them.

    A list of one item leaves nothing to find. A single string that nobody listed has to be found all the same.
    """

    items: NDArray[np.int32]
    labels: Sequence[object]
    name: str
    is_listed: bool = True

    def __post_init__(self) -> None:
        if not self.items.size:
            raise InvalidField("stream", "must hold at least one item", f"none in {self.name}")
        if self.is_listed and self.domain_size < 2:
            raise InvalidField("stream", "must hold at least two distinct items", f"one in {self.name}")

    @property
    def domain_size(self) -> int:
        """How many items are possible: those of the generator's domain, or the distinct ones of the file."""
        return len(self.labels)


@dataclass(frozen=True)
class Source:
    """A stream to read: a file is read once and is the same for every seed, a generator draws again for each."""

    name: str
    stored: Stream | None
    synthetic: Synthetic | None

    @property
    def domain_size(self) -> int:
        """How many items are possible, whatever the seed."""
        return self.stored.domain_size if self.stored is not None else cast(Synthetic, self.synthetic).d

    def stream(self, seed: int) -> Stream:
        """The stream of one seed."""
        if self.stored is not None:
            return self.stored
        synthetic = cast(Synthetic, self.synthetic)
        return Stream(synthetic.draw(np.random.default_rng(seed)), range(synthetic.d), self.name)


def find_source(text: str, column: str | None = None, folder: Path | None = None) -> Source:
    """The source that a command line names; a file is read here, before anything else happens.

    The name of a data set stands for a copy in the folder, if there is no file of that name.
    """
    kind = text.removesuffix(":")
    by_default = kind in DRIFTS and not Path(text).exists()
    if by_default or (is_generator(text) and not text.endswith(":")):
        if column is not None:
            raise InvalidField("column", "must be given for a CSV file only", column)
        return Source(text, None, parse_generator(text))
    if kind in SHAPES and not Path(text).exists():
        example = next(example for example in EXAMPLES if example.startswith(kind))
        raise InvalidField(kind, f"needs {', '.join(_parameters(kind))}, as in {example}", "none")
    stored = read_stream(_path(text, folder), column)
    return Source(stored.name if text == STANDARD_INPUT else text, stored, None)


def _path(text: str, folder: Path | None) -> str:
    there = Path(text).exists() and not Path(text).is_dir()
    if folder is None or text == STANDARD_INPUT or there or Path(text).name != text:
        return text
    found = find_dataset(text, folder)
    if found is not None:
        return str(found)
    if not is_known(text):
        return text
    raise NoCopy(known_dataset(text).name, folder)


def find_strings(text: str, column: str | None = None) -> Source:
    """Strings that nobody listed: one a line of a file or of standard input, or a column of CSV."""
    if is_generator(text):
        raise InvalidField("stream", "must be a file of strings, or '-'", f"the generator {text}")
    stored = read_stream(text, column, one_string_a_line=True)
    return Source(stored.name, stored, None)


def _parameters(kind: str) -> list[str]:
    return [name for name in ("n", "d", SHAPES[kind]) if name is not None]


def read_stream(path: str, column: str | None = None, *, one_string_a_line: bool = False) -> Stream:
    """The stream in a file, plain or gzipped; `-` is standard input. With a column it is CSV, without it FIMI text."""
    name = "standard input" if path == STANDARD_INPUT else path
    if column is None and path.lower().removesuffix(".gz").endswith(".csv"):
        raise InvalidField("column", "must be given for a CSV file, a name of the header or a number from 1", "none")
    try:
        if path == STANDARD_INPUT:
            return _parse(_standard_input(), column, name, one_string_a_line=one_string_a_line)
        with Path(path).open("rb") as raw:
            return _parse(raw, column, name, one_string_a_line=one_string_a_line)
    except DAMAGES:
        raise damaged("stream", name) from None
    except OSError as failure:
        wanted = f"must be a readable file, '-' or a generator such as {EXAMPLES[0]}"
        raise InvalidField("stream", wanted, f"{name} ({failure.strerror or 'unreadable'})") from None


def _standard_input() -> BufferedReader:
    if sys.stdin is None:
        raise OSError(EBADF, "closed")
    return cast(BufferedReader, sys.stdin.buffer)


def _parse(raw: BufferedReader, column: str | None, name: str, *, one_string_a_line: bool) -> Stream:
    gzipped = raw.peek(2)[:2] == GZIP_MAGIC
    file = cast(BinaryIO, gzip.GzipFile(fileobj=raw)) if gzipped else raw
    if column is not None:
        return Stream(*read_column(file, check_column(column), name), name, is_listed=not one_string_a_line)
    if one_string_a_line:
        return Stream(*read_lines(file, name), name, is_listed=False)
    return Stream(*_numbered(read_numbers(file, name)), name)


def _numbered(numbers: Numbers) -> tuple[NDArray[np.int32], list[int]]:
    """Indices into the sorted distinct numbers, and those numbers: by a table if it is not larger than sorting."""
    if not numbers.size:
        return numbers.astype(np.int32), []
    largest = int(numbers.max())
    if largest >= IDS_PER_ITEM * numbers.size:
        distinct, items = np.unique(numbers, return_inverse=True)
        return items.astype(np.int32), distinct.tolist()
    present = np.zeros(largest + 1, dtype=bool)
    present[numbers] = True
    place = np.cumsum(present, dtype=np.int32) - np.int32(1)
    return place[numbers], np.flatnonzero(present).tolist()
