"""From reports to a tally, a batch at a time; memory depends on how many bulletins there are, not on the reports."""

from collections import Counter
from collections.abc import Collection, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hgldp.errors import InvalidField
from hgldp.kernels.tallies import LEFT_OUT, count_symbols
from hgldp.tallies.tally import CHOOSE, MOST_BULLETINS, Tally, check_bulletins, check_symbol, check_version

MOST_CELLS = 1 << 25
FIRST_WIDTH = 1 << 11


class Accumulator:
    """Counts batches of reports. With `only`, reports of other bulletins are left out, and `left_out` counts them.

    `others` counts them by their bulletin, but of very many bulletins only the first.

    One thread at a time may use it; several accumulators may work at once, and their tallies add up.

    >>> counting = Accumulator(only=["ab" * 32])
    >>> counting.add(["ab" * 32, "cd" * 32], np.array([0, 1, 0]), np.array([2, 9, 2]))
    >>> counting.tally().counts["ab" * 32].tolist(), counting.left_out
    ([0, 0, 2], 1)
    """

    def __init__(self, only: Collection[str] | None = None) -> None:
        self._only = None if only is None else frozenset(map(check_version, only))
        self._rows: dict[str, int] = {}
        self._table = np.zeros((1, FIRST_WIDTH), np.int64)
        self.left_out = 0
        self.others: Counter[str] = Counter()

    def add(self, bulletins: Sequence[str], codes: NDArray[np.integer[Any]], symbols: NDArray[np.integer[Any]]) -> None:
        """Reports as two columns: the place of each one's bulletin among `bulletins`, and its symbol."""
        if codes.shape != symbols.shape or codes.ndim != 1:
            raise InvalidField("symbols", f"must be {codes.size} of them, one for each code", symbols.shape)
        if not codes.size:
            return
        if int(codes.min()) < 0 or int(codes.max()) >= len(bulletins):
            raise InvalidField("codes", f"must lie in 0 … {len(bulletins) - 1}", "one outside")
        if int(symbols.min()) < 0:
            raise InvalidField("symbol", "must be at least 0", "a negative one (withheld)")
        check_symbol(largest := int(symbols.max()))
        rows = np.fromiter(map(self._row, bulletins), np.int64, len(bulletins))
        self._make_room(largest + 1)
        left_out = np.zeros(rows.size, np.int64)
        count_symbols(rows, _read_only(codes, np.int32), _read_only(symbols, np.uint32), self._table, left_out)
        self._leave_out(bulletins, left_out)

    def _leave_out(self, bulletins: Sequence[str], counts: NDArray[np.int64]) -> None:
        self.left_out += int(counts.sum())
        for code in np.flatnonzero(counts).tolist():
            if bulletins[code] in self.others or len(self.others) < MOST_BULLETINS:
                self.others[bulletins[code]] += int(counts[code])

    def _row(self, version: str) -> int:
        row = self._rows.get(version)
        if row is None:
            if self._only is not None and version not in self._only:
                return LEFT_OUT
            row = self._rows[check_version(version)] = len(self._rows)
            check_bulletins(len(self._rows))
        return row

    def _make_room(self, width: int) -> None:
        """Twice as many rows or columns as before, so that the table is seldom copied."""
        rows, columns = self._table.shape
        while rows < len(self._rows):
            rows *= 2
        while columns < width:
            columns *= 2
        if rows * columns > MOST_CELLS:
            rule = f"must answer fewer bulletins, or have fewer symbols; {CHOOSE}"
            raise InvalidField("reports", rule, f"{len(self._rows):,} bulletins with up to {columns:,} symbols")
        if (rows, columns) != self._table.shape:
            larger = np.zeros((rows, columns), np.int64)
            larger[: self._table.shape[0], : self._table.shape[1]] = self._table
            self._table = larger

    def tally(self) -> Tally:
        """What was counted so far."""
        return Tally({version: self._table[row] for version, row in self._rows.items()})


def _read_only(array: NDArray[np.integer[Any]], kind: type) -> NDArray[Any]:
    """As columns of a file are: a kernel is compiled once for arrays that may be written, and once for others."""
    found: NDArray[Any] = np.ascontiguousarray(array, kind).view()
    found.flags.writeable = False
    return found


def accumulate(bulletins: Sequence[str], symbols: NDArray[np.integer[Any]]) -> Tally:
    """The tally of reports that are in memory: the version of each one's bulletin, and its symbol.

    >>> accumulate(["ab" * 32] * 3, np.array([1, 0, 1])).counts["ab" * 32].tolist()
    [1, 2]
    """
    numbers: dict[str, int] = {}
    codes = np.fromiter((numbers.setdefault(each, len(numbers)) for each in bulletins), np.int32, len(bulletins))
    counting = Accumulator()
    counting.add(list(numbers), codes, symbols)
    return counting.tally()
