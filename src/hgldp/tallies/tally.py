"""How often each symbol answered each bulletin. Tallies of any parts of the reports, added in any order, are the same.

As a table it has the columns bulletin, symbol and count; any engine that can group and count can make one.
"""

import csv
import re
from array import array
from collections.abc import Iterable, Iterator, Mapping
from io import BytesIO, TextIOWrapper
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hgldp.errors import InvalidField, MalformedBytes
from hgldp.model.validate import LARGEST_53
from hgldp.stores.integers import Integers, whole_numbers
from hgldp.tallies.headings import columns_found, look_like

Counts = NDArray[np.int64]
COLUMNS = ("bulletin", "symbol", "count")
MOST_SYMBOLS, MOST_BULLETINS = 1 << 16, 1 << 12
MOST_ROWS = 1 << 24
CHOOSE = "choose the bulletins that the next seal reads (hgldp tally --state; of a collector's log, --epoch)"
VERSION = re.compile(r"[0-9a-f]{64}")


class Tally:
    """The counts by bulletin version: one array for each, with the count of symbol s at place s.

    >>> first = Tally.from_columns(["ab" * 32, "ab" * 32], [0, 3], [5, 1])
    >>> both = first + Tally({"ab" * 32: [1, 1]})
    >>> both.counts["ab" * 32].tolist(), both.reports
    ([6, 1, 0, 1], 8)
    >>> print(both.to_csv().decode().replace("ab" * 32, "abab…"), end="")
    bulletin,symbol,count
    abab…,0,6
    abab…,1,1
    abab…,3,1
    """

    __slots__ = ("counts",)
    counts: Mapping[str, Counts]

    def __init__(self, counts: Mapping[str, Integers] | None = None) -> None:
        found: dict[str, Counts] = {}
        given = counts or {}
        check_bulletins(len(given))
        for version in sorted(map(check_version, given)):
            arrived = whole_numbers("count", given[version])
            if arrived.size and int(arrived.max()) > LARGEST_53:
                raise InvalidField("count", f"must be at most {LARGEST_53}", "a larger one")
            histogram = np.trim_zeros(arrived.astype(np.int64), "b")
            check_symbol(histogram.size - 1)
            if histogram.size:
                check_total(histogram)
                histogram.flags.writeable = False
                found[version] = histogram
        check_total(np.array([each.sum() for each in found.values()]))
        self.counts = MappingProxyType(found)

    @classmethod
    def from_columns(cls, bulletins: Iterable[str], symbols: Integers, counts: Integers) -> "Tally":
        """From a table; rows that name the same bulletin and symbol add up."""
        numbers: dict[str, int] = {}
        return cls._from_codes(array("q", (_code(each, numbers) for each in bulletins)), numbers, symbols, counts)

    @classmethod
    def from_arrow(cls, table: Any) -> "Tally":
        """From an Arrow table with the three columns and no empty cells."""
        coded = table.column("bulletin").dictionary_encode().unify_dictionaries()
        names = coded.chunk(0).dictionary.to_pylist() if coded.num_chunks else []
        codes = np.concatenate([np.zeros(0, np.int64), *(np.asarray(each.indices) for each in coded.chunks)])
        numbers: dict[str, int] = {}
        for name in names:
            _code(name, numbers)
        return cls._from_codes(codes, numbers, *(table.column(name).to_numpy() for name in COLUMNS[1:]))

    @classmethod
    def _from_codes(cls, codes: Integers, numbers: Mapping[str, int], symbols: Integers, counts: Integers) -> "Tally":
        """A row names its bulletin by a number: thousands of rows answer the same."""
        rows, places, sizes = np.asarray(codes), whole_numbers("symbol", symbols), whole_numbers("count", counts)
        if not rows.size == places.size == sizes.size:
            found = f"{rows.size}, {places.size} and {sizes.size} rows"
            raise InvalidField("tally", "must have columns of one length", found)
        if not rows.size:
            return cls()
        if int(sizes.min()) < 1 or int(sizes.max()) > LARGEST_53:
            raise InvalidField("count", f"must lie in 1 … {LARGEST_53}", "one outside")
        check_total(sizes)
        check_symbol(int(places.max()))
        order = np.argsort(rows, kind="stable")
        ends = np.cumsum(np.bincount(rows))
        of_each = dict(zip(numbers, np.split(order, ends[:-1]), strict=True))
        return cls({version: _added(places[some], sizes[some]) for version, some in of_each.items()})

    def to_columns(self) -> tuple[list[str], Counts, Counts]:
        """Bulletins, symbols and counts of all rows, sorted by bulletin and then by symbol."""
        places = {version: np.flatnonzero(histogram) for version, histogram in self.counts.items()}
        bulletins = [version for version, some in places.items() for _ in range(some.size)]
        symbols = [np.zeros(0, np.int64), *places.values()]
        counts = [np.zeros(0, np.int64), *(self.counts[version][some] for version, some in places.items())]
        return bulletins, np.concatenate(symbols), np.concatenate(counts)

    def to_csv(self) -> bytes:
        """The canonical file: two tallies are the same if and only if their bytes are."""
        bulletins, symbols, counts = self.to_columns()
        rows = zip(bulletins, symbols.tolist(), counts.tolist(), strict=True)
        return "".join(
            [",".join(COLUMNS), "\n", *(f"{version},{at},{count}\n" for version, at, count in rows)]
        ).encode()

    @classmethod
    def from_csv(cls, data: bytes) -> "Tally":
        """What any engine wrote: the three columns and rows in any order, quoted or not, with any line ends."""
        numbers: dict[str, int] = {}
        codes, symbols, counts = array("q"), array("q"), array("q")
        for number, (version, symbol, count) in enumerate(_cells(data), start=2):
            if number > MOST_ROWS:
                raise MalformedBytes(f"tally must have at most {MOST_ROWS} rows")
            codes.append(_code(version, numbers))
            symbols.append(_whole(symbol, number))
            counts.append(_whole(count, number))
        return cls._from_codes(codes, numbers, np.asarray(symbols), np.asarray(counts))

    @property
    def reports(self) -> int:
        """How many reports it counts."""
        return sum(map(self.answering, self.counts))

    def answering(self, version: str) -> int:
        """How many of them answer a bulletin."""
        return int(self.counts[version].sum()) if version in self.counts else 0

    def __add__(self, other: "Tally") -> "Tally":
        return combine((self, other))

    def __bool__(self) -> bool:
        return bool(self.counts)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Tally):
            return NotImplemented
        return self.counts.keys() == other.counts.keys() and all(
            np.array_equal(mine, other.counts[version]) for version, mine in self.counts.items()
        )

    def __hash__(self) -> int:
        return hash(self.to_csv())

    def __repr__(self) -> str:
        return f"Tally({self.reports:,} reports of {len(self.counts):,} bulletins)"


def combine(tallies: Iterable[Tally]) -> Tally:
    """All of them added up."""
    found: dict[str, Counts] = {}
    for each in tallies:
        for version, histogram in each.counts.items():
            before = found.get(version, histogram[:0])
            total = np.zeros(max(before.size, histogram.size), np.int64)
            total[: before.size] = before
            total[: histogram.size] += histogram
            check_total(total)
            found[version] = total
        check_bulletins(len(found))
    return Tally(found)


def check_version(version: str) -> str:
    """The version itself, if it can be one."""
    if not isinstance(version, str) or not VERSION.fullmatch(version):
        found = f"{len(version)} characters" if isinstance(version, str) else type(version).__name__
        raise InvalidField("bulletin", "must be the 64 hexadecimal digits of a bulletin's version", found)
    return version


def check_symbol(symbol: int) -> None:
    """No bulletin of pfr has more symbols, whatever the task."""
    if symbol >= MOST_SYMBOLS:
        raise InvalidField("symbol", f"must lie in 0 … {MOST_SYMBOLS - 1}", "a larger one (withheld)")


def check_total(counts: NDArray[np.integer[Any]]) -> None:
    """Refuse counts whose sum would leave the whole numbers that every engine has."""
    if counts.sum(dtype=np.float64) > LARGEST_53:
        raise InvalidField("count", f"must add up to at most {LARGEST_53}", "more")


def check_bulletins(count: int) -> None:
    """So that no table, whatever it says, takes more than some memory."""
    if count > MOST_BULLETINS:
        rule = f"must answer at most {MOST_BULLETINS:,} bulletins; {CHOOSE}"
        raise InvalidField("tally", rule, f"{count:,}")


def check_columns(names: list[str], *, sure: bool = False) -> None:
    """Refuse a table of anything else; whether the names are `sure` to be names, and no row."""
    if sorted(names) != sorted(COLUMNS):
        rule = f"must have the columns {', '.join(COLUMNS)} and no other"
        raise InvalidField("tally", rule, columns_found(names, sure=sure), look_like(names))


def _added(symbols: NDArray[np.integer[Any]], counts: NDArray[np.integer[Any]]) -> Counts:
    """Whole numbers throughout: weights of `bincount` would be floats."""
    found = np.zeros(int(symbols.max()) + 1, np.int64)
    np.add.at(found, symbols.astype(np.int64), counts.astype(np.int64))
    return found


def _code(version: str, numbers: dict[str, int]) -> int:
    """The number of a version; a new one gets the next."""
    if version not in numbers:
        numbers[check_version(version)] = len(numbers)
        check_bulletins(len(numbers))
    return numbers[version]


def _cells(data: bytes) -> Iterator[tuple[str, str, str]]:
    rows = csv.reader(TextIOWrapper(BytesIO(data), "utf-8-sig", newline=""), strict=True)
    try:
        names = next(rows, [])
        check_columns(names)
        first, second, third = map(names.index, COLUMNS)
        for row in rows:
            if row:
                if len(row) != len(COLUMNS):
                    raise MalformedBytes(f"tally, line {rows.line_num}: there must be {len(COLUMNS)} fields")
                yield row[first], row[second], row[third]
    except UnicodeDecodeError:
        raise MalformedBytes("tally must be UTF-8 text") from None
    except csv.Error:
        raise MalformedBytes(f"tally, line {rows.line_num}: must be CSV") from None


def _whole(text: str, line: int) -> int:
    if not text.isdecimal() or not text.isascii() or len(text) > 16:
        raise MalformedBytes(f"tally, line {line}: symbol and count must be whole numbers")
    return int(text)
